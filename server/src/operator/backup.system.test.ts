import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHECKPOINT_EVERY_MS, growLog } from '#server/features/proofs/growth.service.ts'
import { getManifest, listPath, readFileList } from '#server/platform/backups/backup-folder.ts'
import {
  type BackupTable,
  EXCLUDED_TABLES,
  findAnyTable,
  listBackupTables,
  listSequences,
} from '#server/platform/backups/backup-tables.ts'
import { createBackup } from '#server/platform/backups/create-backup.ts'
import { FILE_COLUMNS, listNamedFiles } from '#server/platform/backups/snapshot.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { startQueue } from '#server/platform/jobs/jobs.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { bareEnvironment, refusedStart } from '#testing/program.ts'
import { abandon, beginUpload, sendPart } from '#testing/resumable-uploads.ts'
import { storageEnvironment } from '#testing/s3-server.ts'
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database.ts'
import { signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { dumpOf, fillInstallation, type Installation } from '#testing/whole-installation.ts'

const NODE = path.resolve(import.meta.dirname, '../../../node_modules/.bin/node')

let server: TestApp
let installation: Installation
let folder: string
/** A backup of `server`, which each test copies before it spoils it. */
let backup: string
const databases: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-backup-'))
  // As an api process it does not look after the queue meanwhile, whose figures would change.
  server = await startTestServer({ config: { role: 'api' } })
  installation = await fillInstallation(server)
  backup = path.join(folder, 'backup')
  expect(await run('backup', [backup], here())).toMatchObject({ code: 0, stderr: '' })
})
afterAll(async () => {
  await server.close()
  for (const { drop } of databases) await drop()
  await rm(folder, { recursive: true, force: true })
})

type Environment = Record<string, string>

