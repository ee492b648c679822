import { cp, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { FileType } from '#contract/revelations.ts'
import { readPath } from '#server/features/media/file-names.rules.ts'
import type { Db } from '#server/platform/database/db.ts'
import { type EventPage, openPage } from '#testing/event-page.ts'
import { relate, verifyEmail } from '#testing/factories.ts'
import { picture } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { type FileToSend, uploadFile } from '#testing/uploads.ts'
import { type Send, sendCall } from './calls.ts'
import { lockedFile, type Pair, sharedFile, type WorldName } from './secrets.ts'

export const ROLES = ['author', 'friend', 'family', 'addressee', 'claimant', 'stranger'] as const
export type Role = (typeof ROLES)[number]

export interface Member extends Person {
  sessionId: string
}

export const START = new Date('2026-11-20T12:00:00.000Z')

/** A file that the author has sent and that no revelation uses yet. */
export interface StockFile {
  url: string
  id: string
  kind: FileType
  extension: string
  jobIds: string[]
}

/** Uploaded once: ffmpeg needs seconds to prepare these files. */
export type StockName =
  | 'locked video'
  | 'locked audio'
  | 'locked image'
  | 'locked page'
  | 'other locked page'
  | 'shared audio'
  | 'locked voice'
  | 'locked voice of a seal'
  | 'other locked voice'
  | 'open voice'
const STOCK: Record<StockName, (world: WorldName) => Promise<FileToSend>> = {
  'locked video': (world) => lockedFile(world, 'video', 0),
  'locked audio': (world) => lockedFile(world, 'audio', 0),
  'locked image': (world) => lockedFile(world, 'image', 0),
  'locked page': (world) => lockedFile(world, 'document', 0),
  'other locked page': (world) => lockedFile(world, 'document', 1),
  'shared audio': () => sharedFile('audio', 0),
  'locked voice of a seal': (world) => lockedFile(world, 'audio', 1),
  'locked voice': (world) => lockedFile(world, 'audio', 0),
  'other locked voice': (world) => lockedFile(world, 'audio', 1),
  'open voice': () => sharedFile('audio', 1),
}

export interface World {
  name: WorldName
  server: TestApp
  people: Record<Role, Member>
  stock: Record<StockName, StockFile>
  /** The address of the picture the author wears, the same in both worlds. */
  avatarOfAuthor: string
  /** Lines of the log since the last comparison. */
  log: string[]
  /** One request; a planted leak wraps it. */
  send: Send
  /** A page of this person that watches; a planted leak changes its events. */
  openPage(as: Person, watch: readonly string[]): Promise<EventPage>
}

export interface Worlds extends Pair<World> {
  /** Restores the start: people, sessions and stock, no revelation. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Starts both servers at the same instant, with the same people. */
export async function openWorlds(): Promise<Worlds> {
  const [a, b] = await Promise.all([openWorld('A'), openWorld('B')])
  const both = [a, b]
  return {
    A: a.world,
    B: b.world,
    async reset() {
      await Promise.all(both.map(({ reset }) => reset()))
    },
    async close() {
      await Promise.all(both.map(({ world }) => world.server.close()))
    },
  }
}

async function openWorld(name: WorldName): Promise<{ world: World; reset(): Promise<void> }> {
  const log: string[] = []
  const server = await startTestServer({
    now: START,
    log: { write: (line: string) => void log.push(line) },
  })
  const people = await settlePeople(server)
  const avatarOfAuthor = await wearPicture(server, people.author)
  const stock = await fillStock(server, name, people.author)
  const origin = await server.listen()
  const snapshot = await createSnapshot(server)
  const world: World = {
    name,
    server,
    people,
    stock,
    avatarOfAuthor,
    log,
    send: (call) => sendCall(server.app, call),
    openPage: (as, watch) => openPage(origin, as, watch),
  }
  const first = structuredClone(people)
  return { world, reset: () => resetWorld(world, first, snapshot) }
}

async function settlePeople(server: TestApp): Promise<Record<Role, Member>> {
  const members = await Promise.all(ROLES.map((role) => join(server, role)))
  const people = Object.fromEntries(members) as Record<Role, Member>
  await relate(server, people.author, people.friend, 'friend')
  await relate(server, people.author, people.family, 'family')
  // Not the claimant and the stranger: the others receive mails about the revelations they can see.
  for (const role of ['author', 'friend', 'family', 'addressee'] as const) {
    await verifyEmail(server, people[role])
  }
  return people
}

async function join(server: TestApp, role: Role): Promise<[Role, Member]> {
  const person = await signedIn(server, { pseudo: role, email: `${role}@exemple.test` })
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: person.id, plan: 'unlimited' })
    .execute()
  return [role, { ...person, sessionId: await findSessionId(server, person) }]
}

