import { openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import type { AppContext } from '#server/context.ts'
import type { Checked } from '#server/platform/sealing/checked.ts'
import { appendLeaf, type Frontier, rootOf } from './frontier.rules.ts'
import { leafHashOf } from './growth.service.ts'
import { findSetBack } from './high-water-mark.service.ts'
import { countLostSeals, listLeaves } from './log.repository.ts'
import { lastCheckpoint } from './log.service.ts'

const PAGE = 2_000
const HASH_BYTES = 32

/** Computes every leaf and the tree anew from the seals: the root must be the one that was signed last. */
export async function* checkLog(ctx: AppContext): AsyncGenerator<Checked> {
  const last = await lastCheckpoint(ctx)
  const frontier: Frontier = { size: 0, tiles: [] }
  while (frontier.size < (last?.size ?? 0)) {
    const page = await listLeaves(ctx.db, frontier.size, PAGE)
    if (page.length === 0) break
    for (const leaf of page.slice(0, (last?.size ?? 0) - frontier.size)) {
      const isNext = leaf.leafIndex === frontier.size
      const isSame = leaf.hash.equals(leafHashOf(leaf))
      appendLeaf(frontier, leaf.hash)
      const checked = { name: `leaf ${leaf.leafIndex}`, sizeBytes: HASH_BYTES }
      if (isNext && isSame) yield checked
      else yield { ...checked, problem: 'it is not what was sealed, or not in its place' }
    }
  }
  yield* checkHead(ctx, frontier)
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
