import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '@revelations/e2e/chromium.ts'
import type { SessionOpened } from '#contract/auth.ts'
import type { AtEnd } from './clean-up.ts'
import { type Frames, fling, watchFrames } from './frames.ts'
import { describeMachine } from './machine.ts'
import { shareManyVoices } from './many-voices.ts'
import { type Program, startProgram } from './program.ts'

const VOICES = 2_000
const EVENTS = 2_000
const YEARS = 5
const A_DAY_MS = 86_400_000
const PUSHES = { distance: 6_000, speed: 3_000, times: 8 }
const MONTHS = 60

/** The frames of a phone in the playlist of thousands of voices and in years of calendar, beside a bare list of as many rows. */
export async function run(_options: unknown, atEnd: AtEnd): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'revelations-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const dataDir = path.join(folder, 'data')
  const program = await startProgram(dataDir, { ROLE: 'api' }, atEnd)
  const token = await fillCircle(program, dataDir)
  const { executablePath, args, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, args, env })
  atEnd(() => browser.close())
  console.log(describeMachine())
  const page = await openPhone(browser, token)
  const bare = await scrollBareList(page)
  const voices = await scrollVoices(page, program)
  const calendar = await watchCalendar(page, program)
  console.table({
    'bare list of 2,000 rows': bare,
    '2,000 voices, scrolled as they come': voices.coming,
    '2,000 voices, all there': voices.there,
    '5 years of calendar, scrolled': calendar.scrolled,
    '5 years of calendar, month after month': calendar.turned,
  })
}

/** Half of the voices wait for an instant within five years, which is in the calendar too. */
async function fillCircle({ call, db }: Program, dataDir: string): Promise<string> {
  const body = { email: 'bench@exemple.test', pseudo: 'bench', password: 'une phrase bien longue' }
  const { token, user } = await call<SessionOpened>('POST', '/api/auth/register', { body })
  await db.insertInto('subscriptions').values({ userId: user.id, plan: 'unlimited' }).execute()
  await call('GET', '/api/calendar-events', { token })
  await db
    .insertInto('calendarEvents')
    .values(
      Array.from({ length: EVENTS }, (_, index) => ({
        ownerId: user.id,
        title: `Un jour à retenir (${index})`,
        day: new Date(Date.now() + spread(index, EVENTS)).toISOString().slice(0, 10),
        type: (['birthday', 'anniversary', 'holiday', 'other'] as const)[index % 4] ?? 'other',
        description: '',
        createdAt: new Date(),
      })),
    )
    .execute()
  await shareManyVoices(db, {
    dataDir,
    authorId: user.id,
    count: VOICES,
    opensAt: (index) =>
      index % 2 === 0 ? new Date(Date.now() + spread(index, VOICES)) : undefined,
  })
  return token
}

/** Evenly over the years to come. */
function spread(index: number, count: number): number {
  return (1 + (index / count) * YEARS * 365) * A_DAY_MS
}

async function openPhone(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    hasTouch: true,
    isMobile: true,
    locale: 'fr-BE',
    timezoneId: 'Europe/Brussels',
  })
  await context.addInitScript((value) => localStorage.setItem('auth_token', value), token)
  return context.newPage()
}

async function scrollBareList(page: Page): Promise<Frames> {
  const rows = Array.from(
    { length: VOICES },
    (_, index) => `<li style="height:88px">Une voix (${index})</li>`,
  )
  await page.setContent(`<!doctype html><meta name=viewport content="width=device-width">
    <ul style="font:16px sans-serif">${rows.join('')}</ul>`)
  return watchFrames(page, (session) => fling(page, session, PUSHES))
}

/** The lists page after page; then the whole list, as the filter by person loads it. */
async function scrollVoices(page: Page, { origin }: Program) {
  await page.goto(`${origin}/family-sound`)
  await page.getByText('Une voix (1999)').first().waitFor()
  const coming = await watchFrames(page, (session) => fling(page, session, PUSHES))
  const choice = page.getByRole('combobox', { name: 'Messages montrés' })
  await choice.focus()
  await page.getByRole('list', { name: 'Liste de lecture' }).evaluate(async (list, voices) => {
    const row = list.firstElementChild?.getBoundingClientRect().height ?? 0
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
    while (list.getBoundingClientRect().height < voices * row) await pause()
  }, VOICES)
  await choice.blur()
  return { coming, there: await watchFrames(page, (session) => fling(page, session, PUSHES)) }
}

/** Sixty months, one after the other, each looked at from top to bottom now and then. */
async function watchCalendar(page: Page, { origin }: Program) {
  await page.goto(`${origin}/family?onglet=calendrier`)
  const next = page.getByRole('button', { name: 'Mois suivant' })
  await next.waitFor()
  const turned = await watchFrames(page, async () => {
    for (let month = 0; month < MONTHS; month += 1) {
      await next.evaluate((button) => {
        ;(button as HTMLButtonElement).click()
        return new Promise((resolve) => setTimeout(resolve, 150))
      })
    }
  })
  const scrolled = await watchFrames(page, async (session) => {
    for (let time = 0; time < 6; time += 1) {
      await fling(page, session, { distance: 700, speed: 1_500, times: 1 })
      await fling(page, session, { distance: -700, speed: 1_500, times: 1 })
    }
  })
  return { turned, scrolled }
}
