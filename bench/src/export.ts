import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { createPaddedFilm } from './harness/padded-film.ts'
import { type MemoryWatch, watchMemory } from './harness/process-memory.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'
import { sendFile, startClient } from './harness/transfers.ts'

const MB = 1024 * 1024
const FILM_MB = 512
const COMMENTS = 100_000
const COMMENTS_AT_ONCE = 5_000
const MAX_GROWTH_MB = 100

const runTool = promisify(execFile)

interface Exporting {
  program: Program
  token: string
  folder: string
  memory: MemoryWatch
}

/** What an export of this size costs in memory and time, and whether the tools people have can open it. */
export async function run({ gigabytes }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), { ROLE: 'api' }, atEnd)
  // From before the first file: what sending them left behind counts as growth too.
  const memory = await watchMemory(program.pid, atEnd)
  const token = await fillAccount(program, folder, gigabytes, atEnd)
  console.log(describeMachine())
  const filledMb = Math.round(await memory.readPeakMb())
  console.log(`An account with ${gigabytes} GB of films and ${COMMENTS} comments.`)
  console.log(
    `Resident: ${Math.round(memory.beforeMb)} MB before, ${filledMb} at most while it was filled.\n`,
  )
  const bench = { program, token, folder, memory }
  const json = await download(bench, '/api/auth/export', 'export.json')
  const { url } = await program.call<{ url: string }>('POST', '/api/auth/export', { token })
  const zip = await download(bench, url, 'export.zip')
  console.table({ json: json.facts, zip: zip.facts })
  const growthMb = Math.max(json.facts.growthMb, zip.facts.growthMb)
  const verdict = growthMb < MAX_GROWTH_MB ? 'under' : 'NOT under'
  console.log(`The program grew by ${growthMb} MB, ${verdict} ${MAX_GROWTH_MB} MB.`)
  await checkWithTools(zip.file, folder)
}

async function fillAccount(
  program: Program,
  folder: string,
  gigabytes: number,
  atEnd: AtEnd,
): Promise<string> {
  const { token, userId } = await signUp(program)
  const film = path.join(folder, 'film.mp4')
  await createPaddedFilm(film, FILM_MB * MB)
  const client = startClient(atEnd)
  const { origin } = program
  const sent = { kind: 'upload', file: film, fileBytes: FILM_MB * MB } as const
  for (let number = 1; number <= (gigabytes * 1024) / FILM_MB; number += 1) {
    const { upload } = await sendFile(client, { origin, token, ...sent })
    await seal(program, token, number, upload.url)
  }
  await rm(film)
  await comment(program, userId)
  return token
}

async function comment({ db }: Program, authorId: string): Promise<void> {
  const { id: revelationId } = await db
    .selectFrom('revelations')
    .select('id')
    .executeTakeFirstOrThrow()
  for (let written = 0; written < COMMENTS; written += COMMENTS_AT_ONCE) {
    const comments = Array.from({ length: COMMENTS_AT_ONCE }, (_, index) => ({
      id: randomUUID(),
      revelationId,
      authorId,
      content: `Un commentaire ${written + index}`,
      createdAt: new Date(),
    }))
    await db.insertInto('comments').values(comments).execute()
  }
}

async function seal(program: Program, token: string, number: number, fileUrl: string) {
  const body = {
    title: `Film nº ${number}`,
    content: 'Le voici tout entier.',
    target_email: 'bench@exemple.test',
    reveal_date: new Date(Date.now() + 86_400_000).toISOString(),
    file_url: fileUrl,
  }
  await program.call('POST', '/api/revelations', { token, body })
}

async function download({ program, token, folder, memory }: Exporting, url: string, name: string) {
  const file = path.join(folder, name)
  await memory.readPeakMb()
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${token}` }
  const { ok, status, body } = await fetch(`${program.origin}${url}`, { headers })
  if (!ok || !body) throw new Error(`${url}: ${status}`)
  await pipeline(Readable.fromWeb(body as never), createWriteStream(file))
  const seconds = (performance.now() - startedAt) / 1000
  const peakMb = await memory.readPeakMb()
  const megabytes = (await stat(file)).size / MB
  return {
    file,
    facts: {
      megabytes: Math.round(megabytes),
      seconds: Number(seconds.toFixed(1)),
      'MB/s': Math.round(megabytes / seconds),
      beforeMb: Math.round(memory.beforeMb),
      peakMb: Math.round(peakMb),
      growthMb: Math.round(peakMb - memory.beforeMb),
    },
  }
}

const PYTHON = `import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(len(archive.namelist()), 'files, first damaged:', archive.testzip())`

/** Names the programs that are missing on this machine. */
async function checkWithTools(zip: string, folder: string): Promise<void> {
  const opened = path.join(folder, 'opened')
  await mkdir(opened)
  console.log(await outputOf('unzip -t', 'unzip', ['-tq', zip]))
  console.log(await outputOf('Python', 'python3', ['-c', PYTHON, zip]))
  console.log(await outputOf('unzip', 'unzip', ['-q', zip, '-d', opened]))
  console.log(await outputOf('sha256sum -c', 'sha256sum', ['-c', 'SHA256SUMS'], opened))
}

async function outputOf(
  name: string,
  command: string,
  args: string[],
  cwd?: string,
): Promise<string> {
  try {
    const { stdout } = await runTool(command, args, cwd ? { cwd } : {})
    return `${name}: ${stdout.trim().replaceAll('\n', '; ') || 'no complaint'}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? `${name}: not on this machine` : `${name}: FAILED, ${message}`
  }
}
