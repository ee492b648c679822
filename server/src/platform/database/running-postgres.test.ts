import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

it('finds PostgreSQL while a program runs it, for the role of the application, and not before or after', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'revelations-running-'))
  await expect(findRunningPostgres(dataDir)).rejects.toThrow('start it first')
  await expect(findRunningPostgres(path.join(dataDir, 'none'))).rejects.toThrow('start it first')
  const log = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false })
  const client = new pg.Client(await findRunningPostgres(dataDir))
  await client.connect()
  const { rows } = await client.query('select current_user as name')
  expect(rows).toEqual([{ name: 'revelations' }])
  await client.end()
  await postgres.stop()
  await expect(findRunningPostgres(dataDir)).rejects.toThrow('start it first')
  await rm(dataDir, { recursive: true })
})