function environmentOf(dataDir: string, databaseUrl?: string): Environment {
  return {
    DATA_DIR: dataDir,
    ...storageEnvironment(dataDir),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
}

/** The installation that was filled. */
function here(): Environment {
  const { dataDir, databaseUrl } = server.ctx.config
  return environmentOf(dataDir, databaseUrl)
}

let places = 0

/** A place to restore into, with the master key in it. */
async function newPlace(kind: 'embedded' | 'server', withKey = true) {
  places += 1
  const dataDir = path.join(folder, `place-${places}`)
  if (withKey) await copyKey(server.ctx.config.dataDir, dataDir)
  if (kind === 'embedded') return { dataDir, env: environmentOf(dataDir) }
  const database = await createEmptyDatabase()
  databases.push(database)
  return { dataDir, url: database.url, env: environmentOf(dataDir, database.url) }
}

async function copyKey(from: string, to: string): Promise<void> {
  await cp(path.join(from, 'keys'), path.join(to, 'keys'), { recursive: true })
}

type Command = 'backup' | 'restore' | 'verify'

function start(
  command: Command,
  args: string[],
  env: Environment,
  nodeOptions: string[] = [],
): ChildProcess {
  const script = path.join(import.meta.dirname, `${command}.ts`)
  return spawn(NODE, [...nodeOptions, script, ...args], { env: { ...bareEnvironment(), ...env } })
}

async function run(command: Command, args: string[], env: Environment) {
  const child = start(command, args, env)
  let [out, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, out, stderr: stderr.trim() }
}

/** Runs a command that is killed as it says this: from here it would come too late on a busy machine. */
async function killAt(words: string, command: Command, args: string[], env: Environment) {
  const module = `
    const { stdout } = process
    const write = stdout.write.bind(stdout)
    stdout.write = (text, ...rest) => {
      if (String(text).includes(${JSON.stringify(words)})) process.kill(process.pid, 'SIGKILL')
      return write(text, ...rest)
    }`
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(module)}`]
  const child = start(command, args, env, preload)
  const [, signal] = await once(child, 'close')
  expect(signal).toBe('SIGKILL')
}

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** What a restore must give back. */
function dumpHere(): Promise<Record<string, string>> {
  return dumpWhole(server.ctx.pool)
}

function dumpAt(url: string): Promise<Record<string, string>> {
  return inDatabase(url, dumpWhole)
}

async function dumpWhole(client: Pick<pg.Client, 'query'>): Promise<Record<string, string>> {
  const tables = await listBackupTables(client)
  // A job that was under way is taken up again at once, and the worker makes letters searchable again.
  const changed = (table: BackupTable) => (isJob(table) ? ['state', 'start_after'] : ['searchable'])
  const columns = (table: BackupTable) =>
    table.columns.filter((name) => !changed(table).includes(name))
  return dumpOf(
    client,
    tables.map((table) => ({ ...table, columns: columns(table) })),
  )
}

function isJob({ schema, name }: BackupTable): boolean {
  return schema === 'pgboss' && name === 'job'
}

async function keysOf(storage: Storage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list('')) keys.push(key)
  return keys.sort()
}

async function spoiled(name: string, spoil: (copy: string) => Promise<string>) {
  const copy = path.join(folder, name)
  await cp(backup, copy, { recursive: true })
  return { copy, file: await spoil(copy) }
}

async function flipByte(file: string): Promise<string> {
  const bytes = await readFile(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(file, bytes)
  return file
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

describe('a backup', () => {
  it('has rows of every table but those that are left out for a reason', async () => {
    const { pool } = server.ctx
    const { rows } = await pool.query<{ name: string }>(
      `select n.nspname || '.' || relname as name
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and not relispartition
         and n.nspname not in ('pg_catalog', 'information_schema')`,
    )
    const { tables } = await getManifest(backup)
    const backedUp = tables.map(({ schema, name }) => `${schema}.${name}`)
    expect([...backedUp, ...Object.keys(EXCLUDED_TABLES)].sort()).toEqual(
      rows.map(({ name }) => name).sort(),
    )
    expect(tables.filter((table) => table.rows === 0).map(({ name }) => name)).toEqual([])
  })

  it('knows every column that names a stored object', async () => {
    const { rows } = await server.ctx.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%storage%key%'`,
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(
      FILE_COLUMNS.map(({ table }) => table).sort(),
    )
    const named = await listNamedFiles(server.ctx.pool)
    expect(named.length).toBeGreaterThan(6)
    expect((await filesIn(path.join(backup, 'files'))).length).toBe(named.length)
  })

  it('is for its owner alone, and has no master key', async () => {
    const key = (await readFile(path.join(server.ctx.config.dataDir, 'keys/master.key'))).toString()
    for (const file of await filesIn(backup)) {
      expect([file, (await stat(file)).mode & 0o077]).toEqual([file, 0])
      const bytes = await readFile(file)
      expect(bytes.includes(key.trim()) || bytes.includes(Buffer.from(key, 'hex'))).toBe(false)
    }
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
  })

  it('made again copies only what is new, and forgets what nothing names any longer', async () => {
    const again = path.join(folder, 'again')
    const lone = await signedIn(server)
    const { url } = await uploadFile(server, lone, { bytes: pdf(), name: 'acte.pdf' })
    expect((await run('backup', [again], here())).code).toBe(0)
    const first = await filesIn(path.join(again, 'files'))
    const inodes = await Promise.all(first.map(async (file) => (await stat(file)).ino))
    await server.call('DELETE', url, { as: lone })
    const { rows } = await server.ctx.pool.query(
      'delete from media where owner_id = $1 returning id',
      [lone.id],
    )
    expect(rows.length).toBe(1)
    const { code, out } = await run('backup', [again], here())
    expect([code, out]).toEqual([0, expect.stringContaining('0 new files')])
    const second = await filesIn(path.join(again, 'files'))
    expect(second.length).toBe(first.length - 1)
    for (const file of second) expect(inodes).toContain((await stat(file)).ino)
    expect((await readdir(path.join(again, 'database'))).length).toBe(1)
    expect((await run('backup', ['--verify', again], here())).code).toBe(0)
  })

  it('killed in the middle is none, leaves the one before as it was, and goes on', async () => {
    const cut = path.join(folder, 'cut')
    await killAt('Reading back', 'backup', [cut], here())
    const none = await run('backup', ['--verify', cut], here())
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no finished backup')])
    expect(await run('backup', [cut], here())).toMatchObject({ code: 0 })
    await killAt('Reading back', 'backup', [cut], here())
    expect(await run('backup', ['--verify', cut], here())).toMatchObject({ code: 0, stderr: '' })
    expect(await run('backup', [cut], here())).toMatchObject({ code: 0 })
    expect((await readdir(path.join(cut, 'database'))).length).toBe(1)
  })

  it('is written neither over other files nor over another installation', async () => {
    const other = path.join(folder, 'other')
    await cp(path.join(server.ctx.config.dataDir, 'keys'), other, { recursive: true })
    const refused = await run('backup', [other], here())
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('holds no backup')])
    const neighbour = await startTestServer()
    const { dataDir, databaseUrl } = neighbour.ctx.config
    const { code, stderr } = await run('backup', [backup], environmentOf(dataDir, databaseUrl))
    await neighbour.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining('another installation')])
  })

  it('of a letter deleted while its file is copied does without both', async () => {
    const person = await signedIn(server)
    const file_url = (await uploadFile(server, person, { bytes: pdf(), name: 'acte.pdf' })).url
    const { id } = await createRevelation(server, person, { file_url })
    const { rows } = await server.ctx.pool.query<{ key: string }>(
      `select storage_key as key from media_objects
       where media_id = (select media_id from revelations where id = $1)`,
      [id],
    )
    const leaving = String(rows[0]?.key)
    const { storage, pool } = server.ctx
    const get: Storage['get'] = async (key, range) => {
      // The second time: the first is before the snapshot.
      if (key === leaving) {
        await server.call('DELETE', `/api/revelations/${id}`, { as: person })
        await storage.delete(key)
      }
      return storage.get(key, range)
    }
    const manifest = await createBackup(
      { pool, storage: { ...storage, get }, productVersion: 'test' },
      path.join(folder, 'leaving'),
      { print: () => {}, count: () => {}, signal: new AbortController().signal },
    )
    expect([manifest.missing, manifest.gone]).toEqual([[], []])
  })

  it('made while uploads come and go is restored without those that lack a piece', async () => {
    const person = await signedIn(server)
    const { storage, pool } = server.ctx
    let location = await beginOne()
    async function beginOne(): Promise<string> {
      const begun = await beginUpload(server, person, 200_000)
      await sendPart(server, person, begun, { offset: 0, bytes: randomBytes(100_000) })
      return begun
    }
    const get: Storage['get'] = async (key, range) => {
      const { rows } = await pool.query(
        `select from upload_pieces join uploads on id = upload_id
         where storage_key = $1 and owner_id = $2`,
        [key, person.id],
      )
      if (rows.length > 0) {
        await abandon(server, person, location)
        await storage.delete(key)
        location = await beginOne()
      }
      return storage.get(key, range)
    }
    const passing = path.join(folder, 'passing')
    const { gone } = await createBackup(
      { pool, storage: { ...storage, get }, productVersion: 'test' },
      passing,
      { print: () => {}, count: () => {}, signal: new AbortController().signal },
    )
    expect(gone).toEqual([expect.stringMatching(/^uploads/)])
    await abandon(server, person, location)
    const { env, url = '' } = await newPlace('server')
    const { code, out } = await run('restore', [passing], env)
    expect([code, out]).toEqual([0, expect.stringContaining(`was made: ${gone[0]}.`)])
    const owners = await inDatabase(url, (client) => client.query('select owner_id from uploads'))
    expect(owners.rows).toEqual([{ owner_id: installation.author.id }])
    expect(await run('verify', [], env)).toMatchObject({ code: 0 })
  })

  it('of an installation that lost a file is made all the same, and says so', async () => {
    const person = await signedIn(server)
    await uploadFile(server, person, { bytes: pdf(), name: 'acte.pdf' })
    const { rows } = await server.ctx.pool.query<{ key: string }>(
      `select storage_key as key from media_objects join media on media.id = media_id
       where owner_id = $1`,
      [person.id],
    )
    const key = String(rows[0]?.key)
    await server.ctx.storage.delete(key)
    const lost = path.join(folder, 'lost')
    const { code, stderr } = await run('backup', [lost], here())
    expect([code, stderr]).toEqual([1, expect.stringContaining(key)])
    expect((await getManifest(lost)).missing).toEqual([key])
    expect(await run('backup', ['--verify', lost], here())).toMatchObject({ code: 0 })
    await server.ctx.pool.query('delete from media where owner_id = $1', [person.id])
  })

  it('is verified and restored where nothing can be written', async () => {
    const { copy } = await spoiled('on a medium', async (root) => {
      await rm(path.join(root, 'files/.drafts'), { recursive: true, force: true })
      return root
    })
    const { env } = await newPlace('server')
    expect(await run('backup', ['--verify', copy], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('restore', [copy], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await readdir(path.join(copy, 'files'))).not.toContain('.drafts')
  })

  it.each([
    ['a file', 'files', 'altered'],
    ['a table', 'database', 'altered'],
    ['the manifest', 'manifest.json', 'altered'],
  ])('in which one bit of %s was flipped is told from a whole one', async (name, where, word) => {
    const { copy, file } = await spoiled(`flipped ${name}`, async (root) => {
      const found = await filesIn(root)
      const under = found.filter((each) => each.startsWith(path.join(root, where)))
      return flipByte(under.sort()[0] ?? '')
    })
    const { code, stderr } = await run('backup', ['--verify', copy], here())
    expect(code).toBe(1)
    expect(stderr).toContain(word)
    expect(stderr).toContain(path.relative(path.join(copy), file))
  })
})

