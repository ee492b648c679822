import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { origin, type Person, sealThrough, signIn } from './people.ts'

const WORDS = 'Le mur tiendra, et les tulipes avec lui.'

/** The appearance of a page on paper, with « background graphics » on, in a browser that prefers the dark. */
async function printed(page: Page, id: string) {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto(`${origin()}/revelation/${id}`)
  await expect(page.getByRole('heading', { name: 'Le sceau' })).toBeVisible()
  const text = await page.locator('body').innerText()
  const pdf = (await page.pdf({ printBackground: true })).toString('latin1')
  return { text, pages: pdf.match(/\/Type \/Page\b/g)?.length }
}

async function sealOpened(author: Person, content: string): Promise<string> {
  const reveal_date = new Date(Date.now() + 1_000).toISOString()
  const changes = { title: 'Le mur du jardin', content, visibility: 'public', reveal_date }
  const { id } = await sealThrough(author, changes)
  await expect(async () => {
    const { revelation } = await (await fetch(`${origin()}/api/revelations/${id}`)).json()
    expect(revelation.is_revealed).toBe(true)
  }).toPass()
  return id
}

test('a revealed letter is printed as a sheet, with its seal and nothing to press', async ({
  page,
}) => {
  const author = await signIn(page)
  const id = await sealOpened(author, WORDS)
  const { text, pages } = await printed(page, id)
  const { revelation } = await (await fetch(`${origin()}/api/revelations/${id}`)).json()
  for (const part of [
    'Le mur du jardin',
    `@${author.pseudo}`,
    author.email,
    WORDS,
    'Révélation dévoilée',
    'Scellée le',
    revelation.commitment,
    `${origin()}/revelation/${id}`,
  ]) {
    expect(text).toContain(part)
  }
  for (const other of ['Vérifi', 'commentaires', 'Rien que pour vous', 'il y a', 'Conditions']) {
    expect(text).not.toContain(other)
  }
  expect(pages).toBe(1)
  const letter = page.getByText(WORDS)
  await expect(letter).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.getByRole('region', { name: 'La lettre' })).toHaveCSS(
    'background-color',
    'rgb(255, 255, 255)',
  )

  const longId = await sealOpened(author, `${WORDS}\n\n`.repeat(80))
  expect((await printed(page, longId)).pages).toBeGreaterThan(2)
})

test('a sealed letter that its author prints keeps its secret', async ({ page }) => {
  const author = await signIn(page)
  const { id, title } = await sealThrough(author, { content: WORDS })
  const { text } = await printed(page, id)
  expect(text).toContain(title)
  expect(text).toContain('Révélation en attente')
  expect(text).not.toContain(WORDS)
})
