import * as z from 'zod/mini'
import type { Bytes } from '#contract/proofs/bytes.ts'
import { openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import type { Proof } from '#contract/proofs/proof.ts'
import { type EarlierCheckpoint, type Verdict, verifyProof } from '#contract/proofs/verify-proof.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { storedValue } from '#web/lib/storage.ts'
import { fetchConsistency } from './proofs.queries.ts'

function sizeOf(key: string | null, note: string | null): number | undefined {
  const logKey = key === null ? undefined : parseLogKey(key)
  return logKey && note !== null ? openCheckpoint(note, logKey)?.size : undefined
}

/** The last checkpoint of this browser, with the consistency proof of the log from there. */
export async function recallCheckpoint(proof: Proof): Promise<EarlierCheckpoint | undefined> {
  const last = lastCheckpoint.read()
  if (!last) return undefined
  const [then, now] = [sizeOf(last.key, last.checkpoint), sizeOf(proof.key, proof.checkpoint)]
  const isComparable = then !== undefined && now !== undefined
  return { ...last, consistency: isComparable ? await fetchConsistency(then, now) : undefined }
}

/** The proof with the text on the screen in the place of the one that it repeats. */
export function withShownText(proof: Proof, revelation: Revelation): Proof {
  if (!proof.opening || !isOpen(revelation)) return proof
  const { title, content, reveal_date } = revelation
  return { ...proof, opening: { ...proof.opening, title, content, reveal_date } }
}

export async function hashFile(
  url: string | null,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Bytes> {
  const response = url === null ? undefined : await fetch(url, { signal, cache: 'no-store' })
  if (!response?.ok || !response.body) throw new Error('The file could not be read')
  return hashStream(response.body, onProgress)
}

/** Verifies in this browser, and stores the checkpoint when nothing contradicts it. */
export function verifyHere(
  proof: Proof,
  earlier: EarlierCheckpoint | undefined,
  fileSha256: Bytes | undefined,
): Verdict {
  const verdict = verifyProof(proof, { earlier, fileSha256 })
  const { key, checkpoint } = proof
  const lastSize = earlier && sizeOf(earlier.key, earlier.checkpoint)
  const isNewer = verdict.checkpoint && verdict.checkpoint.size >= (lastSize ?? 0)
  if (verdict.state !== 'failed' && isNewer && key !== null && checkpoint !== null) {
    lastCheckpoint.write({ key, checkpoint })
  }
  return verdict
}

const lastCheckpointSchema = z.object({ key: z.string(), checkpoint: z.string() })

/** The last checkpoint that this browser verified, which the log must always contain. */
export const lastCheckpoint = storedValue(
  'log_checkpoint',
  (stored) => lastCheckpointSchema.safeParse(stored).data,
)
