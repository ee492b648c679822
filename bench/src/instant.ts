import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { cameBefore, launchBrowser } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import { addSessions, startPages } from './harness/open-pages.ts'
import type { Options } from './harness/options.ts'
import { type Program, sealLetter, signUp, startProgram } from './harness/program.ts'
import { medianOf } from './harness/rounds.ts'

const TRIALS = 20
const MAX_APART_MS = 100
/** From the seal to the instant: enough to open two pages on a busy machine. */
const LEAD_MS = 6_000
const STREAMS = 2_000
const MAX_LATE_MS = 1_000
/** Between two instants that the same streams wait for. */
const PAUSE_MS = 12_000
const MINUTE_MS = 60_000

interface Bench {
  browser: Browser
  program: Program
  author: string
  reader: string
}

/** Whether browsers whose clocks are wrong turn together, and how late the last of many pages is told of an instant. */
export async function run({ rounds }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), { ROLE: 'api' }, atEnd)
  const { token: author } = await signUp(program)
  const { token: reader } = await signUp(program, 'lecteur')
  await program.call('POST', '/api/auth/onboarded', { token: reader })
  const browser = await launchBrowser(atEnd)
  const bench = { browser, program, author, reader }
  console.log(describeMachine())
  await measureWrongClocks(bench)
  await measureMany(bench, rounds, atEnd)
}

/** A visitor and somebody signed in: one is told by nobody, the other by a stream. */
async function measureWrongClocks(bench: Bench): Promise<void> {
  const apart: number[] = []
  const late: number[] = []
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const instant = Date.now() + LEAD_MS
    const id = await sealLetter(bench.program, bench.author, new Date(instant))
    const wrong = (trial + 1) * MINUTE_MS
    const turns = await openTogether(bench, id, [
      { shiftMs: -wrong, isVisitor: true },
      { shiftMs: wrong * 0.7, isVisitor: false },
    ])
    apart.push(Math.max(...turns) - Math.min(...turns))
    late.push(Math.max(...turns) - instant)
  }
  const worst = Math.max(...apart)
  console.log(`\nTwo browsers whose clocks are wrong by minutes, ${TRIALS} letters:`)
  console.log(
    `they turned ${Math.round(medianOf(apart))} ms apart (median), at worst ${Math.round(worst)} ms: ` +
      `${worst <= MAX_APART_MS ? 'within' : 'NOT within'} ${MAX_APART_MS}. ` +
      `The later one turned ${Math.round(medianOf(late))} ms after the instant (median).`,
  )
}

/** Streams that only receive, and three browsers besides, on the same instants. */
async function measureMany(bench: Bench, instants: number, atEnd: AtEnd): Promise<void> {
  const { program, author } = bench
  const pages = startPages(atEnd)
  const first = Date.now() + 3 * PAUSE_MS
  const letters: { id: string; instant: number }[] = []
  for (let index = 0; index < instants; index += 1) {
    const instant = first + index * PAUSE_MS
    letters.push({ instant, id: await sealLetter(program, author, new Date(instant)) })
  }
  await pages.open({
    port: Number(new URL(program.origin).port),
    tokens: await addSessions(program, STREAMS),
    pages: STREAMS,
    query: `watch=${letters.map(({ id }) => id).join()}`,
  })
  const told: number[] = []
  const turned: number[] = []
  for (const { id, instant } of letters) {
    await delay(instant - PAUSE_MS + MAX_LATE_MS * 2 - Date.now())
    const received = pages.awaitEvent(id)
    const turns = await openTogether(bench, id, [
      { shiftMs: 0, isVisitor: true },
      { shiftMs: 5 * MINUTE_MS, isVisitor: false },
      { shiftMs: -8 * MINUTE_MS, isVisitor: false },
    ])
    told.push((await received).lastAt - instant)
    turned.push(Math.max(...turns) - instant)
  }
  const worst = Math.max(...told)
  console.log(`\n${STREAMS} streams and three browsers, ${instants} instants:`)
  console.log(
    `the last stream was told ${Math.round(medianOf(told))} ms after the instant (median), at worst ${Math.round(worst)} ms: ` +
      `${worst <= MAX_LATE_MS ? 'within' : 'NOT within'} ${MAX_LATE_MS}. ` +
      `The last browser turned after ${Math.round(medianOf(turned))} ms (median), at worst ${Math.round(Math.max(...turned))} ms.`,
  )
}

interface Visit {
  /** How wrong the clock of the device is. */
  shiftMs: number
  isVisitor: boolean
}

/** Opens the letter in so many browsers before its instant; answers when each of them turned, by one and the same clock. */
async function openTogether(bench: Bench, id: string, visits: Visit[]): Promise<number[]> {
  const pages = await Promise.all(visits.map((visit) => openPage(bench, visit)))
  try {
    return await Promise.all(
      pages.map(async (page) => {
        await page.goto(`${bench.program.origin}/revelation/${id}`)
        return page.evaluate(awaitTurn)
      }),
    )
  } finally {
    await Promise.all(pages.map((page) => page.context().close()))
  }
}

async function openPage({ browser, reader }: Bench, { shiftMs, isVisitor }: Visit): Promise<Page> {
  const context = await browser.newContext({
    locale: 'fr-BE',
    timezoneId: 'Europe/Brussels',
    serviceWorkers: 'block',
  })
  await context.addInitScript(shiftClock, shiftMs)
  if (!isVisitor) await cameBefore(context, reader)
  return context.newPage()
}

/** In the page: another clock, that goes as fast. */
function shiftClock(shiftMs: number): void {
  const RightDate = Date
  class WrongDate extends RightDate {
    static override now() {
      return RightDate.now() + shiftMs
    }
    constructor(...given: [] | [number]) {
      if (given.length === 0) super(RightDate.now() + shiftMs)
      else super(...given)
    }
  }
  window.Date = WrongDate as DateConstructor
}

/** In the page: when the first frame of its turn was due, by the clock of the machine. */
function awaitTurn(): Promise<number> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (!document.querySelector('.reveal-animation')) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
    }
    const observer = new MutationObserver(check)
    observer.observe(document.body, { childList: true, subtree: true })
    if (document.querySelector('.paper-letter')) reject(new Error('The page came too late'))
    check()
  })
}
