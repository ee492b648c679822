import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { cameBefore, launchBrowser } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, sealLetter, signUp, startProgram } from './harness/program.ts'
import { inRounds, medianOf } from './harness/rounds.ts'
import { copyLayers, type Turn, watchLayers, watchTurn } from './harness/turns.ts'

const MAX_SHIFT = 0.02
const MIN_FRAMES = 0.9
/** From the seal to the instant: enough to open a page on a busy machine. */
const LEAD_MS = 8_000
/** A page is watched from so long before its instant: what its own loading moves is over. */
const WATCHED_MS = 1_500
const A_DAY_MS = 86_400_000
const FILLERS = 6
const SCREENS = {
  phone: { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 900 } },
}

interface Bench {
  browser: Browser
  program: Program
  author: string
  reader: { token: string; email: string }
}

/** Leads a page to just before its turn; the answer turns it. */
type Scene = (bench: Bench, page: Page) => Promise<() => Promise<unknown>>

const SCENES: Record<string, Scene> = {
  async 'a letter that waited, tapped'({ program, author, reader }, page) {
    const instant = new Date(Date.now() + 1_000)
    const id = await sealLetter(program, author, instant, { target_email: reader.email })
    await delay(instant.getTime() - Date.now())
    await page.goto(`${program.origin}/revelation/${id}`)
    const whole = page.locator('.breakable-seal')
    await whole.waitFor()
    await delay(WATCHED_MS)
    return () => whole.click()
  },
  async 'a page open at the instant'({ program, author, reader }, page) {
    const instant = new Date(Date.now() + LEAD_MS)
    const id = await sealLetter(program, author, instant, { target_email: reader.email })
    await page.goto(`${program.origin}/revelation/${id}`)
    return until(instant)
  },
  /** The newest card turns, the next begins to wait for its reader, and others stand beside and below. */
  async 'a feed at the instant'({ program, author }, page) {
    for (let index = 0; index < FILLERS; index += 1) {
      await sealLetter(program, author, new Date(Date.now() + A_DAY_MS))
    }
    const instant = new Date(Date.now() + LEAD_MS)
    await sealLetter(program, author, instant, { visibility: 'friends' })
    const id = await sealLetter(program, author, instant)
    await page.goto(program.origin)
    const card = page.locator('article').filter({ has: page.locator(`[href$="${id}"]`) })
    await card.waitFor()
    await card.evaluate((element) => element.scrollIntoView())
    return until(instant)
  },
}

/** Whether anything shifts or stumbles while a letter opens, and its frames beside those of the animated layers alone. */
export async function run({ rounds }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), { ROLE: 'api' }, atEnd)
  const browser = await launchBrowser(atEnd)
  const bench = { browser, program, ...(await befriend(program)) }
  const turns = Object.entries(SCENES).flatMap(([name, scene]) =>
    Object.entries(SCREENS).map(([screen, size]) => ({
      name: `${name}, ${screen}`,
      run: createMeasure(bench, scene, size),
    })),
  )
  const { rows, note } = await inRounds(turns, { wanted: rounds, attempts: rounds * 2 })
  console.log(describeMachine())
  console.table(Object.fromEntries(rows.map(({ name, costs }) => [name, summarize(costs)])))
  for (const { name, costs } of rows) {
    const shifted = costs.find(({ shift }) => shift > MAX_SHIFT)?.shifted
    if (shifted) console.log(`${name}: what moved most is ${shifted}`)
  }
  console.log(note)
}

/** An author, and a friend who reads. */
async function befriend(program: Program): Promise<Pick<Bench, 'author' | 'reader'>> {
  const [author, reader] = [await signUp(program), await signUp(program, 'lecteur')]
  for (const [from, to] of [
    [author, reader],
    [reader, author],
  ] as const) {
    const body = { receiver_id: to.userId, type: 'friend', confirm: true }
    await program.call('POST', '/api/relationships/request', { token: from.token, body })
  }
  await program.call('POST', '/api/auth/onboarded', { token: reader.token })
  return { author: author.token, reader }
}

/** Waits for nothing but the instant. Throws where the page came too late to be seen turning. */
async function until(instant: Date): Promise<() => Promise<void>> {
  const early = instant.getTime() - WATCHED_MS - Date.now()
  if (early < 0) throw new Error('The page was not open before the instant')
  await delay(early)
  return async () => undefined
}

interface Measured extends Turn {
  framesRatio: number
}

/** The layers are copied from a turn that is not measured. */
function createMeasure(bench: Bench, scene: Scene, size: object): () => Promise<Measured> {
  const { browser, reader } = bench
  let layers: string | undefined
  return async () => {
    const context = await browser.newContext({
      ...size,
      locale: 'fr-BE',
      timezoneId: 'Europe/Brussels',
      serviceWorkers: 'block',
    })
    try {
      await cameBefore(context, reader.token)
      const page = await context.newPage()
      layers ??= await copyLayers(page, await scene(bench, page))
      const turn = await watchTurn(browser, page, await scene(bench, page))
      const bare = await watchLayers(browser, page, layers)
      return { ...turn, framesRatio: turn.framesPerSecond / bare }
    } finally {
      await context.close()
    }
  }
}

function summarize(turns: Measured[]) {
  const median = (read: (turn: Measured) => number) => medianOf(turns.map(read))
  const [shift, frames] = [median((turn) => turn.shift), median((turn) => turn.framesRatio)]
  const longTasks = median((turn) => turn.longTasks)
  return {
    shift: shift.toFixed(3),
    'long tasks': longTasks,
    'longest ms': Math.round(median((turn) => turn.longestTaskMs)),
    'frames/s': median((turn) => turn.framesPerSecond).toFixed(1),
    '÷ bare layers': frames.toFixed(2),
    '': shift <= MAX_SHIFT && longTasks === 0 && frames >= MIN_FRAMES ? 'Within' : 'NOT within',
  }
}
