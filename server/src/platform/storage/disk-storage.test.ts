import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { StartError } from '#server/platform/start-error.ts'
import { asNobody, mountSmallDisk } from '#testing/machine.ts'
import { createDraftName, openDiskStorage } from './disk-storage.ts'
import { testStorageContract } from './storage.contract.ts'
import { StorageFull } from './storage.ts'

const folders: string[] = []

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

testStorageContract('The disk', async () => openDiskStorage(await newFolder()))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-storage-'))
  folders.push(folder)
  return folder
}

async function endlessBytes(): Promise<Readable> {
  return new Readable({
    read() {
      this.push(Buffer.alloc(65_536, 1))
    },
  })
}

it('says that a full disk is full, and leaves nothing of what did not fit', async (context) => {
  const storage = await openDiskStorage(await mountSmallDisk(context))
  await storage.put('small', Readable.from([Buffer.alloc(100_000)]))

  const source = await endlessBytes()
  await expect(storage.put('large', source)).rejects.toThrow(StorageFull)

  expect(source.destroyed).toBe(true)
  expect(await storage.size('large')).toBeUndefined()
  // All the room is there again.
  await storage.put('large', Readable.from([Buffer.alloc(1_500_000)]))
  expect(await storage.size('small')).toBe(100_000)
})

it('removes what a killed process was writing when it opens again', async () => {
  const folder = await newFolder()
  const writer = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { Readable } from 'node:stream'
       import { openDiskStorage } from ${JSON.stringify(join(import.meta.dirname, 'disk-storage.ts'))}
       const storage = await openDiskStorage(${JSON.stringify(folder)})
       // It waits for the rest until it is killed, however late that is.
       setInterval(() => undefined, 60_000)
       let pieces = 0
       const endless = new Readable({ read() {
         pieces += 1
         if (pieces === 100) console.log('writing')
         if (pieces < 200) this.push(Buffer.alloc(65536))
       } })
       await storage.put('ab/cut/original', endless)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(writer.stdout, 'data')
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  expect(await readdir(join(folder, '.drafts'))).toHaveLength(1)

  const storage = await openDiskStorage(folder)

  expect(await readdir(join(folder, '.drafts'))).toEqual([])
  expect(await storage.size('ab/cut/original')).toBeUndefined()
})

it('leaves alone what another process may still be writing', async () => {
  const folder = await newFolder()
  const drafts = join(folder, '.drafts')
  await mkdir(drafts)
  const mine = createDraftName()
  const ofLiving = mine.replace(`-${process.pid}-`, `-${process.ppid}-`)
  const ofOtherMachine = mine.replace(/^\w+/, '00000000')
  const forgotten = ofOtherMachine.replace(/.$/, 'x')
  for (const name of [mine, ofLiving, ofOtherMachine, forgotten]) {
    await writeFile(join(drafts, name), 'x')
  }
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000)
  await utimes(join(drafts, forgotten), twoDaysAgo, twoDaysAgo)

  await openDiskStorage(folder)

  expect((await readdir(drafts)).sort()).toEqual([mine, ofLiving, ofOtherMachine].sort())
})

it('removes what an earlier process with the same number has left', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, '.drafts'))
  const draft = join(folder, '.drafts', createDraftName())
  await writeFile(draft, 'x')
  await utimes(draft, new Date(0), new Date(0))

  await openDiskStorage(folder)

  expect(await readdir(join(folder, '.drafts'))).toEqual([])
})

it('keeps no draft of a source that fails while its draft is being made', async () => {
  const folder = await newFolder()
  const storage = await openDiskStorage(folder)
  const sources = Array.from({ length: 20 }, () => new Readable({ read() {} }))
  const stored = sources.map((source, n) => storage.put(`ab/${n}`, source))
  for (const source of sources) source.destroy(new Error('gone'))

  for (const result of await Promise.allSettled(stored)) expect(result.status).toBe('rejected')

  expect(await readdir(join(folder, '.drafts'))).toEqual([])
  expect(await readdir(folder)).toEqual(['.drafts'])
})

it('keeps objects from the other accounts of the machine', async () => {
  const folder = await newFolder()
  const storage = await openDiskStorage(folder)
  await storage.put('ab/abcdef/original', Readable.from([Buffer.from('x')]))

  expect((await stat(join(folder, 'ab/abcdef/original'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'ab'))).mode & 0o777).toBe(0o700)
})

it('closes a file that is refused, and one whose reader leaves', async () => {
  const folder = await newFolder()
  const storage = await openDiskStorage(folder)
  await storage.put('film', Readable.from([Buffer.alloc(5_000_000)]))

  const unread = await storage.get('film')
  const left = await storage.get('film')
  await once(left, 'data')
  for (const reader of [unread, left]) {
    reader.destroy()
    await once(reader, 'close')
  }
  await buffer(await storage.get('film'))
  await expect(storage.get('film', { start: 5_000_000, end: 5_000_001 })).rejects.toThrow()
  await storage.put('folder/film', Readable.from([]))
  await expect(storage.get('folder')).rejects.toThrow()

  expect(await openFilesUnder(folder)).toEqual([])
})

async function openFilesUnder(folder: string): Promise<string[]> {
  const files = await readdir('/proc/self/fd').catch(() => [])
  const targets = await Promise.all(
    files.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return targets.filter((target) => target.startsWith(folder))
}

it('refuses to start on a folder that cannot be made', async () => {
  const file = join(await newFolder(), 'file')
  await writeFile(file, '')

  await expect(openDiskStorage(join(file, 'files'))).rejects.toThrow(StartError)
})

it('says in one sentence that its folder can no longer be written', async () => {
  const folder = await newFolder()
  const storage = await openDiskStorage(folder)
  await storage.check()
  await chmod(folder, 0o555)

  const check = asNobody(() => storage.check())

  await expect(check).rejects.toThrow(
    new StartError(`Files cannot be written and read in "${folder}" (EACCES).`),
  )
})
