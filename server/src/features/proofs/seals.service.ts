import { randomBytes } from 'node:crypto'
import { isAlwaysOpen } from '#contract/proofs/fields.ts'
import { identityOf, type LeafKind } from '#contract/proofs/leaf.ts'
import type { ProofField } from '#contract/proofs/proof.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { closeField } from './fields.rules.ts'
import { formerOf } from './leaves.rules.ts'
import {
  countSeals,
  findLatestInstant,
  insertFields,
  insertSeals,
  listFieldsOfVersions,
  listSealsOf,
  type OwnedSeal,
  storeBlindings,
  updateFields,
} from './seals.repository.ts'

/** What is appended for one revelation. */
export interface NewSeal {
  revelationId: string
  authorId: string
  kind: LeafKind
  version: number
  sealedAt: Date
  commitment: Buffer
  /** What a viewer of the envelope is told of it; nothing of a withdrawal. */
  fields?: readonly ProofField[]
}

const BLINDING_SIZE = 32

/** What stands for a revelation in its leaves, and what shows that it does to whoever sees the envelope. */
export function createIdentity({ id, authorId }: { id: string; authorId: string }): {
  identity: Buffer
  blinding: Buffer
} {
  const blinding = randomBytes(BLINDING_SIZE)
  return { identity: Buffer.from(identityOf(blinding, id, authorId)), blinding }
}

type Writer = Pick<AppContext, 'db' | 'now'>

/**
 * The date of what is sealed now: not before the last checkpoint, nor before the last seal of this revelation, so that a
 * clock that was set back makes no date that its place in the log contradicts.
 */
export async function sealingInstant(tx: Writer, revelationId?: string): Promise<Date> {
  return laterOf(tx.now(), await findLatestInstant(tx.db, revelationId))
}

/** A proof has room for a thousand leaves: the last are for narrowing what was revealed. */
const MAX_SEALS = 990

/** Refuses another version of a letter that has almost as many as a proof may hold: `too_many_versions`. */
export async function requireRoomForSeal(tx: Writer, revelationId: string): Promise<void> {
  if ((await countSeals(tx.db, revelationId)) >= MAX_SEALS) throw new AppError('too_many_versions')
}

/**
 * Appends a seal to each of these revelations, bound to the one before it: the only writer of `seals`. The caller holds the
 * locks of their rows, so that no two name the same one before them.
 */
export async function appendSeals(tx: Writer, seals: readonly NewSeal[]): Promise<void> {
  if (seals.length === 0) return
  const ids = seals.flatMap(({ kind, revelationId }) => (kind === 'create' ? [] : revelationId))
  const earlier = Map.groupBy(await listSealsOf(tx.db, ids), ({ revelationId }) => revelationId)
  const bound = seals.map((seal) => bind(seal, earlier.get(seal.revelationId) ?? []))
  // Nobody sees what is withdrawn: its blinding goes with its row.
  await storeBlindings(
    tx.db,
    bound.flatMap(({ row: { kind, revelationId }, blinding }) =>
      blinding && kind !== 'delete' ? [{ revelationId, blinding }] : [],
    ),
  )
  const positions = await insertSeals(
    tx.db,
    bound.map(({ row }) => row),
  )
  await closeEarlier(
    tx,
    seals.filter(({ kind }) => kind === 'edit'),
  )
  await insertFields(
    tx.db,
    seals.flatMap(({ revelationId, fields }) => {
      const position = positions.get(revelationId)
      return fields && position !== undefined ? [{ position, revelationId, fields }] : []
    }),
  )
}

function bind(
  { revelationId, authorId, kind, version, sealedAt, commitment }: NewSeal,
  earlier: readonly OwnedSeal[],
): { row: Omit<OwnedSeal, 'position'>; blinding: Buffer | undefined } {
  const last = earlier.at(-1)
  const created = last?.identity ? undefined : createIdentity({ id: revelationId, authorId })
  return {
    row: {
      ...{ revelationId, kind, version, commitment, format: 2 },
      // Of many that are withdrawn at once, one may have been sealed by a clock that was ahead.
      sealedAt: laterOf(sealedAt, last?.sealedAt ?? null),
      identity: last?.identity ?? created?.identity ?? null,
      former: formerOf(earlier),
    },
    blinding: created?.blinding,
  }
}

/** Of versions that another one replaces only audience and kind are told from now on: their other salts are forgotten. */
async function closeEarlier({ db }: Writer, edits: readonly NewSeal[]): Promise<void> {
  const ids = edits.map(({ revelationId }) => revelationId)
  for (const { position, fields } of await listFieldsOfVersions(db, ids)) {
    if (!fields.some(isToBeClosed)) continue
    const closed = fields.map((field) => (isToBeClosed(field) ? closeField(field) : field))
    await updateFields(db, { position, fields: closed })
  }
}

function isToBeClosed(field: ProofField): boolean {
  return !isAlwaysOpen(field.name) && !('hash' in field)
}

function laterOf(one: Date, other: Date | null): Date {
  return other && other > one ? other : one
}
