import { openCheckpoint, parseLogKey, readCheckpoint } from '#contract/proofs/checkpoint.ts'
import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import type { Checked } from '#server/platform/sealing/checked.ts'
import { appendLeaf, type Frontier, rootOf } from './frontier.rules.ts'
import { findSetBack } from './high-water-mark.service.ts'
import { formerOf, leafHashOf } from './leaves.rules.ts'
import {
  type CheckpointRow,
  countLostSeals,
  findCheckpoint,
  findV2From,
  type LeafRow,
  listCheckpoints,
  listKeys,
  listLeaves,
} from './log.repository.ts'
import { lastCheckpoint } from './log.service.ts'
import { formerKeysOf } from './log-keys.rules.ts'
import { listSealsOf, type OwnedSeal } from './seals.repository.ts'

const PAGE = 2_000
const HASH_BYTES = 32
/** Machines agree on the time but for a little. */
const CLOCK_MS = 60_000

/** Computes every leaf and the tree anew from the seals: the root must be the one that was signed last. */
export async function* checkLog(ctx: AppContext): AsyncGenerator<Checked> {
  const last = await lastCheckpoint(ctx)
  const v2From = await findV2From(ctx.db)
  const frontier: Frontier = { size: 0, tiles: [] }
  while (frontier.size < (last?.size ?? 0)) {
    const page = await listLeaves(ctx.db, frontier.size, PAGE)
    if (page.length === 0) break
    const earlier = await listEarlier(ctx, page)
    for (const leaf of page.slice(0, (last?.size ?? 0) - frontier.size)) {
      const isNext = leaf.leafIndex === frontier.size
      const isSame = leaf.hash.equals(leafHashOf(leaf))
      const isOfAge = (leaf.format === 2) === leaf.leafIndex >= v2From
      const isNextOfIts = isBound(leaf, earlier.get(leaf.revelationId) ?? [])
      appendLeaf(frontier, leaf.hash)
      const checked = { name: `leaf ${leaf.leafIndex}`, sizeBytes: HASH_BYTES }
      if (!isNext || !isSame)
        yield { ...checked, problem: 'it is not what was sealed, or not in its place' }
      else if (!isOfAge) yield { ...checked, problem: 'it is of the format of another age' }
      else if (!isNextOfIts) yield { ...checked, problem: 'it does not follow the one before it' }
      else yield checked
    }
  }
  yield* checkHead(ctx, frontier)
  yield* checkCheckpoints(ctx, v2From)
  yield* checkKeys(ctx)
}

async function listEarlier({ db }: AppContext, page: readonly LeafRow[]) {
  const ids = new Set(page.map(({ revelationId }) => revelationId))
  return Map.groupBy(await listSealsOf(db, [...ids]), ({ revelationId }) => revelationId)
}

/** Whether a leaf names the one before it, and the same revelation. */
function isBound(leaf: LeafRow, seals: readonly OwnedSeal[]): boolean {
  if (leaf.format === 1) return true
  const earlier = seals.filter(({ position }) => position < leaf.position)
  const named = earlier.at(-1)?.identity
  const isSameRevelation = !named || leaf.identity?.equals(named) === true
  return isSameRevelation && leaf.former?.equals(formerOf(earlier)) === true
}

async function* checkHead(ctx: AppContext, frontier: Frontier): AsyncGenerator<Checked> {
  const lost = await countLostSeals(ctx.db)
  if (lost > 0) {
    yield { name: 'the log', sizeBytes: 0, problem: `${lost} seals are neither in it nor waiting` }
  }
  const setBack = await findSetBack(ctx)
  if (setBack !== undefined) yield { name: 'the log', sizeBytes: 0, problem: setBack }
  const last = await lastCheckpoint(ctx)
  if (!last || last.size !== frontier.size) return
  const key = parseLogKey(last.logKey)
  const signed = key && openCheckpoint(last.note, key)
  const root = Buffer.from(rootOf(frontier))
  const checked = { name: `checkpoint ${last.size}`, sizeBytes: last.note.length }
  if (signed?.size === last.size && root.equals(signed.root)) yield checked
  else
    yield { ...checked, problem: 'its root is not that of the leaves, or its signature is wrong' }
}

/** The dates that were signed: they never fall, none is of the future, and once there is one, all have one. */
async function* checkCheckpoints(ctx: AppContext, v2From: number): AsyncGenerator<Checked> {
  const pages = listPages<CheckpointRow>(PAGE, (after, limit) =>
    listCheckpoints(ctx.db, after?.size ?? 0, limit),
  )
  const keys = (await listKeys(ctx.db)).map(({ logKey }) => logKey)
  let former: string | undefined
  for await (const page of pages) {
    for (const { size, note, signedAt, logKey } of page) {
      const name = `checkpoint ${size}`
      const signed = readCheckpoint(note)
      const date = signed?.dated?.signedAt
      if (signed?.size !== size || (!date && former !== undefined))
        yield { name, sizeBytes: 0, problem: 'its note is not what was signed' }
      if (!keys.includes(logKey))
        yield { name, sizeBytes: 0, problem: 'it names a key that is not one of the log' }
      if (!date) continue
      const isRight = date === signedAt.toISOString() && signed.dated?.v2From === v2From
      if (!isRight || date < (former ?? ''))
        yield { name, sizeBytes: 0, problem: 'its date is not right after the one before it' }
      if (signedAt.getTime() > ctx.now().getTime() + CLOCK_MS)
        yield { name, sizeBytes: 0, problem: 'it is dated ahead of the clock' }
      former = date
    }
  }
}

/** Each key but the first names the one before it with its last checkpoint, and both signed that. */
async function* checkKeys({ db }: AppContext): AsyncGenerator<Checked> {
  let before: string | undefined
  for (const { number, logKey, statement } of await listKeys(db)) {
    const last = formerKeysOf({ logKey, statement })?.at(-1)
    const signed = last && (await findCheckpoint(db, last.size))
    const isRight =
      before === undefined
        ? statement === null
        : last?.key === before && signed?.logKey === before && signed.root.equals(last.root)
    if (!isRight) {
      const problem = 'its statement is not signed, or not about the key before it'
      yield { name: `log key ${number}`, sizeBytes: 0, problem }
    }
    before = logKey
  }
}
