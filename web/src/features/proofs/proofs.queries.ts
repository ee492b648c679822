import { getCheckpoint, getConsistency, getLogKeys, getProof } from '#contract/proofs/endpoints.ts'
import type { AnyProof } from '#contract/proofs/proof.ts'
import type { Ask, LogAnswer } from '#contract/proofs/sight.ts'
import { ApiError, callApi, fetchFile } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { HASHES_FILE } from './verifier-link.tsx'

export function fetchProof(id: string, signal: AbortSignal): Promise<AnyProof> {
  return callApi(getProof, { params: { id } }, { signal, headers: deliveryKeyHeaders(id) })
}

interface LogKeys {
  key: string
  /** What each key says of those before it, signed by the last of them too; the newest last. */
  statements: readonly string[]
}

/** The log as the site names it; undefined while the log is empty. */
export async function fetchLogKeys(): Promise<LogKeys | undefined> {
  try {
    return await callApi(getLogKeys)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Undefined when the log does not answer: it then says nothing, neither right nor wrong. */
export async function fetchLogAnswer({ from, to }: Pick<Ask, 'from' | 'to'>): Promise<LogAnswer> {
  try {
    const querystring = { from: String(from), to: String(to) }
    return await callApi(getConsistency, { querystring })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) return undefined
    // It denies a size that it signed: what it signed last tells whether it was set back.
    return fetchCheckpoint().then(
      (end) => ({ end }),
      () => undefined,
    )
  }
}

async function fetchCheckpoint(): Promise<string> {
  return (await fetchFile(getCheckpoint)).text()
}

/** The key and the last checkpoint of the log, as text; undefined while the log is empty. */
export async function fetchLogEnd(): Promise<{ key: string; note: string } | undefined> {
  const keys = await fetchLogKeys()
  return keys && { key: keys.key, note: await fetchCheckpoint() }
}

/** The SHA-256 of the verifier and of the format; undefined on a site that was not built. */
export async function fetchVerifierHashes(): Promise<
  { file: string; sha256: string }[] | undefined
> {
  const response = await fetch(HASHES_FILE)
  if (!response.ok) return undefined
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => {
    const [sha256 = '', file = ''] = line.split('  ')
    return { file, sha256 }
  })
}
