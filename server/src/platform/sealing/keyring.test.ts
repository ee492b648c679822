import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StartError } from '#server/platform/start-error.ts'
import { asNobody } from '#testing/machine.ts'
import { loadKeyring } from './keyring.ts'
import { SealBroken } from './sealed-format.ts'

let dataDir: string
let keyFile: string
const log = { warn: vi.fn<(sentence: string) => void>() }

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'keyring-'))
  keyFile = join(dataDir, 'keys', 'master.key')
  log.warn.mockClear()
})

afterEach(() => rm(dataDir, { recursive: true }))

function load(expectedFingerprint?: Buffer, masterKeyFile?: string) {
  return loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
}

test('the first start makes a key for the program alone, and asks once for a second copy', async () => {
  await rm(dataDir, { recursive: true })
  await load()

  expect(await readFile(keyFile, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o700)
  // PostgreSQL, under its own account, crosses the data folder.
  expect((await stat(dataDir)).mode & 0o777).not.toBe(0o700)
  expect(await readdir(join(dataDir, 'keys'))).toEqual(['master.key'])
  expect(log.warn.mock.calls).toEqual([
    [expect.stringContaining(`"${keyFile}". Copy it to a second safe place`)],
  ])
})

test('a restart finds the same key, and what it wrapped, without a word', async () => {
  const first = await load()
  const { dataKey, wrapped } = first.createDataKey('revelation:1')
  log.warn.mockClear()

  const second = await load(first.fingerprint)

  expect(second.openDataKey('revelation:1', wrapped).bytes.equals(dataKey.bytes)).toBe(true)
  expect(log.warn).not.toHaveBeenCalled()
})

test('a key that others could read is closed to them', async () => {
  await load()
  await chmod(keyFile, 0o644)
  await chmod(join(dataDir, 'keys'), 0o755)

  await load()

  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o700)
})

test('a key named by MASTER_KEY_FILE is used, and none is made', async () => {
  const elsewhere = join(dataDir, 'secret')
  await writeFile(elsewhere, 'AB'.repeat(32))

  const keyring = await load(undefined, elsewhere)

  expect((await load(keyring.fingerprint, elsewhere)).fingerprint).toEqual(keyring.fingerprint)
  expect(await readdir(dataDir)).toEqual(['secret'])
})

test('a MASTER_KEY_FILE that does not exist stops the start, and nothing is written', async () => {
  const missing = join(dataDir, 'missing')

  await expect(load(undefined, missing)).rejects.toThrow(
    new StartError(`MASTER_KEY_FILE names "${missing}", which does not exist.`),
  )
  expect(await readdir(dataDir)).toEqual([])
})

test('a missing key stops the start of a database that needs it, and nothing is written', async () => {
  const { fingerprint } = await load()
  await rm(join(dataDir, 'keys'), { recursive: true })

  await expect(load(fingerprint)).rejects.toThrow(
    new StartError(
      `The database holds sealed revelations, but their master key "${keyFile}" is missing: put your copy of it back, or name it with MASTER_KEY_FILE.`,
    ),
  )
  expect(await readdir(dataDir)).toEqual([])
})

test('another key stops the start, and stays as it is', async () => {
  const { fingerprint } = await load()
  const other = `${'01'.repeat(32)}\n`
  await writeFile(keyFile, other)

  await expect(load(fingerprint)).rejects.toThrow(
    new StartError(
      `"${keyFile}" is not the master key that this database was sealed with: put the right one back.`,
    ),
  )
  expect(await readFile(keyFile, 'utf8')).toBe(other)
})

test.each([
  ['an empty file', ''],
  ['a short key', 'ab'.repeat(31)],
  ['a long key', 'ab'.repeat(33)],
  ['something else than hexadecimal', 'zz'.repeat(32)],
  ['two lines', `${'ab'.repeat(32)}\n${'ab'.repeat(32)}\n`],
  ['a large file', 'ab'.repeat(100_000)],
])('%s is not taken for a key, nor replaced by one', async (_name, text) => {
  await mkdir(join(dataDir, 'keys'))
  await writeFile(keyFile, text)

  await expect(load()).rejects.toThrow(
    new StartError(
      `"${keyFile}" is not a master key: it must hold one line of 64 hexadecimal digits.`,
    ),
  )
  expect(await readFile(keyFile, 'utf8')).toBe(text)
})

test('a folder in the place of the key stops the start', async () => {
  await mkdir(keyFile, { recursive: true })

  await expect(load()).rejects.toThrow(
    new StartError(`The master key "${keyFile}" cannot be read (EISDIR).`),
  )
})

