import { createHash } from 'node:crypto'
import { base64Of } from '#contract/proofs/bytes.ts'
import { parseLogKey } from '#contract/proofs/checkpoint.ts'
import { verifyProof } from '#contract/proofs/verify-proof.ts'
import { itemOf, leafIn, logOfItems, proofOf } from '#contract/test/log.ts'
import { readConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import { growLog } from '#server/features/proofs/growth.service.ts'
import { lastCheckpoint, proveInclusion } from '#server/features/proofs/log.service.ts'
import { hooks } from '#server/hooks.ts'
import { createLog } from '#server/platform/log.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'

/** The time a log needs to grow by so many leaves, and a verifier to accept every one, beside plain SHA-256. */
export async function run({ items }: Options, atEnd: AtEnd): Promise<void> {
  console.log(`${describeMachine()}\n${items} items.\n`)
  const rows: Record<string, object> = {}
  async function time(name: string, work: () => Promise<unknown> | unknown): Promise<void> {
    const startedAt = performance.now()
    await work()
    const ms = performance.now() - startedAt
    rows[name] = {
      seconds: Math.round(ms / 100) / 10,
      'µs an item': Math.round((ms * 10_000) / items) / 10,
    }
    console.log(`${name}: ${Math.round(ms / 100) / 10} s`)
  }
  let bytes: Uint8Array[] = []
  await time('making the items and a log in memory', () => {
    bytes = Array.from({ length: items }, (_, number) => leafIn(itemOf(number)))
  })
  await time('SHA-256 of the same leaves, by OpenSSL', () => {
    for (const leaf of bytes) createHash('sha256').update(leaf).digest()
  })
  await time('verifying every item', () => verifyAll(items))
  await growOnServer(items, time, atEnd)
  console.table(rows)
}

function verifyAll(items: number): void {
  const log = logOfItems(items)
  if (!parseLogKey(log.key)) throw new Error('The key of the log cannot be read')
  for (let number = 0; number < items; number += 1) {
    const item = itemOf(number)
    const { state } = verifyProof(proofOf(log, item, number), { fileSha256: item.facts.fileSha256 })
    if (state !== 'passed') throw new Error(`Item ${number} was refused`)
  }
}

async function growOnServer(
  items: number,
  time: (name: string, work: () => Promise<unknown>) => Promise<void>,
  atEnd: AtEnd,
): Promise<void> {
  const dataDir = await createFolder(atEnd)
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0' })
  const ctx = await createContext(config, { log: createLog('silent'), jobs: [], hooks })
  atEnd(() => ctx.close())
  await ctx.pool.query(
    `insert into seals (revelation_id, version, kind, commitment, sealed_at, identity, former)
     select gen_random_uuid(), 1, 'create', sha256(n::text::bytea), now(), sha256(n::text::bytea), ''
     from generate_series(1, $1::integer) n`,
    [items],
  )
  await time('the server: leaves, tiles and checkpoint', () => growLog(ctx))
  const last = await lastCheckpoint(ctx)
  if (last?.size !== items) throw new Error('The log did not grow by all of them')
  console.log(`root ${base64Of(last.root)}`)
  await time('the server: an inclusion proof of every hundredth', async () => {
    for (let leaf = 0; leaf < items; leaf += 100) await proveInclusion(ctx, leaf, items)
  })
}
