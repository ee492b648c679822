import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type { AppContext } from '#server/context.ts'
import { createMediaKeys, sealFacts } from '#server/features/media/file-keys.service.ts'
import { sealDescription } from '#server/features/voice-messages/voice-message-contents.service.ts'
import type { Db } from '#server/platform/database/db.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'
import { cameBefore, launchBrowser } from './harness/browser.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { type Frames, fling, watchFrames } from './harness/frames.ts'
import { describeMachine } from './harness/machine.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'

const VOICES = 2_000
const EVENTS = 2_000
const YEARS = 5
const A_DAY_MS = 86_400_000
const PUSHES = { distance: 6_000, speed: 3_000, times: 8 }
const MONTHS = 60

/** The frames of a phone in the playlist of thousands of voices and in years of calendar, beside a bare list of as many rows. */
export async function run(_options: unknown, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const dataDir = path.join(folder, 'data')
  const program = await startProgram(dataDir, { ROLE: 'api' }, atEnd)
  const token = await fillCircle(program, dataDir)
  const browser = await launchBrowser(atEnd)
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
async function fillCircle(program: Program, dataDir: string): Promise<string> {
  const { token, userId } = await signUp(program)
  const { call, db } = program
  await call('GET', '/api/calendar-events', { token })
  await db
    .insertInto('calendarEvents')
    .values(
      Array.from({ length: EVENTS }, (_, index) => ({
        ownerId: userId,
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
    authorId: userId,
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
  await cameBefore(context, token)
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

const AT_ONCE = 500
const SECONDS = 42

interface ManyVoices {
  dataDir: string
  authorId: string
  count: number
  /** When one of them opens; undefined for at once. */
  opensAt: (index: number) => Date | undefined
}

/** As if shared through the front door, without their bytes: what a list shows of them. */
async function shareManyVoices(db: Db, voices: ManyVoices): Promise<void> {
  const { dataDir, authorId, count, opensAt } = voices
  const keyring = await loadKeyring({
    dataDir,
    masterKeyFile: undefined,
    expectedFingerprint: undefined,
  })
  const ctx = { keyring } as AppContext
  const rows = Array.from({ length: count }, (_, index) => voiceOf(ctx, authorId, index, opensAt))
  for (let start = 0; start < count; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE)
    await db
      .insertInto('media')
      .values(some.map(({ media }) => media))
      .execute()
    await db
      .insertInto('sounds')
      .values(some.map(({ sound }) => sound))
      .execute()
  }
}

function voiceOf(ctx: AppContext, authorId: string, index: number, opensAt: ManyVoices['opensAt']) {
  const [id, mediaId] = [randomUUID(), randomUUID()]
  const createdAt = new Date(Date.now() - 3_600_000 + index * 1_000)
  const scheduledAt = opensAt(index) ?? null
  const { letterKey, wrappedKey, wrappedTeaserKey } = createMediaKeys(ctx, mediaId)
  const file = { mimeType: 'audio/webm', sizeBytes: 250_000 }
  const facts = {
    ...file,
    name: 'voix.webm',
    durationSeconds: SECONDS,
    width: null,
    height: null,
    sha256: '0'.repeat(64),
  }
  const media = {
    ...file,
    id: mediaId,
    ownerId: authorId,
    kind: 'audio',
    state: 'ready',
    extension: 'webm',
    wrappedKey,
    wrappedTeaserKey,
    sealedFacts: sealFacts(letterKey, facts),
    attachedAt: createdAt,
    createdAt,
  }
  const sound = {
    ...sealDescription(ctx, id, `Ce que dit la voix n° ${index}.`),
    id,
    mediaId,
    authorId,
    isShared: true,
    title: `Une voix (${index})`,
    category: 'message',
    revealMessage: scheduledAt && 'Patience.',
    scheduledAt,
    revealAt: scheduledAt ?? createdAt,
    timeZone: 'Europe/Brussels',
    durationMs: SECONDS * 1_000,
    toldAt: createdAt,
    createdAt,
  }
  return { media, sound }
}
