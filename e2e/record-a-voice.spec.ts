import { expect, type Locator, type Page } from '@playwright/test'
import { createSound, type Sound } from '#contract/sounds.ts'
import { untilStored } from './device.ts'
import { test } from './journey.ts'
import { openSoon, untilAfter } from './moments.ts'
import { openBeside, origin, signIn, tie } from './people.ts'

const TITLE = 'Ce que je voulais te dire'
const PATIENCE = 'Encore un tout petit peu de patience.'
/** The tolerance of a length. */
const TOLERANCE_SECONDS = 0.2

test('a voice recorded with a pause is sealed for one person, and plays at its instant', {
  tag: ['@both', '@all'],
}, async ({ page }) => {
  const readInstant = await openSoon(page, createSound)
  const author = await signIn(page)
  const friend = await openBeside(page)
  const recipient = await signIn(friend)
  await tie(author, recipient, 'friend')
  await listenToRecorder(page)
  await page.goto(`${origin()}/family-sound?pour=${recipient.id}`)

  const recorded = await record(page)
  await sealFor(page, recipient.pseudo)
  const instant = readInstant()

  // Locked for whom it is, and for its author.
  await friend.goto(`${origin()}/family-sound`)
  for (const reader of [friend, page]) await expectLocked(reader)
  const { id } = await soundOf(recipient.token)
  expect(await soundOf(author.token)).not.toHaveProperty('file_url')
  expect(await statusOf(author.token, `/api/family-sounds/${id}/waveform`)).toBe(403)

  const open = friend.getByRole('button', { name: new RegExp(`^Écouter ${TITLE}`) })
  await expect(open).toBeEnabled(untilAfter(instant))
  expect(Date.now()).toBeGreaterThanOrEqual(instant.getTime())
  await open.click()
  await expect(
    friend.getByRole('button', { name: new RegExp(`^Mettre en pause ${TITLE}`) }),
  ).toBeVisible()
  await expectSeeking(friend)

  // The AAC and the download last as long as the recording.
  for (const field of ['file_mobile_url', 'download_url'] as const) {
    await expect.poll(async () => (await soundOf(recipient.token))[field] ?? '').not.toBe('')
    const url = (await soundOf(recipient.token))[field] ?? ''
    const seconds = await lengthOf(friend, url)
    expect(seconds, field).toBeGreaterThan(recorded.shortest - TOLERANCE_SECONDS)
    expect(seconds, field).toBeLessThan(recorded.longest + TOLERANCE_SECONDS)
  }
})

test('what was recorded outlives a lost network and a closed page', { tag: '@all' }, async ({
  page,
}) => {
  const author = await signIn(page)
  await page.goto(`${origin()}/family-sound`)
  await page.getByRole('button', { name: 'Enregistrer' }).first().click()
  const recorder = page.getByRole('dialog')
  await recorder.getByRole('button', { name: 'Enregistrer' }).click()
  await untilRecorded(recorder.getByRole('timer'), 2)
  await recorder.getByRole('button', { name: 'Terminer' }).click()
  await recorder.getByLabel('Titre').fill('Gardé malgré tout')
  await page.context().setOffline(true)
  await recorder.getByRole('button', { name: 'Envoyer' }).click()
  await expect(recorder.getByRole('button', { name: 'Reprendre l’envoi' })).toBeVisible()

  await untilStored(page, 'Gardé malgré tout')

  // As on a phone that went dark: the page is gone, its recording is not.
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(`${origin()}/family-sound`)
  await expect(page.getByText('Gardé malgré tout').first()).toBeVisible()
  await page.getByRole('button', { name: 'Reprendre l’envoi' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Envoyer|Reprendre l’envoi/ })
    .click()
  const played = page.getByRole('button', {
    name: `Écouter Gardé malgré tout, de @${author.pseudo}`,
  })
  await expect(played).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reprendre l’envoi' })).toBeHidden()
  expect((await listOf(author.token)).sounds).toHaveLength(1)
})

/** Copies all that the browser records, and measures its duration. */
async function listenToRecorder(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pieces: Blob[] = []
    const clock = { milliseconds: 0 }
    Object.assign(window, { pieces, clock })
    const { start } = MediaRecorder.prototype
    MediaRecorder.prototype.start = function (...values) {
      this.addEventListener('dataavailable', ({ data }) => pieces.push(data))
      const add = ({ timeStamp }: Event) => {
        clock.milliseconds += timeStamp
      }
      const subtract = ({ timeStamp }: Event) => {
        clock.milliseconds -= timeStamp
      }
      for (const name of ['start', 'resume']) this.addEventListener(name, subtract)
      for (const name of ['pause', 'stop']) this.addEventListener(name, add)
      return start.apply(this, values)
    }
  })
}

