import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openBucket } from '#server/platform/storage/open-storage.ts'
import { type S3Server, startS3Server } from '#testing/s3-server.ts'
import type { AtEnd } from './clean-up.ts'
import { describeMachine } from './machine.ts'
import { signUp } from './media.ts'
import {
  type MediaBench,
  plainUploads,
  publishFilm,
  READ_REFERENCES,
  readContestants,
  sealedUpload,
  UPLOAD_REFERENCES,
} from './media-contestants.ts'
import { createPaddedFilm } from './padded-film.ts'
import { watchMemory } from './process-memory.ts'
import { startProgram } from './program.ts'
import { type Contestant, printComparison, runRounds } from './rounds.ts'
import { secondsOf, startClient, startPlainServer } from './transfers.ts'
import { type Growth, growthOfFirstUpload } from './upload-memory.ts'

const MB = 1024 * 1024
const COLD_STARTS = 3
const READS = {
  name: '8 MB in sequence',
  connections: 16,
  rangeBytes: 8 * MB,
  ranges: 10,
  isRandom: false,
}

interface Contest {
  disk: MediaBench
  bucket: MediaBench
  s3: S3Server
  limits: { wanted: number; attempts: number }
}

/** What each way in costs, on the disk and in a bucket, beside the same bytes written plainly in the same run. */
export async function run(megabytes: number, rounds: number, atEnd: AtEnd): Promise<void> {
  const limits = { wanted: rounds, attempts: rounds * 2 }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'revelations-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const film = { path: path.join(folder, 'film.mp4'), bytes: megabytes * MB }
  await createPaddedFilm(film.path, film.bytes)
  const scratch = path.join(folder, 'copy')
  const plain = await startPlainServer(film.path, scratch, atEnd)
  const shared = { plain, client: startClient(atEnd), film, scratch }
  const s3 = await startS3Server()
  atEnd(() => s3.stop())
  async function startOn(name: string, environment: Record<string, string>): Promise<MediaBench> {
    const dataDir = path.join(folder, name)
    const program = await startProgram(dataDir, { ROLE: 'api', ...environment }, atEnd)
    const files = path.join(dataDir, 'files')
    async function sweep(): Promise<void> {
      for (const folder of ['media', 'uploads']) {
        await rm(path.join(files, folder), { recursive: true, force: true })
      }
    }
    return { ...shared, program, token: (await signUp(program)).token, sweep }
  }
  const disk = await startOn('disk', {})
  const bucket = await startOn('bucket', s3.addBucket('films', path.join(folder, 'bucket/files')))
  console.log(describeMachine())
  console.log(`A film of ${megabytes} MB (1 MB = 1024² bytes); a first round warms up.`)
  await printGrowth(film, atEnd)
  await compareUploads({ disk, bucket, s3, limits }, atEnd)
  await compareReads({ disk, bucket, s3, limits })
}

async function printGrowth(film: MediaBench['film'], atEnd: AtEnd): Promise<void> {
  console.log('\nResident MB of a program just started that takes its first film, sent in parts:')
  const growths: Growth[] = []
  for (let n = 0; n < COLD_STARTS; n += 1) growths.push(await growthOfFirstUpload(film, atEnd))
  console.table(growths)
}

async function compareUploads({ disk, bucket, s3, limits }: Contest, atEnd: AtEnd) {
  const inBucket = { besidePid: s3.pid }
  const watches = [
    { name: 'on the disk', watch: await watchMemory(disk.program.pid, atEnd) },
    { name: 'in a bucket', watch: await watchMemory(bucket.program.pid, atEnd) },
  ]
  const uploads = await runRounds(
    [
      ...plainUploads(disk),
      sealedUpload('form on the disk', disk),
      sealedUpload('tus on the disk', disk, { kind: 'resumable' }),
      await plainPut(disk, s3),
      sealedUpload('form in a bucket', bucket, inBucket),
      sealedUpload('tus in a bucket', bucket, { kind: 'resumable', ...inBucket }),
    ],
    limits,
  )
  console.log(`\nUploads until the bytes are safe: ${uploads.note}.`)
  printComparison(uploads, [...UPLOAD_REFERENCES, 'plain put in a bucket'])
  for (const { name, watch } of watches) {
    const growth = Math.round((await watch.readPeakMb()) - watch.beforeMb)
    console.log(`The program ${name} grew by ${growth} MB.`)
  }
}

/** The same bytes in the same bucket server, unsealed, through the program’s own client of buckets. */
async function plainPut({ film }: MediaBench, s3: S3Server): Promise<Contestant> {
  const settings = s3.addBucket('plain', path.join(path.dirname(film.path), 'plain'))
  const storage = await openBucket({
    endpoint: s3.endpoint,
    bucket: 'plain',
    region: 'us-east-1',
    accessKey: settings.S3_ACCESS_KEY ?? '',
    secretKey: settings.S3_SECRET_KEY ?? '',
  })
  return {
    name: 'plain put in a bucket',
    pid: process.pid,
    besidePid: s3.pid,
    megabytes: film.bytes / MB,
    run: () => secondsOf(() => storage.put('film', createReadStream(film.path))),
  }
}

async function compareReads({ disk, bucket, s3, limits }: Contest): Promise<void> {
  const [onDisk, inBucket] = [await publishFilm(disk), await publishFilm(bucket)]
  const reads = await runRounds(
    [
      ...readContestants(disk, onDisk, READS),
      ...readContestants(bucket, inBucket, READS)
        .slice(1)
        .map((one) => ({ ...one, name: 'sealed reads of a bucket', besidePid: s3.pid })),
    ],
    limits,
  )
  console.log(`\n${READS.connections} clients read ranges of ${READS.name}: ${reads.note}.`)
  printComparison(reads, [...READ_REFERENCES, 'sealed reads'])
}
