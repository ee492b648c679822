import path from 'node:path'
import type { Browser } from '@playwright/test'
import { cameBefore, launchBrowser, slowDown } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, sealLetter, signUp, startProgram } from './harness/program.ts'
import { medianOf } from './harness/rounds.ts'
import { noteShifts, type ShiftSummary, summarizeShifts } from './harness/shifts.ts'

const MAX_SHIFT = 0.02
const A_DAY_MS = 86_400_000
const SETTLED_MS = 2_000
const SCREENS = {
  phone: { viewport: { width: 360, height: 800 }, isMobile: true },
  desktop: { viewport: { width: 1280, height: 900 } },
}

/** How far the pages of whoever is signed in move while they load on a slow phone, and those of a visitor beside them. */
export async function run({ rounds }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), {}, atEnd)
  const { token, id } = await fill(program)
  const browser = await launchBrowser(atEnd)
  const pages = {
    'home, a visitor': { at: '/' },
    home: { at: '/', token },
    received: { at: '/received', token },
    notifications: { at: '/notifications', token },
    'a letter': { at: `/revelation/${id}`, token },
  }
  console.log(describeMachine())
  const rows: Record<string, object> = {}
  let isStill = true
  for (const [name, { at, ...person }] of Object.entries(pages)) {
    for (const [screen, size] of Object.entries(SCREENS)) {
      const loads: ShiftSummary[] = []
      for (let round = 0; round < rounds; round += 1) {
        loads.push(await load(browser, program.origin + at, { ...size, ...person }))
      }
      const shift = medianOf(loads.map((one) => one.shift))
      isStill &&= shift <= MAX_SHIFT
      const worst = loads.toSorted((one, other) => other.shift - one.shift)[0]
      rows[`${name}, ${screen}`] = { shift: shift.toFixed(4), 'moved most': worst?.shifted }
    }
  }
  console.table(rows)
  console.log(isStill ? `No page moves beyond ${MAX_SHIFT}.` : `A page moves beyond ${MAX_SHIFT}.`)
}

/** A reader with letters that wait, come and were opened, and what happened to them; answers their session and a letter. */
async function fill(program: Program): Promise<{ token: string; id: string }> {
  const author = await signUp(program, 'author')
  const reader = await signUp(program, 'reader')
  const target = { target_email: reader.email, visibility: 'public' }
  const open = () => sealLetter(program, author.token, new Date(), target)
  for (let index = 0; index < 6; index += 1) await open()
  const id = await open()
  await program.call('POST', `/api/revelations/${id}/open`, { token: reader.token, body: {} })
  for (let index = 1; index < 6; index += 1) {
    const instant = new Date(Date.now() + index * A_DAY_MS)
    await sealLetter(program, author.token, instant, target)
    const own = await sealLetter(program, reader.token, instant)
    const comment = { revelation_id: own, content: 'Vivement ce jour-là.' }
    await program.call('POST', '/api/comments', { token: author.token, body: comment })
  }
  return { token: reader.token, id }
}

type Visit = (typeof SCREENS)[keyof typeof SCREENS] & { token?: string }

async function load(
  browser: Browser,
  address: string,
  { token, ...size }: Visit,
): Promise<ShiftSummary> {
  const context = await browser.newContext({ ...size, locale: 'fr-BE' })
  try {
    await cameBefore(context, token)
    await context.addInitScript(noteShifts, { buffered: true })
    const page = await context.newPage()
    await slowDown(page)
    await page.goto(address, { waitUntil: 'load', timeout: 120_000 })
    await page.locator('main h1').first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    return await summarizeShifts(page)
  } finally {
    await context.close()
  }
}
