import { expect, type Page } from '@playwright/test'
import { picture } from '#testing/media-files.ts'
import { expectAccessible, expectFitsEnlarged } from './accessibility.ts'
import { installSite } from './installed.ts'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { breakSeal } from './moments.ts'
import { openNetwork } from './network.ts'
import {
  fillSignIn,
  newPseudo,
  openBeside,
  origin,
  PASSWORD,
  type Person,
  sealThrough,
  sendFile,
  signIn,
} from './people.ts'
import { captureScreen } from './screens.ts'

const TITLE = 'La clé du jardin'
const LETTER = 'Elle est sous le pot de géraniums.'
const DAY_MS = 86_400_000

// Without the worker no page opens without a network.
test.use({ serviceWorkers: 'allow' })

/** A letter that has just opened, and the link of its mail. */
async function receive(author: Person, addressee: string) {
  const file = { bytes: await picture('png', 600, 400), name: 'jardin.png', type: 'image/png' }
  const { id } = await sealThrough(author, {
    title: TITLE,
    file_url: await sendFile(author, 'images', file),
    content: LETTER,
    visibility: 'private',
    target_email: addressee,
    reveal_date: new Date(Date.now() + 2_000).toISOString(),
  })
  return { id, link: linkIn(await mailTo(addressee, /lettre .*s’est ouverte/), '/revelation/') }
}

/** All that a browser stores for the site, in one text. */
function stored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
}

/** The picture of the letter, once it is drawn. */
async function expectPicture(page: Page): Promise<void> {
  const drawn = page.getByRole('img', { name: TITLE })
  await expect(async () => {
    expect(await drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  }).toPass()
}

test('somebody reads a letter from its mail, keeps it on their phone, and joins it to their account', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const { id, link } = await receive(author, `${newPseudo()}@exemple.test`)
  const network = await openNetwork()
  const reader = await openBeside(page)
  await reader.goto(link.replace(origin(), network.origin))
  await breakSeal(reader)
  await expect(reader.getByText(LETTER)).toBeVisible()
  await reader.getByRole('button', { name: 'Oui, la garder ici' }).click()
  await expect(reader.getByText('Gardée sur cet appareil')).toBeVisible()

  // A day later, from a bookmark, in a tab that has nothing of the first one.
  await reader.context().clock.setSystemTime(Date.now() + DAY_MS + 3_600_000)
  const later = await reader.context().newPage()
  await reader.close()
  await later.goto(`${network.origin}/mes-lettres`)
  const card = later.getByRole('article').filter({ hasText: TITLE })
  await expect(card.getByText(/^Ouverte le/)).toBeVisible()
  await expect(later.getByText(LETTER)).toBeHidden()
  await captureScreen(later)
  await expectAccessible(later)
  await expectFitsEnlarged(later)
  await card.getByRole('link', { name: TITLE }).click()
  await expectPicture(later)
  await later.getByRole('button', { name: 'Lire sans réseau' }).click()
  await expect(later.getByText(/^Elle se lit ici sans réseau/)).toBeVisible()

  // In a tunnel.
  await installSite(later, network.origin)
  await network.cut()
  await later.goto(`${network.origin}/mes-lettres`)
  await card.getByRole('link', { name: TITLE }).click()
  await expect(later.getByText(LETTER)).toBeVisible()
  await later.reload()
  await expect(later.getByText(LETTER)).toBeVisible()
  await expect(later.getByText('Vous lisez la copie gardée sur cet appareil')).toBeVisible()
  await expectPicture(later)
  await captureScreen(later)
  await expectAccessible(later)
  await network.mend()
  await expect(later.getByText(/^Elle se lit ici sans réseau/)).toBeVisible()

  // An account at another address than that of the mail.
  await later.goto(`${network.origin}/mes-lettres`)
  await later.getByRole('link', { name: 'Créer un compte' }).click()
  const pseudo = newPseudo()
  await later.getByLabel('Pseudo').fill(pseudo)
  await later.getByLabel('E-mail').fill(`${pseudo}@exemple.test`)
  await later.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await later.getByLabel(/Confirm/).fill(PASSWORD)
  await later.getByLabel('J’ai 15 ans ou plus').check()
  await later.getByRole('button', { name: 'Créer mon compte' }).click()
  // It is said for three seconds: looked for from before they begin.
  const isSaid = later.getByText('La lettre est dans vos lettres reçues.').waitFor()
  await later.getByRole('button', { name: 'La joindre à mon compte' }).click()
  await isSaid
  await later.goto(`${network.origin}/received`)
  const opened = later.getByRole('region', { name: 'Ouvertes' })
  await expect(opened.getByRole('link', { name: TITLE })).toBeVisible()
  await captureScreen(later)
  await expectAccessible(later)
  await expectFitsEnlarged(later)

  // The account has it on any device, by itself.
  const elsewhere = await openBeside(page)
  await elsewhere.goto(`${origin()}/login`)
  await fillSignIn(elsewhere, `${pseudo}@exemple.test`)
  await expect(elsewhere).not.toHaveURL(/login/)
  await elsewhere.goto(`${origin()}/revelation/${id}`)
  await expect(elsewhere.getByText(LETTER)).toBeVisible()
})

