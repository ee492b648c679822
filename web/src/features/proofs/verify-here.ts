import { type Bytes, hexOf } from '#contract/proofs/bytes.ts'
import { becauseOf, type Evidence, evidenceOfDates } from '#contract/proofs/evidence.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import {
  addContradictions,
  contradictedAt,
  heldFor,
  logBefore,
  rememberedOf,
} from '#contract/proofs/log-memory.ts'
import type { AnyProof } from '#contract/proofs/proof.ts'
import type { Context, Verdict } from '#contract/proofs/verdict.ts'
import { isOpen, isOwn, type Revelation } from '#contract/revelations.ts'
import { storeMemory } from './log-memory-store.ts'
import { fetchProof } from './proofs.queries.ts'
import { type Recorded, recordCheckpoint } from './record-checkpoint.ts'
import { filesOf } from './sealed-files.ts'
import { verifyAll, type Watch } from './verify-all.ts'

export interface CheckedHere {
  verdict: Verdict
  /** All that this browser ever held against this log. */
  contradictions: readonly Evidence[]
  /** Whether this browser could store the checkpoint. */
  isStored: boolean
}

/** The proof, and what this browser remembers of the log, with the checkpoint of the proof: the memory comes first. */
export async function requestProof(
  id: string,
  signal: AbortSignal,
): Promise<{ proof: AnyProof; recorded: Recorded }> {
  const proof = await fetchProof(id, signal)
  return { proof, recorded: await recordCheckpoint(proof.checkpoint, 'met', new Date()) }
}

interface Shown {
  revelation: Revelation
  /** The hash of each that was read, in their places: of a copy there is nothing to compare. */
  files?: readonly (Bytes | undefined)[]
}

/** Verifies in this browser, against the key and the checkpoints that it holds and what the page shows. */
export async function verifyHere(
  proof: AnyProof,
  { memory, known, found, isStored }: Recorded,
  shown: Shown,
  watch: Omit<Watch, 'start'>,
): Promise<CheckedHere> {
  const now = new Date()
  const origin = known?.origin ?? ''
  const remembered = heldFor(memory, origin, proof.checkpoint)
  const [contradiction] = found
  const context = {
    ...{ known, now, held: remembered, isOnlyProof: true },
    files: (shown.files ?? []).filter((hash) => hash !== undefined),
    copies: filesOf(shown.revelation)?.filter(({ is_sealed }) => !is_sealed).length,
    contradictedAt: contradictedAt(memory, origin),
    logBefore: logBefore(memory, origin),
    contradiction: contradiction && becauseOf(contradiction),
    ...shownBy(shown),
  }
  const [verdict] = (await verifyAll([{ proof, context }], { ...watch, start: startWorker })) ?? []
  if (!verdict) throw new Error('The page was left')
  const hasFalseDate = verdict.steps.some(
    ({ name, state }) => name === 'dates' && state === 'failed',
  )
  const falseDate =
    hasFalseDate && known && evidenceOfDates(proof, { known, held: remembered, now })
  const stored = falseDate
    ? await storeMemory(addContradictions(memory, [falseDate]).memory, now)
    : { memory, isStored }
  const { contradictions } = rememberedOf(stored.memory, origin)
  return { verdict, contradictions, isStored: stored.isStored }
}

function startWorker(): Worker {
  return new Worker(new URL('./verification.worker.ts', import.meta.url), { type: 'module' })
}

/** What the page says beside the proof. An operator’s hiding is nothing that the author sealed. */
function shownBy({ revelation, files: read = [] }: Shown): Pick<Context, 'page' | 'shown'> {
  const { id, author_id, version, created_at, title, kind, reveal_date, visibility } = revelation
  const content = isOpen(revelation) ? revelation.content : undefined
  const files = filesOf(revelation)?.map(({ caption }, at) => ({
    label: caption ?? '',
    sha256: read[at] && hexOf(read[at]),
  }))
  const isSuspended = isOwn(revelation) && revelation.is_suspended
  const publicSince = revelation.public_since
  return {
    page: {
      ...{ id, version, title, kind, content, files },
      ...{ authorId: author_id, sealedAt: created_at, revealAt: reveal_date },
    },
    ...(!isSuspended &&
      publicSince !== undefined && { shown: { audience: visibility, publicSince } }),
  }
}

/** Whether the page shows something else than the proof: it may be older. */
export function isShownOtherwise({ steps }: Verdict): boolean {
  return steps.some(
    ({ name, state }) => (name === 'page' || name === 'audience') && state === 'failed',
  )
}

export async function hashFile(
  url: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Bytes> {
  const response = await fetch(url, { signal, cache: 'no-store' })
  if (!response.ok || !response.body) throw new Error('The file could not be read')
  return hashStream(response.body, onProgress)
}
