// Paints the media of the demo (`server/demo-media`) again: `node script/make-demo-media.ts`. Their drawings are in
// `script/demo-media`; Chromium paints them with the fonts of the site, ffmpeg encodes them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from '../e2e/chromium.ts'

const SCENES = path.join(import.meta.dirname, 'demo-media')
const TARGET = path.resolve(import.meta.dirname, '../server/demo-media')
const FPS = 24
const FONTS = [
  ['Fraunces Variable', '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2'],
  ['Figtree Variable', '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'],
] as const

/** A morning: three bells, a fifth and an octave apart, above a soft low note. */
const MORNING = [
  '0.05*sin(2*PI*110*t)*min(1,t/2)*min(1,(8-t)/1.5)',
  '0.05*sin(2*PI*164.81*t)*min(1,max(0,t-1)/3)*min(1,(8-t)/1.5)',
  ...[
    [1.8, 440],
    [3.2, 659.26],
    [4.6, 880],
    [5.0, 1108.73],
    [5.4, 1318.51],
  ].map(
    ([at, pitch]) =>
      `gte(t,${at})*0.11*exp(-1.7*(t-${at}))*(sin(2*PI*${pitch}*t)+0.35*sin(2*PI*${Number(pitch) * 2.01}*t))`,
  ),
].join('+')

/** Wind over dunes. */
const WIND = '0.06*(random(0)*2-1)*(0.6+0.4*sin(2*PI*0.3*t))'

const { executablePath, args, env } = await findChromium()
const browser = await chromium.launch({ executablePath, args, env })
await mkdir(path.join(TARGET, 'local'), { recursive: true })
await mkdir(path.join(TARGET, 'thumbnails'), { recursive: true })
await makeFilm('aurore', {
  sound: MORNING,
  soundFilter: 'aecho=0.8:0.6:60|140:0.3|0.2',
  thumbnailAt: 4.1,
})
await makeFilm('mars', { sound: WIND, soundFilter: 'lowpass=f=420', thumbnailAt: 2 })
await makePicture('cerisier')
await browser.close()

interface Film {
  sound: string
  soundFilter: string
  thumbnailAt: number
}

async function makeFilm(name: string, { sound, soundFilter, thumbnailAt }: Film): Promise<void> {
  const { page, seconds } = await openScene(name, 640, 360)
  const ffmpeg = spawn(
    process.env.FFMPEG_PATH || 'ffmpeg',
    [
      ...['-v', 'error', '-y', '-f', 'image2pipe', '-framerate', String(FPS), '-i', '-'],
      ...['-f', 'lavfi', '-i', `aevalsrc='${sound}':s=32000:d=${seconds}`],
      ...['-af', soundFilter, '-c:a', 'aac', '-b:a', '40k', '-ac', '1', '-t', String(seconds)],
      ...['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '25', '-aq-mode', '3'],
      ...['-pix_fmt', 'yuv420p', '-profile:v', 'main', '-movflags', '+faststart'],
      ...['-map_metadata', '-1', path.join(TARGET, 'local', `${name}.mp4`)],
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  for (let frame = 0; frame < seconds * FPS; frame += 1) {
    if (!ffmpeg.stdin.write(await paint(page, frame / FPS))) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  await once(ffmpeg, 'close')
  await saveThumbnail(name, await paint(page, thumbnailAt))
  await page.close()
}

async function makePicture(name: string): Promise<void> {
  const { page } = await openScene(name, 1280, 720)
  const painted = await paint(page, 0)
  await sharp(painted)
    .webp({ quality: 78, effort: 6 })
    .toFile(path.join(TARGET, 'local', `${name}.webp`))
  await saveThumbnail(name, painted)
  await page.close()
}

async function saveThumbnail(name: string, painted: Buffer): Promise<void> {
  const thumbnail = sharp(painted).resize(640, 360).webp({ quality: 76, effort: 6 })
  await thumbnail.toFile(path.join(TARGET, 'thumbnails', `${name}.webp`))
}

async function openScene(name: string, width: number, height: number) {
  const page = await browser.newPage()
  await page.setContent(`<canvas width="${width}" height="${height}"></canvas>`)
  for (const [family, file] of FONTS) {
    const bytes = await readFile(fileURLToPath(import.meta.resolve(file)))
    await page.evaluate(
      async ([family, data]) => {
        const face = new FontFace(family, `url(data:font/woff2;base64,${data})`, {
          weight: '100 900',
        })
        document.fonts.add(await face.load())
      },
      [family, bytes.toString('base64')] as const,
    )
  }
  await page.addScriptTag({ path: path.join(SCENES, 'painting.js') })
  await page.addScriptTag({ path: path.join(SCENES, `${name}.js`) })
  const seconds = await page.evaluate(() => (globalThis as unknown as { seconds: number }).seconds)
  return { page, seconds }
}

async function paint(page: Page, at: number): Promise<Buffer> {
  const data = await page.evaluate((t) => {
    const canvas = document.querySelector('canvas')
    const { draw } = globalThis as unknown as {
      draw: (ctx: CanvasRenderingContext2D | null | undefined, t: number) => void
    }
    draw(canvas?.getContext('2d'), t)
    return canvas?.toDataURL('image/png').split(',')[1] ?? ''
  }, at)
  return Buffer.from(data, 'base64')
}
