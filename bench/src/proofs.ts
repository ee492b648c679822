import { createHash } from 'node:crypto'
import { base64Of, hexOf } from '#contract/proofs/bytes.ts'
import { knownLogOf } from '#contract/proofs/known-log.ts'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { verify } from '#contract/proofs/verify.ts'
import { fieldsWith, letterOf, proofV2Of, seal } from '#contract/test/letters.ts'
import { itemOf, leafIn, logOfItems, proofOf, TestLog } from '#contract/test/log.ts'
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
    note(name, performance.now() - startedAt)
  }
  function note(name: string, ms: number): void {
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
  const verifying = { items: 0, letters: 0 }
  await time('verifying every item of format 1, with what makes its proof', () => {
    verifying.items = verifyItems(items)
  })
  note('of which verifying', verifying.items)
  await time('verifying every letter of format 2, with what makes its proof', () => {
    verifying.letters = verifyLetters(items)
  })
  note('of which verifying it', verifying.letters)
  await growOnServer(items, time, atEnd)
  console.table(rows)
}

/** Answers the milliseconds of the verifier alone. */
function verifyItems(items: number): number {
  const log = logOfItems(items)
  const verifyOne = verifierOf(log)
  let ms = 0
  for (let number = 0; number < items; number += 1) {
    const item = itemOf(number)
    ms += verifyOne(proofOf(log, item, number), item.facts.fileSha256)
  }
  return ms
}

/** The same of letters that say what the items say. */
function verifyLetters(items: number): number {
  const log = new TestLog()
  const letters = Array.from({ length: items }, (_, number) => {
    const { facts, sealedAt } = itemOf(number)
    const letter = { ...letterOf(`letter ${number}`), id: facts.id, authorId: facts.authorId }
    const sha256 = facts.fileSha256 && hexOf(facts.fileSha256)
    const fields = fieldsWith({
      title: { type: 'text', value: facts.title },
      content: { type: 'text', value: facts.content },
      reveal_at: { type: 'instant', value: facts.revealAt },
      ...(sha256 && { files: { type: 'files', value: [{ sha256, label: '' }] } }),
    })
    seal(log, letter, { kind: 'create', version: 1, sealedAt, fields })
    return letter
  })
  const verifyOne = verifierOf(log)
  const dated = { signedAt: itemOf(items).sealedAt, v2From: 0 }
  let ms = 0
  for (const [number, letter] of letters.entries())
    ms += verifyOne(proofV2Of(log, letter, { dated }), itemOf(number).facts.fileSha256)
  return ms
}

function verifierOf({ key }: TestLog) {
  const context = { known: knownLogOf(key, null), now: new Date('2099-01-01'), isOnlyProof: true }
  return (proof: AnyProof, file: Uint8Array | undefined): number => {
    const files = file ? [file] : []
    const startedAt = performance.now()
    const { state } = verify(proof, { ...context, files })
    const ms = performance.now() - startedAt
    if (state !== 'proved') throw new Error('A proof was refused')
    return ms
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
