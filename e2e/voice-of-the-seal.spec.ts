import { expect, type Page } from '@playwright/test'
import { createRevelation, SEAL_VOICE_MAX_SECONDS } from '#contract/sealing.ts'
import { test } from './journey.ts'
import { breakSeal } from './moments.ts'
import { openBeside, origin, sealWritten, signIn, tie } from './people.ts'

const WORDS = 'Je pense à toi, tout simplement.'

test('a voice recorded with a letter speaks as its seal breaks, for whoever wants sound', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const reader = await openBeside(page)
  await tie(author, await signIn(reader), 'friend')
  await write(page)
  await record(page)
  await openAtOnce(page)
  await sealWritten(page)
  await expect(page.getByText('Révélation dévoilée')).toBeVisible()

  await listenToPage(reader)
  await reader.goto(page.url())
  const sound = reader.getByRole('switch', { name: /^Son/ })
  await sound.click()
  await expect(sound).toBeChecked()
  await breakSeal(reader)
  const caption = reader.getByText(WORDS)
  await expect(caption).toHaveCount(2)
  const [crack = 0, voice = 0] = await playedLengths(reader)
  expect(crack).toBeLessThan(0.5)
  expect(voice).toBeGreaterThan(1)
  expect(voice).toBeLessThan(SEAL_VOICE_MAX_SECONDS)
  await reader.keyboard.press('Shift')
  await expect(caption).toHaveCount(1)
  await reader.getByRole('button', { name: `Écouter les mots de @${author.pseudo}` }).click()
  await expect.poll(async () => (await playedLengths(reader)).length).toBe(3)
})

async function write(page: Page): Promise<void> {
  await page.goto(`${origin()}/create?vue=tout`)
  await page.getByLabel('Titre').fill('Pour demain matin')
  await page.getByLabel('Contenu').fill('Les mots sont dans la voix, pas ici.')
  await page.getByLabel('E-mail du destinataire').fill('quelquun@exemple.test')
  await page.getByRole('radio', { name: 'Amis' }).check({ force: true })
}

/** The letter that this page seals is open at once: the wait is no part of this. */
async function openAtOnce(page: Page): Promise<void> {
  await page.route(`**${createRevelation.url}`, async (route) => {
    const body = { ...route.request().postDataJSON(), reveal_date: new Date().toISOString() }
    await route.continue({ postData: body })
  })
}

async function record(page: Page): Promise<void> {
  await page.getByText('Cinq secondes de votre voix').click()
  await page.getByRole('button', { name: 'Enregistrer votre voix' }).click()
  // At five seconds it ends by itself: any look in between will do, however rarely a busy machine looks.
  await expect(page.getByRole('timer')).toHaveText(/[2-4]$/)
  await page.getByRole('button', { name: 'Terminer' }).click()
  await expect(page.getByText('Elle est arrivée')).toBeVisible()
  await page.getByLabel(/^Ce que dit votre voix/).fill(WORDS)
}

/** Notes how long each sound is that the page starts. */
async function listenToPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const lengths: number[] = []
    Object.assign(window, { lengths })
    const { start } = AudioBufferSourceNode.prototype
    AudioBufferSourceNode.prototype.start = function (...values) {
      lengths.push(this.buffer?.duration ?? 0)
      return start.apply(this, values)
    }
  })
}

function playedLengths(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { lengths: number[] }).lengths)
}
