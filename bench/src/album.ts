import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { glob, mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { cameBefore, launchPhone } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { createPaddedFilm } from './harness/padded-film.ts'
import { watchMemory } from './harness/process-memory.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'

const MB = 1024 * 1024
const FILES = 30
const CUTS = 10
/** The tab is closed at this cut, and opened again. */
const CLOSED_AT = 5
const CUT_MS = 700
const LINE_BYTES = 12 * MB
const LIMIT_MS = 600_000

/** Whether an album arrives whole and in order over a line that fails, and what it costs on the disk and in memory. */
export async function run({ megabytes }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const dataDir = path.join(folder, 'data')
  const program = await startProgram(dataDir, {}, atEnd)
  const { token, email } = await signUp(program)
  const paths = await createFiles(path.join(folder, 'album'), megabytes)
  const memory = await watchMemory(program.pid, atEnd)
  const context = await launchPhone(path.join(folder, 'profile'), atEnd)
  await cameBefore(context, token)
  const disk = watchDisk(dataDir, atEnd)
  const page = await sendAlbum(context, { origin: program.origin, email, paths })
  const id = await seal(page)
  const arrived = await sumsOf(program, token, id)
  const sent = await Promise.all(paths.map(sumOf))
  const { originalsMb, partsMb } = await storedOf(program, dataDir)
  const sentMb = (await sizesOf(paths)) / MB
  console.log(describeMachine())
  console.table({
    'files in order': `${arrived.filter((sum, at) => sum === sent[at]).length} of ${FILES}`,
    'megabytes sent': Math.round(sentMb),
    'originals on the disk': Math.round(originalsMb),
    'left of uploads': Math.round(partsMb),
    'most on the disk meanwhile': Math.round(disk.peakMb()),
    'memory before': Math.round(memory.beforeMb),
    'memory added at most': Math.round((await memory.readPeakMb()) - memory.beforeMb),
  })
}

/** Films and recordings by turns, of one size; the first is no film, which would ask for a teaser. */
async function createFiles(folder: string, megabytes: number): Promise<string[]> {
  await mkdir(folder)
  const sizeBytes = Math.round((megabytes * MB) / FILES)
  const paths: string[] = []
  for (let at = 0; at < FILES; at += 1) {
    const isFilm = at % 3 !== 0
    const file = path.join(folder, `${String(at).padStart(2, '0')}.${isFilm ? 'mp4' : 'wav'}`)
    if (isFilm) await createPaddedFilm(file, sizeBytes)
    else await writeFile(file, noise(sizeBytes))
    paths.push(file)
  }
  return paths
}

const WAV_HEADER_BYTES = 44

/** A recording of nothing but noise, in 16 bits and two channels. */
function noise(sizeBytes: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  const data = sizeBytes - WAV_HEADER_BYTES
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(2, 22)
  header.writeUInt32LE(44_100, 24)
  header.writeUInt32LE(44_100 * 4, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data, 40)
  return Buffer.concat([header, randomBytes(data)])
}

interface Album {
  origin: string
  email: string
  paths: string[]
}

/** Writes a letter with these files on a line that is cut again and again; gives the page once all of them have arrived. */
async function sendAlbum(context: BrowserContext, { origin, email, paths }: Album): Promise<Page> {
  const address = `${origin}/create?vue=tout`
  let page = context.pages()[0] ?? (await context.newPage())
  let line = await openLine(page)
  await page.goto(address)
  await page.getByLabel('Titre').fill('L’album de l’été')
  await page.getByLabel('Contenu').fill('Trente matins.')
  await page.getByLabel('E-mail du destinataire').fill(email)
  await page.getByLabel('Joindre un fichier').setInputFiles(paths)
  // What is not stored yet would have to be chosen again after the tab was closed.
  await page.getByText('Gardé sur cet appareil, fichiers compris').waitFor({ timeout: LIMIT_MS })
  for (let cut = 1; cut <= CUTS; cut += 1) {
    await line.cut()
    await delay(CUT_MS)
    if (cut === CLOSED_AT) {
      await page.close()
      page = await context.newPage()
      line = await openLine(page)
      await page.goto(address)
    } else await line.mend()
    await delay(CUT_MS)
  }
  await page.getByText('Tous les fichiers sont arrivés').waitFor({ timeout: LIMIT_MS })
  return page
}

/** A line that takes the whole album in half a minute. */
async function openLine(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const become = (offline: boolean) =>
    session.send('Network.emulateNetworkConditions', {
      ...{ offline, latency: 20, downloadThroughput: -1 },
      uploadThroughput: LINE_BYTES,
    })
  await become(false)
  return { cut: () => become(true), mend: () => become(false) }
}

async function seal(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Relire avant de sceller' }).click()
  await page.getByRole('button', { name: 'Sceller' }).click()
  await page.getByRole('link', { name: 'Voir la lettre' }).click({ timeout: LIMIT_MS })
  await page.waitForURL(/\/revelation\/[0-9a-f-]{36}$/, { timeout: LIMIT_MS })
  return page.url().split('/').at(-1) ?? ''
}

/** What its author is served, in the order of the letter. */
async function sumsOf({ call, origin }: Program, token: string, id: string): Promise<string[]> {
  const { revelation } = await call<{ revelation: Revelation }>('GET', `/api/revelations/${id}`, {
    token,
  })
  if (!isOpen(revelation)) throw new Error('Its author cannot read it')
  const sums: string[] = []
  for (const { url } of revelation.files ?? []) {
    const { body } = await fetch(origin + url)
    const hash = createHash('sha256')
    for await (const chunk of body ?? []) hash.update(chunk)
    sums.push(hash.digest('hex'))
  }
  return sums
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** What the disk holds of the files as they came, and of uploads that are over. */
async function storedOf({ db }: Program, dataDir: string) {
  const objects = await db.selectFrom('mediaObjects').select(['variant', 'sizeBytes']).execute()
  const variantsMb = objects
    .filter(({ variant }) => variant !== 'original')
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const originals = objects
    .filter(({ variant }) => variant === 'original')
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const all = await bytesUnder(path.join(dataDir, 'files'))
  return { originalsMb: originals / MB, partsMb: (all - originals - variantsMb) / MB }
}

function watchDisk(dataDir: string, atEnd: AtEnd) {
  let peak = 0
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await bytesUnder(path.join(dataDir, 'files')).catch(() => 0))
  }, 500)
  atEnd(() => clearInterval(sampling))
  return { peakMb: () => peak / MB }
}

async function bytesUnder(folder: string): Promise<number> {
  let sum = 0
  for await (const name of glob('**/*', { cwd: folder })) {
    const facts = await stat(path.join(folder, name)).catch(() => undefined)
    if (facts?.isFile()) sum += facts.size
  }
  return sum
}

async function sizesOf(paths: string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