test('a key that this account may not read stops the start', async () => {
  const { fingerprint } = await load()
  await chmod(dataDir, 0o755)
  await chmod(join(dataDir, 'keys'), 0o755)
  await chmod(keyFile, 0)

  const start = asNobody(() => load(fingerprint))

  await expect(start).rejects.toThrow(
    new StartError(`The master key "${keyFile}" cannot be read (EACCES).`),
  )
})

test('a folder that cannot be written stops the first start', async () => {
  await chmod(dataDir, 0o555)

  const start = asNobody(() => load())

  await expect(start).rejects.toThrow(
    new StartError(`The master key cannot be written to "${keyFile}" (EACCES).`),
  )
  await chmod(dataDir, 0o755)
  expect(await readdir(dataDir)).toEqual([])
})

test('processes that start together for the first time end with one key', async () => {
  const script = `
    import { once } from 'node:events'
    import { loadKeyring } from ${JSON.stringify(join(import.meta.dirname, 'keyring.ts'))}
    console.log('ready')
    await once(process.stdin, 'data')
    const keyring = await loadKeyring({
      dataDir: ${JSON.stringify(dataDir)}, masterKeyFile: undefined, expectedFingerprint: undefined,
      log: { warn: () => console.log('made') },
    })
    console.log(keyring.fingerprint.toString('hex'))
    process.exit()`
  const programs = Array.from({ length: 5 }, () => {
    const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    return { program, output: () => output.trim().split('\n') }
  })
  await Promise.all(programs.map(({ program }) => once(program.stdout, 'data')))

  const ends = programs.map(({ program }) => once(program, 'close'))
  for (const { program } of programs) program.stdin.write('go')
  await Promise.all(ends)

  const fingerprints = programs.map(({ output }) => output().at(-1))
  expect(new Set(fingerprints)).toEqual(new Set([(await load()).fingerprint.toString('hex')]))
  expect(programs.filter(({ output }) => output().includes('made'))).toHaveLength(1)
  expect(await readdir(join(dataDir, 'keys'))).toEqual(['master.key'])
})

test('a wrapped key opens for its own subject only', async () => {
  const keyring = await load()
  const { wrapped } = keyring.createDataKey('revelation:1')

  expect(() => keyring.openDataKey('revelation:2', wrapped)).toThrow(SealBroken)
  expect(() => keyring.openDataKey('sound:1', wrapped)).toThrow(SealBroken)
})

test('a wrapped key that was altered anywhere, cut or lengthened does not open', async () => {
  const keyring = await load()
  const { wrapped } = keyring.createDataKey('revelation:1')

  for (let bit = 0; bit < wrapped.length * 8; bit += 1) {
    const altered = Buffer.from(wrapped)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => keyring.openDataKey('revelation:1', altered)).toThrow(SealBroken)
  }
  for (const size of [0, 1, 12, 28, 29, wrapped.length - 1]) {
    const cut = wrapped.subarray(0, size)
    expect(() => keyring.openDataKey('revelation:1', cut)).toThrow(SealBroken)
  }
  const longer = Buffer.concat([wrapped, Buffer.of(0)])
  expect(() => keyring.openDataKey('revelation:1', longer)).toThrow(SealBroken)
})

test('another master key opens nothing', async () => {
  const keyring = await load()
  const { wrapped } = keyring.createDataKey('revelation:1')
  await rm(keyFile)

  const other = await load()

  expect(() => other.openDataKey('revelation:1', wrapped)).toThrow(SealBroken)
  expect(other.fingerprint.equals(keyring.fingerprint)).toBe(false)
})

test('each purpose has its own secret, the same at every start', async () => {
  const keyring = await load()
  const again = await load()

  expect(keyring.secretFor('media-tickets')).toHaveLength(32)
  expect(again.secretFor('media-tickets')).toEqual(keyring.secretFor('media-tickets'))
  expect(keyring.secretFor('delivery-links')).not.toEqual(keyring.secretFor('media-tickets'))
  expect(keyring.secretFor('fingerprint')).not.toEqual(keyring.fingerprint)
})

test('a data key prints nothing of itself', async () => {
  const { dataKey } = (await load()).createDataKey('revelation:1')

  expect(JSON.stringify({ dataKey })).toBe('{"dataKey":{}}')
  expect(inspect(dataKey)).toBe('{}')
  expect(JSON.stringify({ ...dataKey })).toBe('{}')
})
