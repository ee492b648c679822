import { afterEach, beforeEach, expect, it } from 'vitest'
import { StartError } from '#server/platform/start-error.ts'
import { createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { CHECKPOINT_EVERY_MS, growLog } from './growth.service.ts'
import { findSetBack, requireLogNotSetBack } from './high-water-mark.service.ts'

let server: TestApp
let author: Person

beforeEach(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  await seal()
  await seal()
  await requireLogNotSetBack(server.ctx)
})
afterEach(() => server.close())

/** One letter, and the log that holds it. */
async function seal(): Promise<void> {
  await createRevelation(server, author)
  server.clock.advance(CHECKPOINT_EVERY_MS)
  await growLog(server.ctx)
}

/** What whoever owns the database may do. */
async function asOwner(...statements: string[]): Promise<void> {
  const tables = ['seals', 'log_leaves', 'log_tiles', 'log_checkpoints', 'log_keys']
  for (const table of tables)
    await server.ctx.pool.query(`alter table ${table} disable trigger user`)
  for (const statement of statements) await server.ctx.pool.query(statement)
}

it('lets a log that only grew start, wherever another program grew it', async () => {
  await seal()
  await expect(requireLogNotSetBack(server.ctx)).resolves.toBeUndefined()
  expect(await findSetBack(server.ctx)).toBeUndefined()
})

it('refuses a log that was emptied', async () => {
  await asOwner(
    'delete from log_checkpoints',
    'delete from log_leaves',
    'delete from log_keys',
    'insert into log_pending select position from seals',
  )
  await expect(requireLogNotSetBack(server.ctx)).rejects.toThrow(
    'The log in this database is empty, but this installation signed a checkpoint of it',
  )
})

it('refuses a log that was set back', async () => {
  await asOwner(
    'delete from log_checkpoints where size = 2',
    'delete from log_leaves where leaf_index = 1',
    'insert into log_pending select max(position) from seals',
  )
  await expect(requireLogNotSetBack(server.ctx)).rejects.toThrow(
    'The log in this database has 1 leaves, but this installation signed one of 2',
  )
})

it('refuses a log that was begun anew and grew as far, signed with the same key', async () => {
  await asOwner(
    'delete from log_checkpoints',
    'delete from log_leaves',
    `update seals set sealed_at = sealed_at - interval '1 year'`,
    'insert into log_pending select position from seals',
  )
  // As by another program, which knows nothing of the mark.
  const config = { ...server.ctx.config, dataDir: `${server.ctx.config.dataDir}/elsewhere` }
  server.clock.advance(CHECKPOINT_EVERY_MS)
  await growLog({ ...server.ctx, config })
  const refused = requireLogNotSetBack(server.ctx)
  await expect(refused).rejects.toThrow(StartError)
  await expect(refused).rejects.toThrow('is not the one that this installation signed')
})
