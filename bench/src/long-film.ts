import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { cameBefore, launchPhone } from './harness/browser.ts'
import { readBrowserMemory } from './harness/browser-memory.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { runFfmpeg } from './harness/ffmpeg.ts'
import { listenLocally } from './harness/local-server.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, sealLetter, signUp, startProgram } from './harness/program.ts'
import { medianOf } from './harness/rounds.ts'
import { sendFile, startClient } from './harness/transfers.ts'

const MB = 1024 * 1024
/** Just below what a letter may carry. */
const FILM_MB = 590
/** Far from each other, so that no place was read with the last one. */
const PLACES = [0.5, 0.97, 0.02, 0.75, 0.25, 0.6, 0.1, 0.9, 0.4, 0.33]
const PLAYED_MS = 60_000
const SAMPLES = 12

/** An hour of film in a letter: how many answers a jump waits for, and the memory of its page, beside a bare player. */
export async function run({ minutes }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const file = path.join(folder, 'film.mp4')
  await createFilm(file, minutes * 60)
  const program = await startProgram(path.join(folder, 'data'), {}, atEnd)
  const id = await publish(program, file, atEnd)
  const bare = await serveBare(file, atEnd)
  console.log(describeMachine())
  console.log(`${minutes} minutes, ${Math.round((await stat(file)).size / MB)} MB`)
  const pages = { 'a letter': `${program.origin}/revelation/${id}`, 'a bare player': bare }
  const rows: Record<string, object> = {}
  for (const [name, address] of Object.entries(pages)) {
    rows[name] = await watch(path.join(folder, name), address, atEnd)
  }
  console.table(rows)
}

/** Noise, which fills its bit rate. */
async function createFilm(file: string, seconds: number): Promise<void> {
  const bitsPerSecond = Math.round((FILM_MB * MB * 8) / seconds)
  const picture = `testsrc2=size=320x180:rate=24:duration=${seconds},noise=alls=60:allf=t`
  const rate = ['-b:v', `${bitsPerSecond}`, '-maxrate', `${bitsPerSecond}`, '-bufsize', '4M']
  await runFfmpeg([
    ...['-f', 'lavfi', '-i', picture, '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...[...rate, '-x264-params', 'nal-hrd=cbr', '-g', '48', '-pix_fmt', 'yuv420p'],
    ...['-movflags', '+faststart', file],
  ])
}

async function publish(program: Program, file: string, atEnd: AtEnd): Promise<string> {
  const { token } = await signUp(program)
  const { origin } = program
  const sent = { kind: 'resumable', file, fileBytes: (await stat(file)).size } as const
  const { upload } = await sendFile(startClient(atEnd), { origin, token, ...sent })
  return sealLetter(program, token, new Date(), { file_url: upload.url })
}

async function serveBare(file: string, atEnd: AtEnd): Promise<string> {
  const { size } = await stat(file)
  return listenLocally(({ url, headers }, response) => {
    if (url !== '/film.mp4') {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        '<button>Lire</button><video src="/film.mp4" preload="none" width="320"></video>',
      )
      return
    }
    const [, from = '0', to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const [start, end] = [Number(from), to ? Number(to) : size - 1]
    response.writeHead(206, {
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    })
    const stream = createReadStream(file, { start, end }).pipe(response)
    stream.on('error', () => response.destroy())
  }, atEnd)
}

async function watch(profile: string, address: string, atEnd: AtEnd) {
  const context = await launchPhone(profile, atEnd)
  await cameBefore(context)
  const page = context.pages()[0] ?? (await context.newPage())
  let asked = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'media') asked += 1
  })
  await page.goto(address)
  await page.getByRole('button', { name: /^Lire/ }).first().click()
  await page.evaluate(playFilm)
  const started = asked
  const jumps: number[] = []
  const seconds: number[] = []
  for (const place of PLACES) {
    asked = 0
    seconds.push(await page.evaluate(jumpTo, place))
    jumps.push(asked)
  }
  const memory = await playOn(page, profile)
  await context.close()
  return {
    'requests to start': started,
    'requests per jump': jumps.join(' '),
    'jump s (median)': medianOf(seconds).toFixed(2),
    ...memory,
  }
}

async function playOn(page: Page, profile: string) {
  const pagesMb: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await delay(PLAYED_MS / SAMPLES)
    pagesMb.push((await readBrowserMemory(profile)).pageMb)
  }
  const isPlaying = await page.locator('video').evaluate((video: HTMLVideoElement) => !video.paused)
  if (!isPlaying) throw new Error('The film stood still')
  return { 'page MB, first': pagesMb[0], 'page MB, most': Math.max(...pagesMb) }
}

/** In the page. */
async function playFilm(): Promise<void> {
  const video = document.querySelector('video')
  if (!video) throw new Error('No film')
  video.muted = true
  await video.play()
}

/** In the page: seconds until the picture of this part of the film is there. */
async function jumpTo(part: number): Promise<number> {
  const video = document.querySelector('video')
  if (!video) throw new Error('No film')
  const startedAt = performance.now()
  const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
  video.currentTime = video.duration * part
  await seeked
  return (performance.now() - startedAt) / 1000
}