test('on a device that is not theirs nothing of a letter is left after a day', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const { link } = await receive(author, `${newPseudo()}@exemple.test`)
  const reader = await openBeside(page)
  await reader.goto(link)
  await breakSeal(reader)
  await expect(reader.getByText(LETTER)).toBeVisible()
  await reader.getByRole('button', { name: 'Non', exact: true }).click()
  await reader.reload()
  await expect(reader.getByText(LETTER)).toBeVisible()
  await reader.context().clock.setSystemTime(Date.now() + DAY_MS + 60_000)
  await reader.reload()
  await expect(reader.getByRole('heading', { name: 'Rien à cette adresse' })).toBeVisible()
  expect(await stored(reader)).not.toContain('delivery-key')
  await reader.goto(`${origin()}/mes-lettres`)
  await expect(
    reader.getByRole('heading', { name: 'Aucune lettre sur cet appareil' }),
  ).toBeVisible()
  expect(await stored(reader)).not.toContain(LETTER)
})

test('what is addressed to somebody waits for them sealed, and an address that is not proved learns nothing', {
  tag: '@both',
}, async ({ page }) => {
  const reader = await signIn(page)
  const author = await signIn(await openBeside(page))
  const soon = new Date(Date.now() + 1_500).toISOString()
  await sealThrough(author, {
    title: TITLE,
    content: LETTER,
    visibility: 'private',
    target_email: reader.email,
    reveal_date: soon,
  })
  await mailTo(reader.email, /lettre .*s’est ouverte/)
  await page.goto(`${origin()}/received`)
  await expect(page.getByText(/Des lettres attendent peut-être/)).toBeVisible()
  await expect(page.getByText('Aucune lettre pour l’instant')).toBeVisible()
  await expect(page.getByText(TITLE)).toBeHidden()
  await page.goto(linkIn(await mailTo(reader.email, /^Confirmez votre adresse/), '/verification'))
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
  await expect(page.getByText('Adresse vérifiée')).toBeVisible()
  await page.goto(`${origin()}/received`)
  const waiting = page.getByRole('region', { name: 'À ouvrir' })
  await expect(waiting.getByRole('heading', { name: TITLE })).toBeVisible()
  expect(await page.locator('body').innerHTML()).not.toContain(LETTER)
  await captureScreen(page)
  await expectAccessible(page)
  await waiting.getByRole('link', { name: /^Ouvrir/ }).click()
  await breakSeal(page)
  await expect(page.getByText(LETTER)).toBeVisible()
  await page.getByRole('button', { name: 'Un cœur' }).click()
  await expect(page.getByText('Votre réponse est partie.')).toBeVisible()
  await page.goBack()
  const opened = page.getByRole('region', { name: 'Ouvertes' })
  await expect(opened.getByText('Vous avez répondu')).toBeVisible()
  await expect(waiting).toBeHidden()
})
