import { getCheckpoint, getConsistency, getLogKey, getProof } from '#contract/proofs/endpoints.ts'
import type { Proof } from '#contract/proofs/proof.ts'
import { ApiError, callApi, fetchFile } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'

export function fetchProof(id: string, signal: AbortSignal): Promise<Proof> {
  return callApi(getProof, { params: { id } }, { signal, headers: deliveryKeyHeaders(id) })
}

/**
 * Undefined when the log does not answer: it then says nothing, neither right nor wrong. A log that denies a size which it
 * signed was set back: it has nothing that leads there.
 */
export async function fetchConsistency(
  one: number,
  other: number,
): Promise<readonly string[] | undefined> {
  if (one === other) return []
  const querystring = { from: String(Math.min(one, other)), to: String(Math.max(one, other)) }
  try {
    return (await callApi(getConsistency, { querystring })).hashes
  } catch (error) {
    return error instanceof ApiError && error.code === 'not_found' ? [] : undefined
  }
}

/** The key and the last checkpoint of the log, as text. */
export async function fetchLogEnd(): Promise<{ key: string; note: string }> {
  const [key, note] = await Promise.all([fetchFile(getLogKey), fetchFile(getCheckpoint)])
  return { key: (await key.text()).trim(), note: await note.text() }
}
