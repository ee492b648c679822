import { expect, type Locator, type Page } from '@playwright/test'
import { picture } from '#testing/media-files.ts'
import { untilStored } from './device.ts'
import { test } from './journey.ts'
import { getJson, origin, signIn } from './people.ts'

const COUNT = 12
const NAMES = Array.from({ length: COUNT }, (_, at) => `photo-${at + 1}.png`)
const SENTENCE = 'Nous y étions tous, et la mer aussi.'

test('twelve photos go over a line that is cut, in the order that their author gives them', {
  tag: ['@phone', '@all'],
}, async ({ page, context }) => {
  const author = await signIn(page)
  await page.goto(`${origin()}/create?genre=capsule`)
  await page.getByRole('button', { name: 'Continuer' }).tap()
  await page.getByRole('textbox', { name: 'Votre capsule' }).fill(SENTENCE)
  const { someCut } = await cutAfter(page, 4)
  await page.getByLabel('Joindre un fichier').setInputFiles(await photos())
  await expect(rows(page)).toHaveCount(COUNT)
  await someCut
  await context.setOffline(true)
  await expect(page.getByText(/^Connexion perdue/).first()).toBeVisible()
  await expect(page.getByText('En attente de son tour').first()).toBeVisible()

  // What nobody has sent yet is put in its place, and described.
  await page.getByRole('button', { name: /^Déplacer « photo-12.png »/ }).press('Home')
  await expect(rows(page).first()).toContainText('photo-12.png')
  await expect(page.getByRole('button', { name: /^Déplacer « photo-12.png »/ })).toBeFocused()
  await tap(page, 'Monter « photo-3.png »')
  await tap(page, 'Monter « photo-3.png »')
  await tap(page, 'Descendre « photo-10.png »')
  await captionOf(page, 'photo-12.png').fill('Le soir où tout le monde chantait')
  await captionOf(page, 'photo-7.png').fill('Léa, de dos')
  const order = await namesIn(page)
  expect(order.slice(0, 4)).toEqual(['photo-12.png', 'photo-3.png', 'photo-1.png', 'photo-2.png'])
  expect(order.slice(-2)).toEqual(['photo-11.png', 'photo-10.png'])

  const address = page.url()
  await untilStored(page, 'Léa, de dos')
  await expect(page.getByText('Gardé sur cet appareil, fichiers compris')).toBeVisible()
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const again = await openAgain(page, author.token)
  await again.goto(address)
  await expect(again.getByText('Tous les fichiers sont arrivés')).toBeVisible()
  expect(await namesIn(again)).toEqual(order)
  await expect(captionOf(again, 'photo-7.png')).toHaveValue('Léa, de dos')

  await again.getByRole('button', { name: 'Continuer' }).tap()
  await again.getByRole('button', { name: 'Dans un an', exact: true }).tap()
  await again.getByRole('button', { name: 'Continuer' }).tap()
  await expect(again.getByText(/^12\s+photos$/)).toBeVisible()
  const sealed = again.waitForResponse(
    (response) =>
      response.url() === `${origin()}/api/revelations` && response.request().method() === 'POST',
  )
  await again.getByRole('button', { name: 'Sceller' }).tap()
  const { revelation } = (await (await sealed).json()) as { revelation: { id: string } }
  const letter = await getJson(`/api/revelations/${revelation.id}`, author)
  const files = letter.revelation.files as { name: string; caption: string | null }[]
  expect(files.map(({ name }) => name)).toEqual(order)
  expect(
    files.filter(({ caption }) => caption).map(({ name, caption }) => [name, caption]),
  ).toEqual([
    ['photo-12.png', 'Le soir où tout le monde chantait'],
    ['photo-7.png', 'Léa, de dos'],
  ])
})

test('a finger and a mouse put a file elsewhere by its handle', { tag: ['@both', '@all'] }, async ({
  page,
}) => {
  await signIn(page)
  await page.goto(`${origin()}/create?vue=tout`)
  await page.getByLabel('Joindre un fichier').setInputFiles((await photos()).slice(0, 3))
  await expect(page.getByText('Tous les fichiers sont arrivés')).toBeVisible()
  await dragOnto(
    page,
    page.getByRole('button', { name: /^Déplacer « photo-1.png »/ }),
    rows(page).nth(1),
  )
  await expect.poll(() => namesIn(page)).toEqual(['photo-2.png', 'photo-1.png', 'photo-3.png'])
  await expect(
    page.getByText('« photo-1.png » est maintenant le fichier 2 sur 3.', { exact: true }),
  ).toBeAttached()
})

/** Small pictures, no two of which are alike. */
async function photos() {
  return Promise.all(
    NAMES.map(async (name, at) => ({
      name,
      mimeType: 'image/png',
      buffer: await picture('png', 40 + at, 30),
    })),
  )
}

/** Lets so many parts through, and no more; `someCut` resolves once one is cut. */
async function cutAfter(page: Page, count: number): Promise<{ someCut: Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let parts = 0
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    parts += 1
    if (parts <= count) return route.continue()
    resolve()
    await route.abort()
  })
  return { someCut: promise }
}

/** The same device, in another tab. */
async function openAgain(page: Page, token: string): Promise<Page> {
  const again = await page.context().newPage()
  await again.addInitScript((value) => localStorage.setItem('auth_token', value), token)
  return again
}

function rows(page: Page): Locator {
  return page.getByRole('list', { name: 'Vos fichiers' }).getByRole('listitem')
}

function captionOf(page: Page, name: string): Locator {
  return page.getByRole('textbox', { name: `Légende de « ${name} »` })
}

async function namesIn(page: Page): Promise<string[]> {
  const all = await rows(page).allTextContents()
  return all.map((text) => /photo-\d+\.png/.exec(text)?.[0] ?? '')
}

async function tap(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).tap()
}

/** By touch on a phone, which sends pointers of a finger. */
async function dragOnto(page: Page, handle: Locator, target: Locator): Promise<void> {
  // Below the header, above the bars of a phone.
  await handle.evaluate((element) => window.scrollBy(0, element.getBoundingClientRect().top - 120))
  const from = await middleOf(handle)
  const to = await middleOf(target)
  const steps = Array.from({ length: 12 }, (_, at) => ({
    x: from.x,
    y: from.y + ((to.y + 20 - from.y) * (at + 1)) / 12,
  }))
  if (!page.viewportSize() || (page.viewportSize()?.width ?? 0) > 400) {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    for (const { x, y } of steps) await page.mouse.move(x, y)
    await page.mouse.up()
    return
  }
  const client = await page.context().newCDPSession(page)
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    points: { x: number; y: number }[],
  ) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await touch('touchStart', [from])
  for (const point of steps) await touch('touchMove', [point])
  await touch('touchEnd', [])
}

async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