describe('a backup whose disk forgets', () => {
  /** What is spoiled in a copy of the backup, by the key of its file. */
  async function spoilFiles(name: string) {
    const copy = path.join(folder, name)
    await cp(backup, copy, { recursive: true })
    const files = (await filesIn(path.join(copy, 'files'))).sort()
    const [first = '', second = '', third = '', ...rest] = files
    return { copy, files: [first, second, third] as const, count: rest.length + 3 }
  }
  const keyOf = (copy: string, file: string) => path.relative(copy, file)

  it('is made whole by the next one, which says what was altered, cut, missing or too much', async () => {
    const { copy, files } = await spoilFiles('forgetful')
    const [altered, cut, missing] = files
    const before = await Promise.all(files.map((file) => readFile(file)))
    const extra = path.join(copy, 'files/media/ff/extra')
    await flipByte(altered)
    await writeFile(cut, (before[1] ?? Buffer.alloc(0)).subarray(0, 10))
    await rm(missing)
    await mkdir(path.dirname(extra), { recursive: true })
    await writeFile(extra, 'de trop')
    const verified = await run('backup', ['--verify', copy], here())
    expect(verified.code).toBe(1)
    for (const file of files) expect(verified.stderr).toContain(keyOf(copy, file))
    expect(verified.out).toContain('media/ff/extra')

    const { code, out, stderr } = await run('backup', ['--read-all', copy], here())
    expect([code, stderr]).toEqual([0, ''])
    expect(out).toContain('3 files were no longer what an earlier backup had written.')
    expect(out).toContain(`${keyOf(copy, altered)}: it was altered; it was copied again.`)
    expect(out).toContain(`${keyOf(copy, cut)}: it has 10 bytes instead of`)
    expect(out).toContain(`${keyOf(copy, missing)}: it is not there; it was copied again.`)
    expect(out).toContain(`1 files that no backup had written were removed:\n${keyOf(copy, extra)}`)
    expect(out).toMatch(/Of \d+ files [3-9] were copied and read back now/)
    expect(await Promise.all(files.map((file) => readFile(file)))).toEqual(before)
    expect(await run('backup', ['--verify', copy], here())).toMatchObject({ code: 0, stderr: '' })
  })

  it('is read again within seven runs, those read longest ago first', async () => {
    const { copy, count } = await spoilFiles('within a week')
    const report = { count: () => {}, signal: new AbortController().signal }
    const { pool, storage } = server.ctx
    const printed: string[] = []
    const again = () =>
      createBackup({ pool, storage, productVersion: 'test' }, copy, {
        ...report,
        print: (sentence) => void printed.push(sentence),
      })
    // Read once, all of them wait for their turn; the one that is read first is spoiled after it was.
    await again()
    const { run: name } = await getManifest(copy)
    const list = await readFileList(listPath(copy, name))
    const newest = [...list].sort(([, a], [, b]) => ((a.readAt ?? '') < (b.readAt ?? '') ? 1 : -1))
    const spoiledFile = await flipByte(path.join(copy, 'files', newest[0]?.[0] ?? ''))
    for (let night = 0; night < 7; night += 1) {
      expect(printed.join('\n')).not.toContain('it was altered')
      await again()
      if (printed.join('\n').includes('it was altered')) break
    }
    expect(printed.join('\n')).toContain(
      `${keyOf(copy, spoiledFile)}: it was altered; it was copied`,
    )
    const reread = printed.flatMap(
      (line) => /(\d+) of earlier ones were read again/.exec(line)?.[1] ?? [],
    )
    expect(Math.max(...reread.map(Number))).toBeLessThanOrEqual(Math.ceil(count / 7))
    expect(await run('backup', ['--verify', copy], here())).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    ['its manifest', 'manifest.json', 'manifest.json was altered'],
    ['its list of files', 'files.jsonl', 'files.jsonl: it was altered'],
    ['a table', 'public.users.copy.zst', 'public.users.copy.zst: it'],
  ])('in %s says so, and the next one is whole', async (name, file, sentence) => {
    const copy = path.join(folder, `forgets ${name}`)
    await cp(backup, copy, { recursive: true })
    const found = (await filesIn(copy)).find((each) => path.basename(each) === file)
    await flipByte(found ?? '')
    const { code, out, stderr } = await run('backup', [copy], here())
    expect([code, stderr]).toEqual([0, ''])
    expect(out).toContain(sentence)
    expect(await run('backup', ['--verify', copy], here())).toMatchObject({ code: 0, stderr: '' })
  })

  it('is not made good by a file that is altered where it is stored, and says that it is lost', async () => {
    const { copy, files } = await spoilFiles('lost at both ends')
    const [file] = files
    const key = path.relative(path.join(copy, 'files'), file)
    const whole = await buffer(await server.ctx.storage.get(key))
    const put = (bytes: Buffer) => server.ctx.storage.put(key, Readable.from([bytes]))
    await put(Buffer.from(whole.map((byte, at) => (at === 5 ? byte ^ 1 : byte))))
    await flipByte(file)
    const { code, out, stderr } = await run('backup', ['--read-all', copy], here())
    await put(whole)
    expect([code, stderr]).toEqual([1, expect.stringContaining(key)])
    expect(out).toContain(`files/${key}: it was altered; it is lost.`)
    expect((await getManifest(copy)).missing).toEqual([key])
  })
})

