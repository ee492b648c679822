import { expect, type Locator, type Page } from '@playwright/test'
import { createRevelation } from '#contract/sealing.ts'
import { colourVideo } from '#testing/media-files.ts'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { breakSeal, openSoon, untilAfter } from './moments.ts'
import { newPseudo, openBeside, origin, PASSWORD } from './people.ts'

const TITLE = 'La vidéo du jour dit'
const SECRET = 'Le mot de la fin est mirabelle.'
const SECONDS = 12

test('a person seals a video, others see its teaser, and at the instant everyone reads it', {
  tag: '@both',
}, async ({ page }) => {
  const addressee = `${newPseudo()}@exemple.test`
  // Its teaser is rendered before the instant, which takes a busy machine longer than all that is done on the page.
  const readInstant = await openSoon(page, createRevelation, 4)
  await register(page)
  await write(page, addressee)
  await seal(page)
  const instant = readInstant()
  await expect(page.getByText(SECRET)).toBeVisible()

  const visitor = await openBeside(page)
  await visitor.goto(page.url())
  await expectSealed(visitor)

  await expect(visitor.getByText('Révélation dévoilée')).toBeVisible(untilAfter(instant))
  expect(Date.now()).toBeGreaterThanOrEqual(instant.getTime())
  await expectRevealed(visitor)

  const mail = await mailTo(addressee, /lettre .*s’est ouverte/)
  expect(mail.text + mail.html).not.toContain('mirabelle')
  const reader = await openBeside(page)
  await reader.goto(linkIn(mail, '/revelation/'))
  await breakSeal(reader)
  await expect(reader.getByText(SECRET)).toBeVisible()
  expect(reader.url()).not.toContain('cle=')
})

async function register(page: Page): Promise<void> {
  const pseudo = newPseudo()
  await page.goto(`${origin()}/register`)
  await page.getByLabel('Pseudo').fill(pseudo)
  await page.getByLabel('E-mail').fill(`${pseudo}@exemple.test`)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel(/Confirm/).fill(PASSWORD)
  await page.getByLabel('J’ai 15 ans ou plus').check()
  await page
    .locator('form')
    .getByRole('button', { name: /compte/i })
    .click()
  await expect(page).toHaveURL(`${origin()}/`)
}

async function write(page: Page, addressee: string): Promise<void> {
  await page.goto(`${origin()}/create?vue=tout`)
  await page.getByLabel('Titre').fill(TITLE)
  await page.getByLabel('Contenu').fill(SECRET)
  await page.getByLabel('E-mail du destinataire').fill(addressee)
  await page.locator('input[type=file]').setInputFiles({
    name: 'mon secret.mp4',
    mimeType: 'video/mp4',
    buffer: await colourVideo({ seconds: SECONDS, audio: true }),
  })
  const end = page.getByRole('slider', { name: 'Fin de l’extrait' })
  const whole = page.getByRole('slider', { name: 'Déplacer l’extrait' })
  const secondPx = ((await whole.boundingBox())?.width ?? 0) / 10
  // Wherever a thumb is gripped, it moves as far as the finger.
  await pull(page, end, -2 * secondPx)
  await expect(end).toHaveAttribute('aria-valuetext', '8 secondes')
  await pull(page, whole, secondPx)
  await expect(whole).toHaveAttribute('aria-valuetext', 'de 1 seconde à 9 secondes')
  // From there to 2–6 s, by keyboard.
  await end.focus()
  await page.getByLabel('Fin', { exact: true }).fill('6')
  await page.getByLabel('Fin', { exact: true }).press('Tab')
  await page.getByLabel('Début', { exact: true }).fill('2')
  await page.getByLabel('Début', { exact: true }).press('Tab')
  await expect(end).toHaveAttribute('aria-valuenow', '6')
  await page.getByRole('button', { name: 'Garder cet extrait' }).click()
}

async function pull(page: Page, thumb: Locator, byPx: number): Promise<void> {
  await thumb.scrollIntoViewIfNeeded()
  const box = await thumb.boundingBox()
  if (!box) throw new Error('The thumb is not shown')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + byPx, y, { steps: 5 })
  await page.mouse.up()
}

async function seal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Relire avant de sceller' }).click()
  await expect(page.getByRole('heading', { name: 'Avant de sceller' })).toBeFocused()
  await expect(page.getByRole('main')).toContainText('heure de Bruxelles')
  await page.getByRole('button', { name: 'Sceller' }).click()
  await page.getByRole('link', { name: 'Voir la lettre' }).click()
  await expect(page).toHaveURL(/\/revelation\/[0-9a-f-]{36}$/)
}

async function expectSealed(visitor: Page): Promise<void> {
  await expect(visitor.getByText('Révélation en attente')).toBeVisible()
  const teaser = visitor.getByLabel(`Aperçu : ${TITLE}`, { exact: true })
  // The page shows the teaser by itself once it is ready, or after being opened again.
  await expect(async () => {
    if (!(await teaser.isVisible())) await visitor.reload()
    await expect(teaser).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await expect(visitor.locator('body')).not.toContainText('mirabelle')
  await expect(visitor.locator('body')).not.toContainText('mon secret')
  const duration = await teaser.evaluate(
    (video: HTMLVideoElement) =>
      new Promise<number>((resolve) => {
        if (video.duration) resolve(video.duration)
        video.preload = 'auto'
        video.addEventListener('loadedmetadata', () => resolve(video.duration))
        video.load()
      }),
  )
  expect(Math.abs(duration - 4)).toBeLessThan(0.2)
}

async function expectRevealed(visitor: Page): Promise<void> {
  await expect(visitor.getByText(SECRET)).toBeVisible()
  const film = visitor.getByLabel(`Vidéo complète : ${TITLE}`)
  await expect(film).toBeVisible()
  const played = await film.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true
    await video.play()
    const { duration } = video
    const moved = new Promise((resolve) =>
      video.addEventListener('seeked', resolve, { once: true }),
    )
    video.currentTime = 9
    await moved
    return { duration, at: video.currentTime, error: video.error?.message ?? null }
  })
  expect(Math.abs(played.duration - SECONDS)).toBeLessThan(0.2)
  expect(played.at).toBeGreaterThanOrEqual(9)
  expect(played.error).toBeNull()
}
