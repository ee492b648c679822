import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { breakSeal } from './moments.ts'
import { openBeside, origin, sealThrough, signIn } from './people.ts'

const LETTER = 'Elle s’appellera Aurore, comme sa grand-mère.'

/** Notes in the page, at each frame, whether the words of the letter are seen. */
async function watchWords(page: Page): Promise<void> {
  await page.addInitScript((words) => {
    const check = () => {
      if (document.body?.innerText.includes(words)) Object.assign(window, { sawWords: true })
      requestAnimationFrame(check)
    }
    check()
  }, LETTER)
}

test('two wait together before a public letter, and meet another sealed when they come back', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(await openBeside(page))
  const instant = new Date(Date.now() + 10_000)
  const changes = { content: LETTER, visibility: 'public' }
  const soon = await sealThrough(author, { ...changes, reveal_date: instant.toISOString() })
  const later = await sealThrough(author, changes)
  const addressOf = ({ id }: { id: string }) => `${origin()}/revelation/${id}`
  const sealed = (at: Page) => at.getByRole('button', { name: 'Ajouter à mon calendrier' })

  await page.goto(addressOf(soon))
  // The server's page is there before its code is.
  await page.waitForFunction(() => localStorage.getItem('awaited-letters') !== null)
  await page.goto(addressOf(later))
  await expect(sealed(page)).toBeVisible()
  await expect(page.getByText(/avec vous/)).toBeHidden()
  const before = await sealed(page).boundingBox()
  const other = await openBeside(page)
  // Two visitors of one network with the same browser would be one person.
  await signIn(other)
  await other.goto(addressOf(later))
  await expect(other.getByText('Une personne attend avec vous')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Une personne attend avec vous')).toBeVisible()
  expect(await sealed(page).boundingBox()).toEqual(before)
  await other.goto('about:blank')
  await page.reload()
  await expect(sealed(page)).toBeVisible()
  await expect(page.getByText(/avec vous/)).toBeHidden()

  await watchWords(page)
  await expect(() => expect(Date.now()).toBeGreaterThan(instant.getTime())).toPass()
  await page.goto(addressOf(soon))
  await expect(page.getByText('Elle vous attend')).toBeVisible()
  expect(await page.evaluate(() => 'sawWords' in window)).toBe(false)
  await breakSeal(page)
  await expect(page.getByText(LETTER)).toBeVisible()
  await page.reload()
  await expect(page.getByText(LETTER)).toBeVisible()
})
