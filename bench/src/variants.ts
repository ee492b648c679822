import { fork } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { loadBy } from './feed.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { runFfmpeg } from './harness/ffmpeg.ts'
import type { Load } from './harness/load-client.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, sealLetter, signUp, startProgram } from './harness/program.ts'
import { inRounds, medianOf, type Rounds } from './harness/rounds.ts'
import { secondsOf, sendFile, startClient, type TransferClient } from './harness/transfers.ts'

const WHOLE_FILM_SECONDS = 30
const QUICK_FILM_SECONDS = 10
const TEASER = { start: 1, seconds: 8 }
const LETTERS = 20
const CONNECTIONS = 8
const POLL_MS = 20
const IN_A_YEAR_MS = 365 * 86_400_000

export interface MeasuredVariants {
  /** Seconds until teaser, pictures and the copy for phones are there. */
  rounds: Rounds<number>
  /** Milliseconds of the slowest answers of a visitor's feed, round by round. */
  feed: { quietP99: number[]; busyP99: number[] }
}

interface Bench {
  program: Program
  token: string
  client: TransferClient
  film: string
  load(): Promise<Load>
}

/** What is made of a film, by the program and by ffmpeg alone; and how the feed is answered meanwhile. */
export async function run(
  { rounds: wanted, seconds, quick }: Pick<Options, 'rounds' | 'seconds' | 'quick'>,
  atEnd: AtEnd,
): Promise<MeasuredVariants> {
  const folder = await createFolder(atEnd)
  const film = path.join(folder, 'film.mp4')
  const filmSeconds = quick ? QUICK_FILM_SECONDS : WHOLE_FILM_SECONDS
  await createFilm(film, filmSeconds)
  const bench = await startBench(path.join(folder, 'data'), film, seconds, atEnd)
  console.log(describeMachine())
  const rounds = await inRounds(
    [
      {
        name: 'the program',
        run: async () => {
          // The work begins as the last byte of the film has come.
          const url = await sendFilm(bench)
          return secondsOf(() => prepareBySealing(bench, url))
        },
      },
      { name: 'ffmpeg alone', run: () => secondsOf(() => prepareByFfmpeg(film, folder)) },
    ],
    { wanted, attempts: wanted * 2 },
  )
  printTimes(rounds, filmSeconds)
  const feed = await compareFeeds(bench, wanted)
  console.log(
    `The feed of a visitor, ${CONNECTIONS} connections, p99: ${medianOf(feed.quietP99).toFixed(1)} ms quiet, ${medianOf(feed.busyP99).toFixed(1)} ms meanwhile.`,
  )
  return { rounds, feed }
}

async function startBench(
  dataDir: string,
  film: string,
  seconds: number,
  atEnd: AtEnd,
): Promise<Bench> {
  const program = await startProgram(dataDir, {}, atEnd)
  const { token } = await signUp(program)
  for (let number = 0; number < LETTERS; number += 1) await sealLetter(program, token, new Date())
  const loader = fork(new URL('./harness/load-client.ts', import.meta.url))
  atEnd(() => loader.disconnect())
  const requests = [{ method: 'GET', path: '/api/revelations', headers: {} }]
  const port = Number(new URL(program.origin).port)
  const order = { port, connections: CONNECTIONS, seconds, requests, status: 200 }
  return {
    ...{ program, token, film },
    client: startClient(atEnd),
    load: () => loadBy(loader, order),
  }
}

/** As a phone takes it: 1080p, thirty pictures a second, with sound. */
async function createFilm(file: string, seconds: number): Promise<void> {
  const picture = `testsrc2=size=1920x1080:rate=30:duration=${seconds},noise=alls=12:allf=t`
  await runFfmpeg([
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '12M', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-movflags', '+faststart', file],
  ])
}

async function sendFilm({ program: { origin }, token, client, film }: Bench): Promise<string> {
  const sent = { kind: 'upload', file: film, fileBytes: (await stat(film)).size } as const
  return (await sendFile(client, { origin, token, ...sent })).upload.url
}

/** Seals a film that was sent, with a teaser, until all that is made of it is there. */
async function prepareBySealing({ program, token }: Bench, fileUrl: string): Promise<void> {
  await sealLetter(program, token, new Date(Date.now() + IN_A_YEAR_MS), {
    file_url: fileUrl,
    teaser_start: TEASER.start,
    teaser_end: TEASER.start + TEASER.seconds,
  })
  for (;;) {
    const steps = await program.db.selectFrom('mediaSteps').select('state').distinct().execute()
    if (steps.some(({ state }) => state === 'failed')) throw new Error('A film cannot be prepared')
    if (steps.every(({ state }) => state === 'completed')) return
    await delay(POLL_MS)
  }
}

/** The same sizes and qualities from the plain file, two at once as the program has them (`media-tools/variants.ts`). */
async function prepareByFfmpeg(film: string, folder: string): Promise<void> {
  const out = (name: string) => path.join(folder, name)
  const encode = (width: number, height: number, crf: number, kbps: number, soundKbps: number) => [
    ...['-vf', `fps=30,scale=${width}:${height},format=yuv420p`, '-c:v', 'libx264'],
    ...['-preset', 'veryfast', '-profile:v', 'main', '-crf', `${crf}`, '-maxrate', `${kbps}k`],
    ...['-bufsize', `${kbps * 2}k`, '-g', '60', '-c:a', 'aac', '-b:a', `${soundKbps}k`],
    ...['-movflags', '+faststart'],
  ]
  const poster = (source: string, second: number, to: string) =>
    runFfmpeg([
      ...['-ss', `${second}`, '-i', source, '-frames:v', '1', '-vf', 'scale=960:540', out(to)],
    ])
  const forThePage = async () => {
    await poster(film, 1, 'poster.png')
    const window = ['-ss', `${TEASER.start}`, '-t', `${TEASER.seconds}`]
    await runFfmpeg([
      ...window,
      '-i',
      film,
      ...encode(1280, 720, 24, 2_500, 128),
      out('teaser.mp4'),
    ])
    await poster(out('teaser.mp4'), 0.8, 'teaser.png')
  }
  const forPhones = () =>
    runFfmpeg(['-i', film, ...encode(854, 480, 27, 736, 64), out('mobile.mp4')])
  await Promise.all([forThePage(), forPhones()])
}

/** The feed while nothing else happens, then while a film is prepared; a first round warms up. */
async function compareFeeds(bench: Bench, wanted: number): Promise<MeasuredVariants['feed']> {
  const feed: MeasuredVariants['feed'] = { quietP99: [], busyP99: [] }
  await bench.load()
  for (let round = 0; round < wanted; round += 1) {
    feed.quietP99.push((await bench.load()).p99Ms)
    const prepared = prepareBySealing(bench, await sendFilm(bench))
    feed.busyP99.push((await bench.load()).p99Ms)
    await prepared
  }
  return feed
}

function printTimes({ rows, note }: Rounds<number>, filmSeconds: number): void {
  console.log(`\nA film of ${filmSeconds} s in 1080p, a teaser of ${TEASER.seconds} s: ${note}.`)
  console.table(
    Object.fromEntries(
      rows.map(({ name, costs }) => [name, { seconds: medianOf(costs).toFixed(2) }]),
    ),
  )
}
