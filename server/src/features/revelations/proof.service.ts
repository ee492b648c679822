import {
  type AnyProof,
  PROOF_FORMAT,
  PROOF_FORMAT_2,
  type Proof,
  type ProofLeaf,
  type ProofV2,
} from '#contract/proofs/proof.ts'
import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { readVisible } from '#server/features/access/envelopes.service.ts'
import { grantReader } from '#server/features/access/grants.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import { listMailedSizes } from '#server/features/deliveries/mailed-checkpoints.service.ts'
import {
  type CheckpointRow,
  type ProvedSeal,
  proveSeals,
  proveSealsOfMany,
  proveSizes,
} from '#server/features/proofs/log.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openForReaders } from './letter-fields.service.ts'
import { type OpenedCommitment, openCommitted } from './letters.service.ts'

/**
 * The seal of a revelation for a viewer who may know of it, and what opens its commitment for one who may read the letter, by
 * the same gate as the revelation itself.
 */
export async function getProof(ctx: AppContext, viewer: Viewer, id: string): Promise<AnyProof> {
  const { proof } = await readVisible(ctx, viewer, id, async (known) => {
    const { envelope, relation } = known
    const sizes = await listMailedSizes(ctx, known)
    return prove(ctx, envelope, grantReader(relation, envelope, ctx.now()), sizes)
  })
  return proof
}

/**
 * With what leads to its checkpoint from those of these sizes. `isWhole` unless the envelope is no longer the last version, or a
 * letter that may be read does not open.
 */
export async function prove(
  ctx: AppContext,
  envelope: EnvelopeRow,
  right: ReadingRight | undefined,
  sizes: readonly number[] = [],
): Promise<{ proof: AnyProof; isWhole: boolean }> {
  const { checkpoint, seals } = await proveSeals(ctx, envelope.id)
  const opened = right && (await openCommitted(ctx, right, [envelope])).get(envelope.id)
  const proof = proofOf({ envelope, checkpoint, seals, opened })
  await addConsistency(ctx, proof, sizes, checkpoint)
  return { proof, isWhole: isLast(envelope, seals) && (!right || opened !== undefined) }
}

/** Brings along what leads to the checkpoint of a proof from those of these sizes. */
export async function addConsistency(
  ctx: AppContext,
  proof: AnyProof,
  sizes: readonly number[],
  checkpoint: CheckpointRow | undefined,
): Promise<void> {
  const consistency = await proveSizes(ctx, sizes, checkpoint)
  if (consistency.length > 0) proof.consistency = consistency
}

/** The proofs of letters that one right opens, by their ids, for one checkpoint; without those that are gone. */
export async function proveMany(
  ctx: AppContext,
  envelopes: readonly EnvelopeRow[],
  right: ReadingRight,
  checkpoint: CheckpointRow | undefined,
): Promise<Map<string, AnyProof>> {
  const ids = envelopes.map(({ id }) => id)
  const [proved, letters] = await Promise.all([
    proveSealsOfMany(ctx, ids, checkpoint),
    openCommitted(ctx, right, envelopes),
  ])
  return new Map(
    envelopes.flatMap((envelope) => {
      const seals = proved.get(envelope.id)
      const opened = letters.get(envelope.id)
      return seals ? [[envelope.id, proofOf({ envelope, checkpoint, seals, opened })]] : []
    }),
  )
}

/** The text of the file in which a proof is mailed and archived. */
export function formatProof(proof: AnyProof): string {
  return `${JSON.stringify(proof, null, 2)}\n`
}

/** Whether the last version is the one that the envelope is of. */
function isLast({ commitment }: EnvelopeRow, seals: readonly ProvedSeal[]): boolean {
  const last = seals.findLast(({ kind }) => kind !== 'change')
  return last?.commitment.equals(commitment) === true
}

/** What was sealed of a revelation, for one checkpoint. */
export function proofOf({
  checkpoint,
  ...parts
}: Omit<Parts, 'log'> & { checkpoint: CheckpointRow | undefined }): AnyProof {
  const { envelope, seals } = parts
  const log = { key: checkpoint?.logKey ?? null, checkpoint: checkpoint?.note ?? null }
  const opened = isLast(envelope, seals) ? parts.opened : undefined
  const isOfBefore = seals.every(({ format }) => format === 1)
  // Those of before format 2 are told as they were then, for ever.
  return isOfBefore ? proofV1Of({ ...parts, opened, log }) : proofV2Of({ ...parts, opened, log })
}

interface Parts {
  envelope: EnvelopeRow
  log: Pick<Proof, 'key' | 'checkpoint'>
  seals: readonly ProvedSeal[]
  opened: OpenedCommitment | undefined
}

function proofV1Of({ envelope, log, seals, opened }: Parts): Proof {
  const opening = openingOf(envelope, opened)
  return {
    format: PROOF_FORMAT,
    revelation_id: envelope.id,
    ...log,
    versions: seals.map(({ version, kind, sealedAt, commitment, index, inclusion }) => ({
      version,
      kind: kind === 'create' ? 'create' : 'edit',
      sealed_at: sealedAt.toISOString(),
      commitment: commitment.toString('hex'),
      leaf: index,
      inclusion,
    })),
    opening: opening && { author_id: envelope.authorId, ...opening },
  }
}

function proofV2Of({ envelope, log, seals, opened }: Parts): ProofV2 {
  const last = seals.findLastIndex(({ kind }) => kind !== 'change')
  const blinding = seals.at(-1)?.blinding
  if (!blinding) throw new Error(`Nothing tells whose the leaves of ${envelope.id} are`)
  return {
    format: PROOF_FORMAT_2,
    ...log,
    revelation_id: envelope.id,
    author_id: envelope.authorId,
    blinding: blinding.toString('hex'),
    leaves: seals.map((seal, at) => leafOf(seal, at === last ? opened : undefined)),
    opening: openingOf(envelope, opened),
  }
}

/** In the order of its schema, in which it is answered and saved. */
function leafOf(seal: ProvedSeal, opened: OpenedCommitment | undefined): ProofLeaf {
  const { version, sealedAt, index, inclusion, commitment } = seal
  const kind = seal.kind === 'delete' ? 'edit' : seal.kind
  const place = { sealed_at: sealedAt.toISOString(), index, inclusion }
  if (seal.format === 1) {
    const kindOfV1 = kind === 'create' ? 'create' : 'edit'
    return { version, ...place, format: 1, kind: kindOfV1, commitment: commitment.toString('hex') }
  }
  const disclosed = seal.fields ?? []
  const fields = opened?.format === 2 ? openForReaders(disclosed, opened) : [...disclosed]
  return { version, ...place, format: 2, kind, fields }
}

/** What opens a commitment of format 1. */
function openingOf(
  envelope: EnvelopeRow,
  opened: OpenedCommitment | undefined,
): ProofV2['opening'] {
  if (opened?.format !== 1) return null
  return {
    title: envelope.title.normalize('NFC'),
    content: opened.content.normalize('NFC'),
    reveal_date: envelope.revealAt.toISOString(),
    salt: opened.salt.toString('hex'),
    file_sha256: opened.files[0]?.sha256.toString('hex') ?? null,
  }
}