describe('a restore', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'by root is for whoever DATA_DIR belongs to, or --owner says',
    async () => {
      const nobody = 65_534
      const owners = async (root: string) =>
        new Set(
          await Promise.all(
            [
              root,
              ...(await readdir(root, { recursive: true })).map((name) => path.join(root, name)),
            ].map(async (each) => (await lstat(each)).uid),
          ),
        )
      const theirs = await newPlace('embedded')
      await chown(theirs.dataDir, nobody, nobody)
      expect(await run('restore', [backup], theirs.env)).toMatchObject({ code: 0, stderr: '' })
      expect(await owners(theirs.dataDir)).toEqual(new Set([nobody]))
      const other = await newPlace('server')
      const unknown = await run('restore', [backup, '--owner', 'nobody-at-all'], other.env)
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        'This machine has no user « nobody-at-all ».',
      ])
      const { code, out } = await run('restore', [backup, '--owner', String(nobody)], other.env)
      expect([code, out]).toEqual([0, expect.not.stringContaining('belongs to root')])
      expect(await owners(other.dataDir)).toEqual(new Set([nobody]))
      const nobodys = await newPlace('server')
      const { out: warning } = await run('restore', [backup], nobodys.env)
      expect(warning).toContain('DATA_DIR belongs to root')
    },
  )

  it('gives back every row, every file and an application that goes on', async () => {
    const rows = await dumpHere()
    const whole = path.join(folder, 'whole')
    expect(await run('backup', [whole], here())).toMatchObject({ code: 0 })
    const { env, url = '', dataDir } = await newPlace('server')
    expect(await run('restore', [whole], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await dumpAt(url)).toEqual(rows)
    expect(await inDatabase(url, listSequences)).toEqual(await listSequences(server.ctx.pool))
    const { code, out } = await run('verify', [], env)
    expect([code, out]).toEqual([0, expect.stringContaining('Everything opens.')])
    expect(out).toMatch(/[1-9]\d* sounds .*0 that do not open/)
    expect(out).toMatch(/2 uploads under way and their pieces .*0 that do not open/)
    await goOn({ databaseUrl: url, dataDir })
  })

  it('goes from a server to the embedded database and back', async () => {
    const rows = await dumpHere()
    const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')]
    expect(await run('backup', [first], here())).toMatchObject({ code: 0 })
    const embedded = await newPlace('embedded')
    expect(await run('restore', [first], embedded.env)).toMatchObject({ code: 0, stderr: '' })
    // Its program does not run: the command starts the database, and stops it.
    expect(await run('backup', [second], embedded.env)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('verify', [], embedded.env)).toMatchObject({ code: 0 })
    // The files stay where they are, which must be said.
    const { url = '' } = await newPlace('server')
    const moved = environmentOf(embedded.dataDir, url)
    const { code, stderr } = await run('restore', [second], moved)
    expect([code, stderr]).toEqual([1, expect.stringContaining('say --files-in-place')])
    const done = await run('restore', [second, '--files-in-place'], moved)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.out).toContain('(0 copied now)')
    expect(await dumpAt(url)).toEqual(rows)
  })

  it('of a backup made before an upgrade brings its tables to the newest', async () => {
    const old = await newPlace('server')
    const { keyring, log } = server.ctx
    const { pool, close } = openDatabase({ connectionString: old.url }, log)
    await migrate(pool, { until: '0011_feed' })
    await (await startQueue(pool, [], { runsJobs: false, log })).stop({ graceful: false })
    await pool.query('insert into master_keys values (true, $1, now())', [keyring.fingerprint])
    await pool.query(`insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
      values ('a@b.fr', 'a@b.fr', 'Ancienne', 'ancienne', 'x', now())`)
    await close()
    const before = path.join(folder, 'before')
    expect(await run('backup', [before], old.env)).toMatchObject({ code: 0, stderr: '' })
    expect((await getManifest(before)).migrations.at(-1)).toBe('0011_feed')
    const { env, url = '', dataDir } = await newPlace('server')
    // A database of before the log is not the one that the mark beside these keys is of.
    await rm(path.join(dataDir, 'keys/log-checkpoint.txt'))
    expect(await run('restore', [before], env)).toMatchObject({ code: 0, stderr: '' })
    const { rows } = await inDatabase(url, (client) =>
      client.query(
        'select pseudo_form, (select max(name) from kysely_migration) as last from users',
      ),
    )
    const last = (await getManifest(backup)).migrations.at(-1)
    expect(rows).toEqual([{ pseudo_form: 'ancienne', last }])
  })

  it('asks for the master key that it was made with', async () => {
    const { env, dataDir } = await newPlace('server', false)
    const usual = path.join(dataDir, 'keys/master.key')
    const other = path.join(folder, 'other.key')
    await writeFile(other, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    for (const [named, wanted] of [
      [{}, usual],
      [{ MASTER_KEY_FILE: other }, other],
    ] as const) {
      const { code, stderr } = await run('restore', [backup], { ...env, ...named })
      expect([code, stderr.split('\n').length]).toEqual([1, 1])
      expect(stderr).toContain(`bring that file to ${wanted}.`)
    }
    await expect(stat(usual)).rejects.toThrow('ENOENT')
  })

  it('touches no database that is not empty', async () => {
    const rows = await dumpHere()
    const { code, stderr } = await run('restore', [backup, '--files-in-place'], here())
    expect([code, stderr]).toEqual([1, expect.stringMatching(/A program runs|is not empty/)])
    expect(await dumpHere()).toEqual(rows)
  })

  it('for a rehearsal refuses the files of the installation that lives', async () => {
    const { url = '' } = await newPlace('server')
    const rehearsal = { ...here(), DATABASE_URL: url }
    async function refuses(args: string[], sentence: string): Promise<void> {
      const existing = await keysOf(server.ctx.storage)
      const { code, stderr } = await run('restore', args, rehearsal)
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
      expect(stderr.split('\n').length).toBe(1)
      // Nor a mark of a restore to go on with.
      expect(await inDatabase(url, findAnyTable)).toBeUndefined()
      expect(await keysOf(server.ctx.storage)).toEqual(existing)
    }
    const fresh = path.join(folder, 'fresh')
    expect(await run('backup', [fresh], here())).toMatchObject({ code: 0 })
    await refuses([fresh], 'The place for files is not empty')
    const person = await signedIn(server)
    await uploadFile(server, person, { bytes: pdf(), name: 'depuis.pdf' })
    await refuses([fresh, '--files-in-place'], 'not of this backup')
    await server.ctx.pool.query('delete from media where owner_id = $1', [person.id])
  })

  it('killed in the middle lets no program start, and goes on', async () => {
    const { env, url = '' } = await newPlace('server')
    const whole = path.join(folder, 'whole again')
    const rows = await dumpHere()
    expect(await run('backup', [whole], here())).toMatchObject({ code: 0 })
    await killAt('now the tables', 'restore', [whole], env)
    const refused = await refusedStart(env)
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('run it again')])
    expect(await run('restore', [whole], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await dumpAt(url)).toEqual(rows)
  })

  it('of a damaged backup needs a word, and gives what is whole', async () => {
    const { copy } = await spoiled('damaged', async (root) =>
      flipByte((await filesIn(path.join(root, 'files'))).sort()[0] ?? ''),
    )
    const { env } = await newPlace('server')
    const refused = await run('restore', [copy], env)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--despite-damage')])
    expect(await run('restore', [copy, '--despite-damage'], env)).toMatchObject({ code: 0 })
    const { code, stderr, out } = await run('verify', [], env)
    expect([code, stderr]).toEqual([1, '1 of them do not open.'])
    expect(out).toMatch(/^(file|picture of) [\w-]+.*: There is no object/m)
  })
})

