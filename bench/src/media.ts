import { createHash } from 'node:crypto'
import path from 'node:path'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { createPaddedFilm } from './harness/padded-film.ts'
import { type MemoryWatch, watchMemory } from './harness/process-memory.ts'
import { signUp, startProgram } from './harness/program.ts'
import { printComparison, runRounds } from './harness/rounds.ts'
import { startClient, startPlainServer } from './harness/transfers.ts'
import {
  type MediaBench,
  publishFilm,
  READ_REFERENCES,
  readContestants,
  UPLOAD_REFERENCES,
  uploadContestants,
} from './media-contestants.ts'

const MB = 1024 * 1024
const MAX_GROWTH_MB = 120
const READ_PATTERNS = [
  {
    name: '8 MB in sequence',
    connections: 16,
    rangeBytes: 8 * MB,
    ranges: 20,
    isRandom: false,
  },
  { name: '1 MB at random', connections: 16, rangeBytes: MB, ranges: 160, isRandom: true },
]

/** What a film costs on its way in and out, beside the same bytes moved plainly in the same run. */
export async function run({ megabytes }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const film = { path: path.join(folder, 'film.mp4'), bytes: megabytes * MB }
  const sha256 = await createPaddedFilm(film.path, film.bytes)
  // Without the worker: preparing a film costs its length, not its bytes.
  const program = await startProgram(path.join(folder, 'data'), { ROLE: 'api' }, atEnd)
  const scratch = path.join(folder, 'copy')
  const plain = await startPlainServer(film.path, scratch, atEnd)
  const client = startClient(atEnd)
  const { token } = await signUp(program)
  await measure({ program, plain, client, token, film, scratch }, sha256, atEnd)
}

async function measure(bench: MediaBench, sha256: string, atEnd: AtEnd): Promise<void> {
  const { film, program, plain } = bench
  console.log(describeMachine())
  console.log(`A film of ${film.bytes / MB} MB (1 MB = 1024² bytes); a first round warms up.`)
  // From before the first file, so that all that files cost counts as growth.
  const watches = {
    'the program': await watchMemory(program.pid, atEnd),
    'the plain servers': await watchMemory(plain.pid, atEnd),
  }
  await compareUploads(bench)
  const whileUploading = await readPeaks(watches)
  await compareReads(bench, sha256)
  const whileReading = await readPeaks(watches)
  printMemory(watches, { 'while uploading': whileUploading, 'while reading': whileReading })
}

async function compareUploads(bench: MediaBench): Promise<void> {
  const uploads = await runRounds(uploadContestants(bench))
  console.log(`\nUploads until the bytes are safe on the disk: ${uploads.note}.`)
  printComparison(uploads, UPLOAD_REFERENCES)
}

async function compareReads(bench: MediaBench, sha256: string): Promise<void> {
  const addressOfFilm = await publishFilm(bench)
  for (const pattern of READ_PATTERNS) {
    const reads = await runRounds(readContestants(bench, addressOfFilm, pattern))
    console.log(`\n${pattern.connections} clients read ranges of ${pattern.name}: ${reads.note}.`)
    printComparison(reads, READ_REFERENCES)
  }
  const isSame = (await downloadedSha256(await addressOfFilm())) === sha256
  console.log(
    `\nSHA-256 of a whole download: ${isSame ? 'that of the film' : 'NOT that of the film'}.`,
  )
}

async function downloadedSha256(url: string): Promise<string> {
  const { body } = await fetch(url)
  if (!body) throw new Error('Nothing was downloaded')
  const hash = createHash('sha256')
  for await (const bytes of body) hash.update(bytes)
  return hash.digest('hex')
}

type Peaks = Record<string, number>

async function readPeaks(watches: Record<string, MemoryWatch>): Promise<Peaks> {
  const peaks: Peaks = {}
  for (const [name, watch] of Object.entries(watches)) peaks[name] = await watch.readPeakMb()
  return peaks
}

function printMemory(watches: Record<string, MemoryWatch>, phases: Record<string, Peaks>): void {
  const rows = Object.entries(watches).map(([name, { beforeMb }]) => {
    const peaks = Object.entries(phases).map(([phase, peak]) => [
      phase,
      Math.round(peak[name] ?? 0),
    ])
    const highest = Math.max(...Object.values(phases).map((peak) => peak[name] ?? 0))
    const growth = Math.round(highest - beforeMb)
    return [name, { before: Math.round(beforeMb), ...Object.fromEntries(peaks), growth }] as const
  })
  console.log('\nHighest resident MB of each Node process (PostgreSQL and ffprobe are others):')
  console.table(Object.fromEntries(rows))
  const growth = rows[0]?.[1].growth ?? Number.NaN
  const verdict = growth < MAX_GROWTH_MB ? 'under' : 'NOT under'
  console.log(`The program grew by ${growth} MB, ${verdict} ${MAX_GROWTH_MB} MB.`)
}
