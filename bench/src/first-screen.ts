import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { build } from 'vite'
import { cameBefore, launchBrowser, slowDown } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { listenLocally } from './harness/local-server.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'
import { inRounds, medianOf } from './harness/rounds.ts'

const ASSETS = path.resolve(import.meta.dirname, '../../web/dist/assets')
const LETTERS = 30
const SETTLED_MS = 1_500
const REACT = '/react'

interface Visit {
  largestPaintMs: number
  /** When React had hydrated the page; 0 without scripts. */
  interactiveMs: number
  jsKb: number
  fontKb: number
  otherHosts: number
}

/**
 * When a visitor on a slow phone sees the largest thing of a public page, and when the page answers: beside a static copy,
 * and beside the same HTML hydrated by React alone, in the same rounds.
 */
export async function run({ rounds }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), { ROLE: 'api' }, atEnd)
  const { origin } = program
  const id = await sealLetters(program)
  const pages = { home: '/', demo: '/demo', 'a revelation': `/revelation/${id}` }
  const copies = await serveCopies(origin, Object.values(pages), atEnd)
  const browser = await launchBrowser(atEnd)
  const visitors = Object.entries(pages).flatMap(([name, at]) => [
    { name, run: () => visit(browser, origin + at) },
    { name: `${name}, static copy`, run: () => visit(browser, copies + at, { answers: false }) },
    { name: `${name}, React alone`, run: () => visit(browser, `${copies}${REACT}${at}`) },
  ])
  const { rows, note } = await inRounds(visitors, {
    wanted: rounds,
    attempts: rounds * 2,
  })
  const medians = new Map(rows.map(({ name, costs }) => [name, medianVisit(costs)]))
  console.log(describeMachine())
  console.table(Object.fromEntries(medians))
  for (const name of Object.keys(pages)) {
    const ratio = (measure: keyof Visit, reference: string) =>
      (
        (medians.get(name)?.[measure] ?? 0) / (medians.get(`${name}, ${reference}`)?.[measure] ?? 0)
      ).toFixed(2)
    console.log(
      `${name}: seen ${ratio('largestPaintMs', 'static copy')} × its static copy, ` +
        `answers ${ratio('interactiveMs', 'React alone')} × React alone`,
    )
  }
  console.log(note)
}

async function sealLetters(program: Program): Promise<string> {
  const { token } = await signUp(program)
  const { call } = program
  let id = ''
  for (let index = 0; index < LETTERS; index += 1) {
    const { revelation } = await call<{ revelation: { id: string } }>('POST', '/api/revelations', {
      token,
      body: {
        title: `Ce que je crois pour l’an prochain (${index})`,
        content: 'Une lettre assez longue pour attendre son jour.',
        target_email: 'famille@exemple.test',
        category: 'general',
        visibility: 'public',
        reveal_date: new Date(Date.now() + (index + 2) * 86_400_000).toISOString(),
        time_zone: 'Europe/Brussels',
      },
    })
    id = revelation.id
  }
  return id
}

/** The same HTML, styles, fonts and pictures from memory: without any script, and below `REACT` with React and nothing else. */
async function serveCopies(origin: string, at: string[], atEnd: AtEnd): Promise<string> {
  const files = new Map<string, { type: string; body: Buffer; isText: boolean }>()
  const pictures = new Set<string>()
  for (const address of at) {
    const html = await (await fetch(origin + address)).text()
    const bare = html
      .replaceAll(/<script[^>]*>.*?<\/script>/gs, '')
      .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
      // The marks of Suspense, which the copies do without: to React alone they would be other elements than its own.
      .replaceAll(/<!--\/?[$&][!?~]?-->/g, '')
    const hydrated = bare.replace(
      '</body>',
      '<script type="module" src="/react.js"></script></body>',
    )
    for (const [, picture = ''] of bare.matchAll(/(?:src|poster)="(\/api\/[^"]+)"/g)) {
      pictures.add(picture)
    }
    files.set(address, copyOf('text/html; charset=utf-8', Buffer.from(bare)))
    files.set(REACT + address, copyOf('text/html; charset=utf-8', Buffer.from(hydrated)))
  }
  for (const picture of pictures) {
    const answer = await fetch(origin + picture)
    const type = answer.headers.get('content-type') ?? ''
    files.set(picture, { type, isText: false, body: Buffer.from(await answer.arrayBuffer()) })
  }
  files.set('/react.js', copyOf('text/javascript', await bundleReact()))
  for (const name of await readdir(ASSETS)) {
    const type = TYPES[path.extname(name)]
    if (type) files.set(`/assets/${name}`, copyOf(type, await readFile(path.join(ASSETS, name))))
  }
  return listenLocally((request, response) => {
    const file = files.get(request.url ?? '')
    response.writeHead(file ? 200 : 404, {
      'content-type': file?.type ?? 'text/plain',
      ...(file?.isText && { 'content-encoding': 'br' }),
    })
    response.end(file?.body)
  }, atEnd)
}