async function wearPicture(server: TestApp, person: Person): Promise<string> {
  const { url } = await uploadFile(server, person, { bytes: await picture('png') })
  const { body } = await server.call('PUT', '/api/auth/profile', {
    as: person,
    body: { avatar_url: url },
  })
  return body.user.avatar_url
}

export async function findSessionId(server: TestApp, person: Person): Promise<string> {
  const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
  return body.sessions.find((session: { current: boolean }) => session.current).id
}

async function fillStock(server: TestApp, name: WorldName, author: Person) {
  const stock: Partial<World['stock']> = {}
  for (const [stockName, sample] of Object.entries(STOCK) as [
    StockName,
    (typeof STOCK)[StockName],
  ][]) {
    stock[stockName] = stockFileOf(await uploadFile(server, author, await sample(name)))
  }
  await server.runJobs()
  // No sweep deletes it, however long a trace waits.
  const later = new Date(START.getTime() + 365 * 86_400_000)
  await server.ctx.db.updateTable('media').set({ createdAt: later }).execute()
  return stock as World['stock']
}

/** The answer of an upload, as a file of the stock. */
export function stockFileOf(result: {
  url: string
  path: string
  processing: { jobs: { jobId: string }[] }
}): StockFile {
  const id = readPath(result.path)?.mediaId
  if (!id) throw new Error(`Not the path of a file: ${result.path}`)
  const [folder, extension = ''] = [result.path.split('/')[0], result.path.split('.').at(-1)]
  const kinds: Record<string, FileType> = { videos: 'video', images: 'image', audio: 'audio' }
  const jobIds = result.processing.jobs.map(({ jobId }) => jobId)
  return { url: result.url, id, kind: kinds[folder ?? ''] ?? 'document', extension, jobIds }
}

async function resetWorld(
  world: World,
  first: Record<Role, Member>,
  snapshot: Snapshot,
): Promise<void> {
  const { server } = world
  await snapshot.restore()
  const files = path.join(server.ctx.config.dataDir, 'files')
  await rm(path.join(files, 'media'), { recursive: true, force: true })
  await cp(snapshot.files, files, { recursive: true })
  world.people = structuredClone(first)
  server.clock.now = START
  server.mailbox.all.length = 0
  world.log.length = 0
}

interface Snapshot {
  /** A copy of the stored files. */
  files: string
  /** Restores every table. */
  restore(): Promise<void>
}

const COPY = 'snapshot'
const GROWING = ['seals', 'log_format', 'log_keys', 'log_leaves', 'log_tiles', 'log_checkpoints']

/** Copies the rows of every table and the stored files, so that each trace starts from the same point. */
async function createSnapshot({ ctx }: TestApp): Promise<Snapshot> {
  const db = ctx.db.withoutPlugins()
  const tables = await listTables(db)
  await sql`create schema ${sql.id(COPY)}`.execute(db)
  for (const table of tables) {
    await sql`create table ${sql.table(`${COPY}.${table}`)} as table ${sql.table(table)}`.execute(
      db,
    )
  }
  // Inside DATA_DIR, so that it goes when the server closes.
  const files = await mkdtemp(path.join(ctx.config.dataDir, 'snapshot-'))
  await cp(path.join(ctx.config.dataDir, 'files'), files, { recursive: true })
  const columnsOf = await listWrittenColumns(db)
  const all = sql.join(tables.map((table) => sql.table(table)))
  return {
    files,
    async restore() {
      await db.transaction().execute(async (tx) => {
        // Tables that only grow are restored too; the rows of their triggers are among the copies.
        for (const table of GROWING) await switchTriggers(tx, table, 'disable')
        await sql`truncate ${all} restart identity`.execute(tx)
        await sql`delete from pgboss.job`.execute(tx)
        for (const table of tables) {
          const copy = sql.table(`${COPY}.${table}`)
          const columns = sql.join((columnsOf.get(table) ?? []).map((column) => sql.id(column)))
          await sql`
            insert into ${sql.table(table)} (${columns}) overriding system value
            select ${columns} from ${copy}`.execute(tx)
        }
        for (const table of GROWING) await switchTriggers(tx, table, 'enable')
      })
    },
  }
}

async function switchTriggers(db: Db, table: string, to: 'enable' | 'disable') {
  await sql`alter table ${sql.table(table)} ${sql.raw(to)} trigger user`.execute(db)
}

/** The columns of each table, without generated ones. */
async function listWrittenColumns<T>(db: Kysely<T>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER'
    group by table_name`.execute(db)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Every table of the product, each after those it refers to. */
async function listTables<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ name: string; parents: string[] }>`
    select c.relname as name, array(
      select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid
    ) as parents
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('kysely_migration', 'kysely_migration_lock')
    order by c.relname
  `.execute(db)
  const placed = new Set<string>()
  while (placed.size < rows.length) {
    const next = rows.find(
      ({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)),
    )
    if (!next) throw new Error('Tables refer to each other in a circle')
    placed.add(next.name)
  }
  return [...placed]
}
