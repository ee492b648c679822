import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { cameBefore, launchBrowser } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import type { Options } from './harness/options.ts'
import { type Program, sealLetter, signUp, startProgram } from './harness/program.ts'

const RESULTS = path.resolve(import.meta.dirname, '../../test-results/film')
const STEP_MS = 50
/** The step of the sheets that are small enough for `docs/images`. */
const FEW_STEP_MS = 150
const LAST_MS = 3_200
const SETTLED_MS = 800
const REVEAL_IN_MS = 6_000

interface Take {
  name: string
  width: number
  colorScheme: 'light' | 'dark'
  reducedMotion: 'no-preference' | 'reduce'
  /** The letter has a picture. */
  isIllustrated: boolean
}

const TAKES: Take[] = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['no-preference', 'reduce'] as const).flatMap((reducedMotion) =>
      [false, true].map((isIllustrated) => ({
        name: [
          width,
          colorScheme,
          reducedMotion === 'reduce' && 'reduced',
          isIllustrated && 'picture',
        ]
          .filter(Boolean)
          .join('-'),
        ...{ width, colorScheme, reducedMotion, isIllustrated },
      })),
    ),
  ),
)

/**
 * The opening of a letter as pictures, one each 50 ms of the animation’s own clock, and a contact sheet of each take, in
 * `test-results/film`: to be looked at.
 */
export async function run(_options: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), {}, atEnd)
  const browser = await launchBrowser(atEnd)
  const { token } = await signUp(program)
  await rm(RESULTS, { recursive: true, force: true })
  await mkdir(RESULTS, { recursive: true })
  const picture = await drawPicture(browser)
  const revealAt = new Date(Date.now() + REVEAL_IN_MS)
  const ids: string[] = []
  for (const { isIllustrated } of TAKES) {
    const file = isIllustrated ? await sendPicture(program, token, picture) : undefined
    const changes = { ...LETTER, file_url: file }
    ids.push(await sealLetter(program, token, revealAt, changes))
  }
  await new Promise((resolve) => setTimeout(resolve, revealAt.getTime() + 500 - Date.now()))
  const wanted = process.env.TAKES?.split(',')
  for (const [index, take] of TAKES.entries()) {
    if (wanted && !wanted.includes(take.name)) continue
    const frames = await film(browser, `${program.origin}/revelation/${ids[index]}`, token, take)
    await writeFrames(take, frames)
    await writeContactSheet(browser, take, take.name, frames)
    const few = frames.filter(({ atMs }) => atMs < 0 || atMs % FEW_STEP_MS === 0)
    await writeContactSheet(browser, take, `${take.name}-few`, few)
    console.log(`${take.name}: ${frames.length} pictures`)
  }
  console.log(`In ${path.relative(process.cwd(), RESULTS)}.`)
}

/** For its own author: whoever it is addressed to opens it by hand. */
const LETTER = {
  title: 'Pour tes dix-huit ans',
  target_email: 'bench@exemple.test',
  visibility: 'private',
  content: `Ma chère Lucie,

Si tu lis ces mots, c’est que tu as dix-huit ans aujourd’hui. Je les ai écrits un soir de novembre. Tu dormais dans la chambre d’à côté, et il neigeait sur le jardin.

Je voulais que tu saches ceci. Rien de ce que tu choisiras ne me décevra. Pars loin, trompe-toi, recommence ! Et reviens nous raconter.

La boîte bleue est toujours sous l’escalier. Elle est à toi.`,
}

/** A landscape as JPEG: no photograph of anybody. */
async function drawPicture(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  await page.setContent(`<body style="margin:0;height:100vh;background:
    radial-gradient(circle at 70% 42%, #fff4d6 0 6%, #ffd58a 7%, transparent 30%),
    linear-gradient(172deg, transparent 62%, #2f5d50 62.2% 74%, transparent 74.2%),
    linear-gradient(188deg, transparent 70%, #1d4038 70.2%),
    linear-gradient(#7fb2d9, #f3c9a5 60%, #e8a77c)">`)
  const bytes = await page.screenshot({ type: 'jpeg', quality: 85 })
  await page.close()
  return bytes
}

/** Its address: each letter has a file of its own. */
async function sendPicture(program: Program, token: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('folder', 'images')
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'jardin.jpg')
  const answer = await fetch(`${program.origin}/api/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  return ((await answer.json()) as { url: string }).url
}

interface Frame {
  atMs: number
  /** JPEG. */
  bytes: Buffer
}

async function film(browser: Browser, url: string, token: string, take: Take): Promise<Frame[]> {
  const { width, colorScheme, reducedMotion } = take
  const context = await browser.newContext({
    viewport: { width, height: width === 360 ? 800 : 900 },
    ...{ colorScheme, reducedMotion, locale: 'fr-BE', timezoneId: 'Europe/Brussels' },
  })
  await cameBefore(context, token)
  const page = await context.newPage()
  await page.goto(url)
  const seal = page.getByRole('button', { name: 'Briser le sceau et ouvrir la lettre' })
  await seal.waitFor()
  await page.evaluate(() => document.fonts.ready)
  // The picture of the letter is fetched while the seal is whole.
  await page.waitForTimeout(SETTLED_MS)
  const frames = [{ atMs: -STEP_MS, bytes: await shoot(page) }]
  await seal.press('Enter')
  await page.locator('.reveal-animation').waitFor({ state: 'attached' })
  for (let atMs = 0; atMs <= LAST_MS; atMs += STEP_MS) {
    await page.evaluate(showAt, atMs)
    frames.push({ atMs, bytes: await shoot(page) })
  }
  await context.close()
  return frames
}

/** Runs in the page: stops its animations at this time of their clock. */
async function showAt(atMs: number): Promise<void> {
  for (const animation of document.getAnimations()) {
    animation.pause()
    animation.currentTime = atMs
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}

function shoot(page: Page): Promise<Buffer> {
  return page.screenshot({ type: 'jpeg', quality: 80 })
}

async function writeContactSheet(
  browser: Browser,
  { width }: Take,
  name: string,
  frames: Frame[],
): Promise<void> {
  const shown = width === 360 ? { width: 150, columns: 11 } : { width: 290, columns: 6 }
  const page = await browser.newPage({
    viewport: { width: shown.columns * (shown.width + 8) + 16, height: 400 },
  })
  const figures = frames.map(
    ({ atMs, bytes }) =>
      `<figure><img width="${shown.width}" src="data:image/jpeg;base64,${bytes.toString('base64')}">
       <figcaption>${atMs < 0 ? 'avant' : `${atMs} ms`}</figcaption></figure>`,
  )
  await page.setContent(`<style>
    body { margin: 8px; display: flex; flex-wrap: wrap; gap: 8px; font: 12px sans-serif; background: #888; color: #fff }
    figure { margin: 0 } img { display: block }</style>${figures.join('')}`)
  await page.screenshot({
    path: path.join(RESULTS, `${name}.jpg`),
    ...{ fullPage: true, type: 'jpeg', quality: 75 },
  })
  await page.close()
}

async function writeFrames({ name }: Take, frames: Frame[]): Promise<void> {
  const folder = path.join(RESULTS, name)
  await mkdir(folder)
  for (const [index, { bytes }] of frames.entries()) {
    await writeFile(path.join(folder, `${String(index * STEP_MS).padStart(4, '0')}.jpg`), bytes)
  }
}