it('verify names the piece of an upload that does not open', async () => {
  const { pool } = server.ctx
  const { rows } = await pool.query<{ id: string }>('select upload_id as id from upload_pieces')
  // Sealed for another place in the file.
  await pool.query('update upload_pieces set first_byte = first_byte + 65536')
  try {
    const { code, stderr, out } = await run('verify', [], here())
    expect([code, stderr]).toEqual([1, '1 of them do not open.'])
    expect(out).toContain(`upload ${rows[0]?.id}, from byte 65536: `)
  } finally {
    await pool.query('update upload_pieces set first_byte = first_byte - 65536')
  }
})

/** What a backup leaves out of the letters that are open to everybody. */
async function searchedWords({ ctx }: Pick<TestApp, 'ctx'>): Promise<unknown[]> {
  return (await ctx.pool.query('select * from public_letters order by revelation_id')).rows
}

/** The program on what was restored. */
async function goOn(config: { databaseUrl: string; dataDir: string }): Promise<void> {
  const restored = await startTestServer({ config, now: server.clock.now })
  try {
    const { author, friend, sealedId } = installation
    const password = 'mot de passe de test'
    const login = await restored.call('POST', '/api/auth/login', {
      body: { email: author.email, password },
    })
    expect(login.status).toBe(200)
    const as = { ...author, token: login.body.token }
    await restored.runJobs()
    const words = await searchedWords(server)
    expect(words.length).toBeGreaterThan(0)
    expect(await searchedWords(restored)).toEqual(words)
    const reset = restored.mailbox.all.filter(({ to }) => to === friend.email)
    expect(reset.length).toBe(1)
    const { id } = await createRevelation(restored, as)
    restored.clock.advance(A_DAY_MS + 1_000)
    await restored.runJobs()
    const due = restored.mailbox.all.filter(({ to }) => to === 'destinataire@exemple.test')
    expect(due.length).toBe(2)
    for (const opened of [id, sealedId]) {
      const { status, body } = await restored.call('GET', `/api/revelations/${opened}`, { as })
      expect([status, body.revelation.content]).toEqual([200, 'Il fera beau toute la journée.'])
    }
    const reaction = { revelation_id: sealedId, emoji: '❤️' }
    // With the session of the day before the backup.
    const { status } = await restored.call('POST', '/api/reactions', { as: friend, body: reaction })
    expect(status).toBe(200)
  } finally {
    await restored.close()
  }
}

