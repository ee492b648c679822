import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { UPLOADS_URL } from '#contract/uploads.ts'
import { openBucket } from '#server/platform/storage/open-storage.ts'
import { type S3Server, startS3Server } from '#testing/s3-server.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { createPaddedFilm } from './harness/padded-film.ts'
import { watchMemory } from './harness/process-memory.ts'
import { signUp, startProgram } from './harness/program.ts'
import { uploadInParts } from './harness/resumable-client.ts'
import { type Comparison, type Contestant, printComparison, runRounds } from './harness/rounds.ts'
import { secondsOf, startClient, startPlainServer } from './harness/transfers.ts'
import {
  type MediaBench,
  plainUploads,
  publishFilm,
  READ_REFERENCES,
  readContestants,
  sealedUpload,
  UPLOAD_REFERENCES,
} from './media-contestants.ts'

const MB = 1024 * 1024
const COLD_STARTS = 3
const CONNECTIONS = 16
const READS = {
  'in sequence': { connections: CONNECTIONS, rangeBytes: 8 * MB, ranges: 10, isRandom: false },
  /** As somebody jumps through a film. */
  'at random': { connections: CONNECTIONS, rangeBytes: MB, ranges: 80, isRandom: true },
}

interface Contest {
  disk: MediaBench
  bucket: MediaBench
  s3: S3Server
  limits: { wanted: number; attempts: number }
}

/** What each way in costs, on the disk and in a bucket, beside the same bytes written plainly in the same run. */
export async function run(options: Options, atEnd: AtEnd): Promise<void> {
  const contest = await startContest(options, atEnd)
  console.log(describeMachine())
  console.log(`A film of ${options.megabytes} MB (1 MB = 1024² bytes); a first round warms up.`)
  await printGrowth(contest.disk.film, atEnd)
  await compareUploads(contest, atEnd)
  await compareReads(contest)
}

/** The same without the memory of a first film. */
export async function measureTransfers(
  options: Pick<Options, 'megabytes' | 'rounds'>,
  atEnd: AtEnd,
): Promise<{ uploads: Comparison; reads: Record<keyof typeof READS, Comparison> }> {
  const contest = await startContest(options, atEnd)
  const uploads = await compareUploads(contest, atEnd)
  return { uploads, reads: await compareReads(contest) }
}

async function startContest(
  { megabytes, rounds }: Pick<Options, 'megabytes' | 'rounds'>,
  atEnd: AtEnd,
): Promise<Contest> {
  const limits = { wanted: rounds, attempts: rounds * 2 }
  const folder = await createFolder(atEnd)
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
  return { disk, bucket, s3, limits }
}

async function printGrowth(film: MediaBench['film'], atEnd: AtEnd): Promise<void> {
  console.log('\nResident MB of a program just started that takes its first film, sent in parts:')
  const growths: Growth[] = []
  for (let n = 0; n < COLD_STARTS; n += 1) growths.push(await growthOfFirstUpload(film, atEnd))
  console.table(growths)
}

async function compareUploads(
  { disk, bucket, s3, limits }: Contest,
  atEnd: AtEnd,
): Promise<Comparison> {
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
  return uploads
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

async function compareReads({ disk, bucket, s3, limits }: Contest) {
  const [onDisk, inBucket] = [await publishFilm(disk), await publishFilm(bucket)]
  async function compare(order: keyof typeof READS): Promise<Comparison> {
    const pattern = READS[order]
    const reads = await runRounds(
      [
        ...readContestants(disk, onDisk, pattern),
        ...readContestants(bucket, inBucket, pattern)
          .slice(1)
          .map((one) => ({ ...one, name: 'sealed reads of a bucket', besidePid: s3.pid })),
      ],
      limits,
    )
    const size = pattern.rangeBytes / MB
    console.log(`\n${CONNECTIONS} clients read ranges of ${size} MB ${order}: ${reads.note}.`)
    printComparison(reads, [...READ_REFERENCES, 'sealed reads'])
    return reads
  }
  return { 'in sequence': await compare('in sequence'), 'at random': await compare('at random') }
}

/** The most resident MB of each phase. */
interface Growth {
  before: number
  sending: number
  finishing: number
  growth: number
  'MB/s': number
}

/**
 * By how many resident megabytes a program that was just started grows with the first film that is sent to it in parts:
 * after its sender has signed in, since a password needs memory of its own.
 */
async function growthOfFirstUpload(
  film: { path: string; bytes: number },
  atEnd: AtEnd,
): Promise<Growth> {
  const dataDir = await createFolder(atEnd)
  const program = await startProgram(dataDir, { ROLE: 'all' }, atEnd)
  const headers = { authorization: `Bearer ${(await signUp(program)).token}` }
  const watch = await watchMemory(program.pid, atEnd)
  const url = `${program.origin}${UPLOADS_URL}`
  const startedAt = performance.now()
  let sentMb = Number.NaN
  await uploadInParts({ url, headers, file: film.path, fileBytes: film.bytes }, async () => {
    sentMb = await watch.readPeakMb()
  })
  const seconds = (performance.now() - startedAt) / 1000
  const finishedMb = await watch.readPeakMb()
  const highestMb = Math.max(sentMb, finishedMb)
  return {
    before: Math.round(watch.beforeMb),
    sending: Math.round(sentMb),
    finishing: Math.round(finishedMb),
    growth: Math.round(highestMb - watch.beforeMb),
    'MB/s': Math.round(film.bytes / MB / seconds),
  }
}
