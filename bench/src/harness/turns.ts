import type { Browser, Page } from '@playwright/test'
import { CPU_SLOWDOWN } from './frames.ts'
import { noteShifts, type ShiftSummary, summarizeShifts } from './shifts.ts'

/** An event for each frame and for each task, and our own marks. */
const TRACED = ['cc', 'benchmark', 'disabled-by-default-devtools.timeline', 'blink.user_timing']
const LONG_TASK_MS = 50
/** What follows the animation still belongs to the turn. */
const SETTLED_MS = 500

export interface Turn extends ShiftSummary {
  /** Of the main thread on the slow device. By the time it computed and not by the clock: others may keep this machine busy. */
  longTasks: number
  longestTaskMs: number
  framesPerSecond: number
}

interface TurnNotes {
  begun: Promise<void>
  over: Promise<void>
}

declare global {
  interface Window {
    turn: TurnNotes
  }
}

/** Watches from now until what opens has opened. */
export async function watchTurn(
  browser: Browser,
  page: Page,
  act: () => Promise<unknown>,
): Promise<Turn> {
  await page.evaluate(noteShifts, { buffered: false })
  await page.evaluate(noteTurn)
  await browser.startTracing(page, { categories: TRACED })
  await act()
  await page.evaluate(() => window.turn.over)
  await page.waitForTimeout(SETTLED_MS)
  const trace = readTrace(await browser.stopTracing())
  return {
    ...(await summarizeShifts(page)),
    longTasks: trace.tasksMs.filter((ms) => ms > LONG_TASK_MS).length,
    longestTaskMs: Math.max(...trace.tasksMs),
    framesPerSecond: trace.framesPerSecond,
  }
}

/** The animated layers of a turn alone, as a page without scripts. Costs time: not while a turn is watched. */
export async function copyLayers(page: Page, act: () => Promise<unknown>): Promise<string> {
  await page.evaluate(noteTurn)
  await act()
  await page.evaluate(() => window.turn.begun)
  const copy = await page.evaluate(() => {
    for (const { effect } of document.getAnimations()) {
      ;(effect as KeyframeEffect).target?.setAttribute('data-layer', '')
    }
    const root = document.documentElement.cloneNode(true) as HTMLElement
    for (const script of root.querySelectorAll('script, [rel=modulepreload]')) script.remove()
    for (const element of root.querySelectorAll('body *')) {
      const isLayer = element.closest('[data-layer]') ?? element.querySelector('[data-layer]')
      if (!isLayer) element.remove()
    }
    root.querySelector('body')?.setAttribute('hidden', '')
    return `<!doctype html>${root.outerHTML}`
  })
  await page.evaluate(() => window.turn.over)
  return copy
}

/** The frames of those layers on a page that does nothing else. */
export async function watchLayers(browser: Browser, page: Page, layers: string): Promise<number> {
  const address = `${new URL(page.url()).origin}/bare-layers`
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: layers }))
  await page.goto(address)
  await page.evaluate(noteTurn)
  await browser.startTracing(page, { categories: TRACED })
  await page.evaluate(() => {
    document.body.hidden = false
  })
  await page.evaluate(() => window.turn.over)
  return readTrace(await browser.stopTracing()).framesPerSecond
}

/** In the page: notes when the animation begins and ends. */
function noteTurn(): void {
  const isBegun = () => !document.body.hidden && document.querySelector('.reveal-animation')
  const begun = new Promise<void>((resolve) => {
    new MutationObserver((_, observer) => {
      if (!isBegun()) return
      observer.disconnect()
      performance.mark('turn-begins')
      resolve()
    }).observe(document.body, { attributes: true, childList: true, subtree: true })
  })
  const over = begun.then(async () => {
    // Asked at once, the page would be laid out for it, within the task that is watched.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) =>
          (effect as KeyframeEffect).target?.classList.contains('reveal-animation'),
        )
        .map(({ finished }) => finished.catch(() => undefined)),
    )
    performance.mark('turn-ends')
  })
  window.turn = { begun, over }
}

interface TraceEvent {
  name: string
  ph: string
  ts: number
  /** Computed in it, in microseconds. */
  tdur?: number
  pid: number
  tid: number
  args: { frame_reporter?: { state: string } }
}

/** The frames that the page presented between its two marks, and the tasks of its main thread throughout. */
function readTrace(trace: Buffer): { framesPerSecond: number; tasksMs: number[] } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const [begins, ends] = ['turn-begins', 'turn-ends'].map((mark) =>
    traceEvents.find(({ name }) => name === mark),
  )
  if (!begins || !ends) throw new Error('The trace has no turn')
  const ofPage = traceEvents.filter(({ pid }) => pid === begins.pid)
  const presented = ofPage.filter(
    ({ name, ts, args }) =>
      name === 'PipelineReporter' &&
      begins.ts <= ts &&
      ts <= ends.ts &&
      args.frame_reporter?.state.startsWith('STATE_PRESENTED'),
  )
  const tasks = ofPage.filter(({ name, tid }) => tid === begins.tid && name === 'RunTask')
  return {
    framesPerSecond: presented.length / ((ends.ts - begins.ts) / 1_000_000),
    tasksMs: tasks.map(({ tdur = 0 }) => (tdur / 1_000) * CPU_SLOWDOWN),
  }
}
