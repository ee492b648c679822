import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { cameBefore, launchBrowser } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { type Frames, watchFrames } from './harness/frames.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'
import { inRounds, medianOf } from './harness/rounds.ts'
import { noteShifts, summarizeShifts } from './harness/shifts.ts'

/** What the ritual may last, its gesture included. */
const MAX_MS = 1_200
const MAX_SHIFT = 0.02
const FRAME_MS = 1_000 / 60
const SCREENS = {
  phone: { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 900 } },
}

type Gesture = (page: Page) => Promise<unknown>

const GESTURES: Record<string, Gesture> = {
  tapped: (page) => page.locator('.hold-button').click(),
  async held(page) {
    await page.locator('.hold-button').hover()
    await page.mouse.down()
  },
}

/** Whether anything shifts or stumbles while a letter is sealed on a slow device, and how long it lasts. */
export async function run({ rounds }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), { ROLE: 'api' }, atEnd)
  const { token } = await signUp(program)
  const browser = await launchBrowser(atEnd)
  const turns = Object.entries(GESTURES).flatMap(([name, gesture]) =>
    Object.entries(SCREENS).map(([screen, size]) => ({
      name: `${name}, ${screen}`,
      run: () => sealOnce({ browser, program, token, size }, gesture),
    })),
  )
  const { rows, note } = await inRounds(turns, { wanted: rounds, attempts: rounds * 2 })
  console.log(describeMachine())
  console.table(Object.fromEntries(rows.map(({ name, costs }) => [name, summarize(costs)])))
  console.log(note)
}

interface Sealed extends Frames {
  ms: number
  shift: number
  shifted: string
}

interface Scene {
  browser: Browser
  program: Program
  token: string
  size: object
}

async function sealOnce(
  { browser, program, token, size }: Scene,
  gesture: Gesture,
): Promise<Sealed> {
  const context = await browser.newContext({ ...size, locale: 'fr-BE', serviceWorkers: 'block' })
  try {
    await cameBefore(context, token)
    const page = await context.newPage()
    await writeUntilSeal(page, program.origin)
    await page.waitForTimeout(500)
    await page.evaluate(noteShifts, { buffered: false })
    await page.evaluate(noteRitual)
    let ms = 0
    const frames = await watchFrames(page, async () => {
      await gesture(page)
      ms = await page.evaluate(() => window.ritual)
    })
    return { ...frames, ms, ...(await summarizeShifts(page)) }
  } finally {
    await context.close()
  }
}

/** A capsule for oneself, up to the seal. */
async function writeUntilSeal(page: Page, origin: string): Promise<void> {
  const goOn = () => page.getByRole('button', { name: 'Continuer' }).click()
  await page.goto(`${origin}/create`)
  await page.getByRole('radio', { name: /^Une capsule pour moi/ }).check({ force: true })
  await goOn()
  await page
    .getByRole('textbox', { name: 'Votre lettre' })
    .fill('Quand je lirai ceci, le cerisier aura dix ans.')
  await goOn()
  await page.getByRole('button', { name: 'Dans un an', exact: true }).click()
  await goOn()
  await page.locator('.hold-button').waitFor()
}

declare global {
  interface Window {
    /** How long it lasted, from the first fold to the stamp that has left. */
    ritual: Promise<number>
  }
}

/** In the page: notes when the letter begins to fold, and when its seal is there. */
function noteRitual(): void {
  const scene = document.querySelector<HTMLElement>('.seal-scene')
  if (!scene) throw new Error('There is no letter to seal')
  let beganAt = 0
  window.ritual = new Promise((resolve) => {
    new MutationObserver(() => {
      if (scene.dataset.stage !== 'open') beganAt ||= performance.now()
      if (scene.dataset.stage !== 'pressing') return
      const moving = scene.getAnimations({ subtree: true })
      void Promise.allSettled(moving.map(({ finished }) => finished)).then(() => {
        // What comes next is another step: its frames and what it moves are not the ritual's.
        window.name = ''
        window.layoutShifts = [...window.layoutShifts]
        resolve(performance.now() - beganAt)
      })
    }).observe(scene, { attributes: true })
  })
}

function summarize(sealed: Sealed[]) {
  const median = (read: (turn: Sealed) => number) => medianOf(sealed.map(read))
  const [ms, shift] = [median((turn) => turn.ms), median((turn) => turn.shift)]
  const [frame, stumbles] = [median((turn) => turn.medianMs), median((turn) => turn.over50Ms)]
  const isWithin = ms <= MAX_MS && shift <= MAX_SHIFT && frame < FRAME_MS * 1.1 && stumbles === 0
  return {
    'lasts ms': Math.round(ms),
    shift: shift.toFixed(3),
    shifted: sealed.find((turn) => turn.shift >= shift)?.shifted,
    'median frame ms': frame.toFixed(1),
    'longest frame ms': Math.round(median((turn) => turn.longestMs)),
    '': isWithin ? 'Within' : 'NOT within',
  }
}