async function bundleReact(): Promise<Buffer> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: path.join(import.meta.dirname, 'hydrated-copy.ts') },
    },
  })
  if (!('output' in built)) throw new Error('One bundle was expected')
  return Buffer.from(built.output[0].code)
}

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

function copyOf(type: string, content: Buffer) {
  const isText = type !== 'font/woff2'
  return { type, isText, body: isText ? brotliCompressSync(content) : content }
}

/** One first visit, with nothing stored by an earlier one. */
async function visit(browser: Browser, address: string, { answers = true } = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    isMobile: true,
    locale: 'fr-BE',
    timezoneId: 'Europe/Brussels',
  })
  try {
    await cameBefore(context)
    await context.addInitScript(noteHydration)
    const page = await context.newPage()
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    const session = await slowDown(page)
    const bytes = { js: 0, font: 0 }
    let otherHosts = 0
    const types = new Map<string, string>()
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      types.set(requestId, type)
      const isRequest = !response.url.startsWith('data:')
      if (isRequest && new URL(response.url).origin !== new URL(address).origin) otherHosts += 1
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (types.get(requestId) === 'Script') bytes.js += encodedDataLength
      if (types.get(requestId) === 'Font') bytes.font += encodedDataLength
    })
    await page.goto(address, { waitUntil: 'networkidle', timeout: 120_000 })
    const largestPaintMs = await page.evaluate(
      (settledMs) =>
        new Promise<number>((resolve) => {
          let last = 0
          new PerformanceObserver((list) => {
            for (const { startTime } of list.getEntries()) last = startTime
          }).observe({ type: 'largest-contentful-paint', buffered: true })
          setTimeout(() => resolve(last), settledMs)
        }),
      SETTLED_MS,
    )
    // A busy machine paints late, and the code of a page waits for that.
    if (answers) await page.waitForFunction(() => window.hydratedMs)
    // React that finds other elements than its own renders the page anew, without attributes: no reference any more.
    if (errors[0]) throw errors[0]
    const interactiveMs = await page.evaluate(() => window.hydratedMs ?? 0)
    const kb = (count: number) => Math.round(count / 100) / 10
    return { largestPaintMs, interactiveMs, jsKb: kb(bytes.js), fontKb: kb(bytes.font), otherHosts }
  } finally {
    await context.close()
  }
}

declare global {
  interface Window {
    hydratedMs?: number
  }
}

/** In the page: notes when the last element that is there once it is read answers to React. */
function noteHydration(): void {
  const check = () => {
    const last = [...document.querySelectorAll('#root :is(a, button, input)')].at(-1)
    const isHydrated = last && Object.keys(last).some((key) => key.startsWith('__reactFiber$'))
    if (isHydrated) window.hydratedMs = performance.now()
    else requestAnimationFrame(check)
  }
  document.addEventListener('DOMContentLoaded', check)
}

function medianVisit(visits: Visit[]): Visit {
  const median = (read: (visit: Visit) => number) =>
    Math.round(medianOf(visits.map(read)) * 10) / 10
  return {
    largestPaintMs: median(({ largestPaintMs }) => largestPaintMs),
    interactiveMs: median(({ interactiveMs }) => interactiveMs),
    jsKb: median(({ jsKb }) => jsKb),
    fontKb: median(({ fontKb }) => fontKb),
    otherHosts: Math.max(...visits.map(({ otherHosts }) => otherHosts)),
  }
}