describe('the log of proofs in a backup', () => {
  let newer: string

  /** A backup of a longer log; the mark beside the keys of this installation is of that one too. */
  beforeAll(async () => {
    await createRevelation(server, await signedIn(server))
    server.clock.advance(CHECKPOINT_EVERY_MS)
    await growLog(server.ctx)
    newer = path.join(folder, 'newer')
    expect(await run('backup', [newer], here())).toMatchObject({ code: 0, stderr: '' })
  })

  it('is in its manifest as it was last signed', async () => {
    const { log } = await getManifest(newer)
    const { text: note } = await server.call('GET', '/api/proofs/checkpoint')
    expect(log).toMatchObject({ note, size: Number(note.split('\n')[1]) })
    expect(log?.root).toBe(Buffer.from(note.split('\n')[2] ?? '', 'base64').toString('hex'))
    const former = (await getManifest(backup)).log?.size ?? 0
    expect(log?.size).toBeGreaterThan(former)
    expect((await run('backup', ['--verify', newer], {})).out).toContain('a log of ')
  })

  it('is not restored behind the mark beside the keys, and says what it means to be set back', async () => {
    const { env, dataDir, url = '' } = await newPlace('server')
    const { code, stderr } = await run('restore', [backup], env)
    expect([code, stderr.split('\n').length]).toEqual([1, 1])
    expect(stderr).toMatch(/^The log of this backup has \d+ leaves, but .*log-checkpoint\.txt/)
    expect(stderr).toContain('bring a newer backup')
    expect(await inDatabase(url, findAnyTable)).toBeUndefined()
    await rm(path.join(dataDir, 'keys/log-checkpoint.txt'))
    const restored = await run('restore', [backup], env)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.out).toMatch(/Its log of proofs is the one of 20[\d-]+T.* with \d+ leaves\./)
    expect(restored.out).toContain('will see for ever that it was set back')

    // Set back, it does not replace what may be the newest backup there is; nor does another log.
    const kept = await readFile(path.join(newer, 'manifest.json'), 'utf8')
    const behind = await run('backup', [newer], env)
    expect([behind.code, behind.stderr.split('\n').length]).toEqual([1, 1])
    expect(behind.stderr).toMatch(
      /^The log in this database has \d+ leaves, but that of the backup/,
    )
    expect(behind.stderr).toContain('choose another folder')
    expect(await readFile(path.join(newer, 'manifest.json'), 'utf8')).toBe(kept)
    await inDatabase(url, async (client) => {
      await client.query('alter table log_leaves disable trigger user')
      await client.query(
        `update log_leaves set hash = sha256(hash)
         where leaf_index = (select max(leaf_index) from log_leaves)`,
      )
    })
    const { copy } = await spoiled('of another log', async () => '')
    const another = await run('backup', [copy], env)
    expect([another.code, another.stderr]).toEqual([
      1,
      expect.stringContaining('The log in this database is not the one of the backup of'),
    ])
    expect(await run('backup', ['--verify', copy], {})).toMatchObject({ code: 0, stderr: '' })
  })
})
