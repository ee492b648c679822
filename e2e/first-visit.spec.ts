import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { cameBefore, openBeside, origin, postJson, signIn } from './people.ts'

test('a visitor sees a public page before any script, and React takes it over in silence', async ({
  page,
  browser,
}) => {
  const author = await signIn(await openBeside(page))
  const title = `Le premier regard ${randomUUID().slice(0, 8)}`
  const { revelation } = await postJson(
    '/api/revelations',
    {
      title,
      content: 'Personne ne lit ceci avant le jour dit.',
      target_email: author.email,
      visibility: 'public',
      reveal_date: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    },
    author.token,
  )
  const address = `${origin()}/revelation/${revelation.id}`

  const withoutScripts = await browser.newContext({ javaScriptEnabled: false })
  const bare = await withoutScripts.newPage()
  for (const at of [`${origin()}/?q=${encodeURIComponent(title)}`, address]) {
    await bare.goto(at)
    await expect(bare.getByRole('heading', { name: title })).toBeVisible()
  }
  await withoutScripts.close()

  await cameBefore(page)
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(address)
  const talk = page.getByRole('button', { name: 'Réactions et commentaires' })
  // A click before React has hydrated the page is lost.
  await expect(async () => {
    if ((await talk.getAttribute('aria-expanded')) === 'false') await talk.click()
    await expect(talk).toHaveAttribute('aria-expanded', 'true', { timeout: 1_000 })
  }).toPass()
  await page.getByRole('link', { name: 'Révélations', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Écrit cette nuit')
  expect(errors).toEqual([])
})

test('whoever is signed in never sees the page of a visitor', async ({ page }) => {
  await signIn(page)
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const check = () => {
      const link = [...document.querySelectorAll('a')].find(
        (a) => a.textContent === 'Sceller ma première révélation',
      )
      if (link?.checkVisibility()) seen.push('visitor')
      requestAnimationFrame(check)
    }
    requestAnimationFrame(check)
  })
  await page.goto(origin())
  await expect(page.getByRole('link', { name: 'Écrire une lettre…' })).toBeVisible()
  await expect(page).toHaveURL(`${origin()}/`)
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})
