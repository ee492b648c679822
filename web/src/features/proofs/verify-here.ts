import type { Bytes } from '#contract/proofs/bytes.ts'
import { openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import type { Proof } from '#contract/proofs/proof.ts'
import { type MetBefore, type Verdict, verifyProof } from '#contract/proofs/verify-proof.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { keepMetCheckpoint, readMetCheckpoint } from './met-checkpoint.ts'
import { fetchConsistency } from './proofs.queries.ts'

function sizeOf(key: string | null, note: string | null): number | undefined {
  const logKey = key === null ? undefined : parseLogKey(key)
  return logKey && note !== null ? openCheckpoint(note, logKey)?.size : undefined
}

/** What this browser met before, with what the log answers about it. */
export async function recallFor(proof: Proof): Promise<MetBefore | undefined> {
  const met = readMetCheckpoint()
  if (!met) return undefined
  const [then, now] = [sizeOf(met.key, met.checkpoint), sizeOf(proof.key, proof.checkpoint)]
  const isAsked = then !== undefined && now !== undefined
  return { ...met, consistency: isAsked ? await fetchConsistency(then, now) : undefined }
}

/** The proof of what is on the screen: its words, not those that the proof repeats. */
export function ofWhatIsShown(proof: Proof, revelation: Revelation): Proof {
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

/** Computes everything here, and keeps the checkpoint when nothing contradicts it. */
export function verifyHere(
  proof: Proof,
  metBefore: MetBefore | undefined,
  fileSha256: Bytes | undefined,
): Verdict {
  const verdict = verifyProof(proof, { metBefore, fileSha256 })
  const { key, checkpoint } = proof
  const met = metBefore && sizeOf(metBefore.key, metBefore.checkpoint)
  const isNewer = verdict.checkpoint && verdict.checkpoint.size >= (met ?? 0)
  if (verdict.state !== 'failed' && isNewer && key !== null && checkpoint !== null) {
    keepMetCheckpoint({ key, checkpoint })
  }
  return verdict
}
