import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Db } from '#server/platform/database/db.ts'

/** A place where a secret could lie. */
export interface Haystack {
  name: string
  bytes: Buffer
}

/** « <needle> in <place> » for each needle found. */
export function search(haystacks: readonly Haystack[], needles: readonly Needle[]): string[] {
  return haystacks.flatMap(({ name, bytes }) =>
    needles
      .filter((needle) => bytes.includes(needle.bytes))
      .map((needle) => `${needle.name} in ${name}`),
  )
}

/** Every file of a folder; its path is searched too. */
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

/** Every row of every table, the queue’s too: as text, and binary values also as bytes. */
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

/** Errors without the right to read the folder, or to query its place. */
const NOT_OURS = ['EACCES', 'EPERM', '42501']

/**
 * The files PostgreSQL wrote for this database since an instant, with deleted rows and its journal. Empty when the folder
 * of the server is not readable.
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
    // Other tests use the same server and may drop their files meanwhile.
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

/** A secret that must not be found, in one of its forms. */
export interface Needle {
  /** The secret and its form, for the message of a failure. */
  name: string
  bytes: Buffer
}

/** A text in every form in which it could be stored. */
export function formsOfText(text: string): Needle[] {
  const needles = [
    ...formsOfBytes(text, Buffer.from(text)),
    ...formsOfBytes(`${text}, decomposed`, Buffer.from(text.normalize('NFD'))),
    ...formsOfBytes(`${text}, UTF-16`, Buffer.from(text, 'utf16le')),
    ...formsOfBytes(`${text}, UTF-16 BE`, Buffer.from(text, 'utf16le').swap16()),
    { name: `${text}, latin-1`, bytes: Buffer.from(text, 'latin1') },
    { name: `${text}, in an address`, bytes: Buffer.from(encodeURIComponent(text)) },
    {
      name: `${text}, in a form`,
      bytes: Buffer.from(new URLSearchParams({ text }).toString().slice(5)),
    },
    { name: `${text}, lower case`, bytes: Buffer.from(text.toLowerCase()) },
    { name: `${text}, without accents`, bytes: Buffer.from(unaccented(text)) },
  ]
  return [...new Map(needles.map((needle) => [needle.bytes.toString('hex'), needle])).values()]
}

function unaccented(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Bytes as they are, in hexadecimal and in base64 wherever in it they begin. */
export function formsOfBytes(name: string, bytes: Buffer): Needle[] {
  const hex = bytes.toString('hex')
  return [
    { name, bytes },
    { name: `${name}, hex`, bytes: Buffer.from(hex) },
    { name: `${name}, HEX`, bytes: Buffer.from(hex.toUpperCase()) },
    ...[0, 1, 2].flatMap((offset) => {
      const inside = base64Inside(bytes, offset)
      const url = inside.replaceAll('+', '-').replaceAll('/', '_')
      return [...new Set([inside, url])].map((text) => ({
        name: `${name}, base64 at ${offset}`,
        bytes: Buffer.from(text),
      }))
    }),
  ]
}

/** The base64 characters that depend on these bytes alone when `offset` others precede them. */
function base64Inside(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const start = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  return whole.slice(start, end)
}

/** Pieces from all over a file, long enough never to occur by chance. */
export function piecesOf(name: string, bytes: Buffer, count = 6): Needle[] {
  const length = 24
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor(((bytes.length - length) * index) / (count - 1))
    return bytes.subarray(start, start + length)
  })
    .filter((piece) => new Set(piece).size > 12)
    .flatMap((piece, index) => formsOfBytes(`piece ${index + 1} of ${name}`, piece))
}
