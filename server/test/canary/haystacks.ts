import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Db } from '#server/platform/database/database.ts'
import type { Needle } from './needles.ts'

/** A place where something could lie about. */
export interface Haystack {
  name: string
  bytes: Buffer
}

/** Which needles lie where. */
export function search(haystacks: readonly Haystack[], needles: readonly Needle[]): string[] {
  return haystacks.flatMap(({ name, bytes }) =>
    needles
      .filter((needle) => bytes.includes(needle.bytes))
      .map((needle) => `${needle.name} in ${name}`),
  )
}

/** Every file of a folder, with its path, and its name among what is searched. */
export async function filesIn(folder: string): Promise<Haystack[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return { name: file, bytes: Buffer.concat([Buffer.from(file), await readFile(file)]) }
    }),
  )
}

/** Every row of every table, the queue’s among them: as text, and what is binary also as it is. */
export async function tablesOf(db: Db): Promise<Haystack[]> {
  const plain = db.withoutPlugins()
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
  `.execute(plain)
  return Promise.all(
    tables.map(async ({ schema, name }) => {
      const table = sql.table(`${schema}.${name}`)
      const { rows } = await sql<Record<string, unknown>>`
        select ${sql.ref(name)}.*, ${sql.ref(name)}::text as whole_row from ${table}
      `.execute(plain)
      const values = rows.flatMap((row) => Object.values(row)).map(bytesOf)
      return { name: `table ${schema}.${name}`, bytes: Buffer.concat(values) }
    }),
  )
}

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  return Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/** No right to read the folder, or to ask the server where it is. */
const NOT_OURS = ['EACCES', 'EPERM', '42501']

/**
 * The files PostgreSQL wrote since an instant for this database: rows that are gone, and its journal, are there too.
 * Empty when the server’s folder is not ours to read.
 */
export async function databaseFiles(db: Db, since: Date): Promise<Haystack[]> {
  const { host, port, admin } = inject('testServer')
  const { rows } = await sql<{ oid: string }>`
    select oid::text from pg_database where datname = current_database()
  `.execute(db)
  const client = new pg.Client({ host, port, ...admin })
  await client.connect()
  try {
    await client.query('checkpoint')
    const answer = await client.query('show data_directory')
    const root = String(answer.rows[0]?.data_directory)
    const folders = [`base/${rows[0]?.oid}`, 'pg_wal', 'base/pgsql_tmp']
    const found = await Promise.all(
      folders.map((folder) => changedFiles(path.join(root, folder), since)),
    )
    return found.flat()
  } catch (error) {
    if (NOT_OURS.includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  } finally {
    await client.end()
  }
}

async function changedFiles(folder: string, since: Date): Promise<Haystack[]> {
  const entries = await unlessGone(readdir(folder, { withFileTypes: true }))
  const found: Haystack[] = []
  for (const entry of entries ?? []) {
    const file = path.join(folder, entry.name)
    // Other tests use the same server: what they drop may vanish under our eyes.
    const facts = entry.isFile() ? await unlessGone(stat(file)) : undefined
    const bytes = facts && facts.mtime >= since ? await unlessGone(readFile(file)) : undefined
    if (bytes) found.push({ name: file, bytes })
  }
  return found
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