interface Recorded {
  shortest: number
  longest: number
}

/**
 * The recorded seconds: by samples, since the recording has no length itself, and by the clock. A busy machine loses
 * samples; a player may skip their place or not.
 */
function recordedLength(page: Page): Promise<Recorded> {
  return page.evaluate(async () => {
    const recorded = window as unknown as { pieces: Blob[]; clock: { milliseconds: number } }
    const bytes = await new Blob(recorded.pieces).arrayBuffer()
    const { duration } = await new AudioContext().decodeAudioData(bytes)
    const byClock = recorded.clock.milliseconds / 1000
    return { shortest: Math.min(duration, byClock), longest: Math.max(duration, byClock) }
  })
}

/** At least so many seconds: a busy machine looks at the timer late. */
async function untilRecorded(timer: Locator, seconds: number): Promise<void> {
  const recorded = async () => Number((await timer.innerText()).split(':').at(-1))
  await expect.poll(recorded).toBeGreaterThanOrEqual(seconds)
}

/** Five seconds and a pause; how long it is. */
async function record(page: Page): Promise<Recorded> {
  const recorder = page.getByRole('dialog')
  await recorder.getByRole('button', { name: 'Enregistrer' }).click()
  const timer = recorder.getByRole('timer')
  await untilRecorded(timer, 2)
  await recorder.getByRole('button', { name: 'Pause' }).click()
  await expect(recorder.getByRole('button', { name: 'Reprendre' })).toBeVisible()
  await recorder.getByRole('button', { name: 'Reprendre' }).click()
  await untilRecorded(timer, 5)
  await recorder.getByRole('button', { name: 'Terminer' }).click()
  await expect(recorder.getByLabel('Titre')).toHaveValue(/^Message vocal/)
  const recorded = await recordedLength(page)
  expect(recorded.longest).toBeGreaterThan(4)
  return recorded
}

async function sealFor(page: Page, pseudo: string): Promise<void> {
  const form = page.getByRole('dialog')
  await form.getByLabel('Titre').fill(TITLE)
  await expect(form.getByLabel('Destinataire').locator('option:checked')).toHaveText(pseudo)
  await form.getByRole('radio', { name: 'Plus tard' }).check()
  await form.getByLabel(/Mot d’attente/).fill(PATIENCE)
  await form.getByRole('button', { name: 'Envoyer' }).click()
  await expect(form).toBeHidden()
}

async function expectLocked(reader: Page): Promise<void> {
  const row = reader.getByRole('button', { name: new RegExp(`^${TITLE}.*scellé`) })
  await expect(row).toBeVisible()
  await row.click()
  const note = reader.getByRole('dialog', { name: /^Ce message sera révélé/ })
  await expect(note).toContainText(PATIENCE)
  await reader.keyboard.press('Escape')
  await expect(note).toBeHidden()
}

/** Goes to the last seconds by keyboard; the sound goes there. */
async function expectSeeking(reader: Page): Promise<void> {
  const bar = reader.getByRole('button', { name: /^Ouvrir le lecteur/ })
  if (await bar.isVisible()) await bar.click()
  const slider = reader.getByRole('slider', { name: 'Position dans le message' })
  // Five seconds are soon over: stopped, they stay where they are put.
  const pause = reader.getByRole('button', { name: 'Pause', exact: true })
  // It may come to its end first.
  await pause.click({ timeout: 6_000 }).catch(() => undefined)
  await expect(reader.getByRole('button', { name: 'Lecture', exact: true })).toBeVisible()
  await slider.press('Home')
  await expect(slider).toHaveAttribute('aria-valuenow', '0')
  await slider.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuenow', '5')
}

async function listOf(token: string): Promise<{ sounds: Sound[] }> {
  const answer = await fetch(`${origin()}/api/family-sounds`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await answer.json()) as { sounds: Sound[] }
}

async function soundOf(token: string): Promise<Sound> {
  const { sounds } = await listOf(token)
  const sound = sounds.find(({ title }) => title === TITLE)
  if (!sound) throw new Error('The voice is not in the list')
  return sound
}

async function statusOf(token: string, url: string): Promise<number> {
  const answer = await fetch(origin() + url, { headers: { authorization: `Bearer ${token}` } })
  return answer.status
}

/** As the browser of this page reads it. */
function lengthOf(page: Page, url: string): Promise<number> {
  return page.evaluate(
    (source) =>
      new Promise<number>((resolve, reject) => {
        const sound = new Audio(source)
        sound.onloadedmetadata = () => resolve(sound.duration)
        sound.onerror = () => reject(new Error('It cannot be played'))
      }),
    url,
  )
}
