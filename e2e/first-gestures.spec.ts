import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { cameBefore, openBeside, origin, sealThrough, signIn } from './people.ts'

test.skip(({ isMobile }) => !isMobile, 'Its menu is that of a phone, and its taps')

/** A processor four times as slow as this one. */
test.beforeEach(async ({ page }) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
})

/**
 * Opens a page whose code comes as late as on the worst of networks: when it is let go. Nothing waits for its load event, which
 * waits for what was begun before it.
 */
async function openWithoutCode(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  return resolve
}

test('what is tapped, typed and sent before the code has come is answered once it has @phone', async ({
  page,
}) => {
  const author = await signIn(await openBeside(page))
  const { title } = await sealThrough(author, {
    title: `Un geste trop tôt ${Date.now()}`,
    visibility: 'public',
  })
  await cameBefore(page)

  await test.step('the menu', async () => {
    const letCodeCome = await openWithoutCode(page, `${origin()}/legal`)
    await page.getByRole('button', { name: 'Ouvrir le menu' }).tap()
    await page.getByRole('button', { name: 'Ouvrir le menu' }).tap()
    letCodeCome()
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible()
  })

  await test.step('a word in the search', async () => {
    const letCodeCome = await openWithoutCode(page, origin())
    await page.getByRole('searchbox').fill(title)
    letCodeCome()
    await expect(page).toHaveURL(/\?q=Un/)
    await expect(page.getByRole('article')).toHaveCount(1)
  })

  await test.step('a reaction', async () => {
    const letCodeCome = await openWithoutCode(page, `${origin()}/?q=${encodeURIComponent(title)}`)
    // To a visitor it is disabled, and explains why.
    const reactions = page.getByRole('group', { name: `Réagir à ${title}` }).getByRole('button')
    // A tap by force waits for nothing, and what moves under the finger is missed.
    await page.evaluate(() => document.fonts.ready)
    await reactions.first().scrollIntoViewIfNeeded()
    await reactions.first().tap({ force: true })
    letCodeCome()
    await expect(page.getByRole('dialog')).toContainText('Vous devez être connecté pour réagir')
  })

  await test.step('signing in', async () => {
    const letCodeCome = await openWithoutCode(page, `${origin()}/login`)
    await page.getByLabel('E-mail').fill(author.email)
    await page.getByLabel('Mot de passe', { exact: true }).fill('faux mot de passe')
    await page.getByRole('button', { name: 'Se connecter' }).tap()
    expect(page.url()).toBe(`${origin()}/login`)
    letCodeCome()
    await expect(page.getByText('E-mail ou mot de passe incorrect')).toBeVisible()
  })
})

test('a page that was scrolled before its code has come stays where it is @phone', async ({
  page,
}) => {
  const letCodeCome = await openWithoutCode(page, `${origin()}/register`)
  const consent = page.getByRole('checkbox')
  await consent.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  expect(place).toBeGreaterThan(0)
  letCodeCome()
  await expect.poll(() => consent.evaluate(isHydrated)).toBe(true)
  expect(await page.evaluate(() => window.scrollY)).toBe(place)
})

function isHydrated(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__reactFiber'))
}
