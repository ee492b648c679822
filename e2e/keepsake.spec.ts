import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { picture } from '#testing/media-files.ts'
import { readZip } from '#testing/read-zip.ts'
import { test } from './journey.ts'
import { getJson, origin, type Person, sealThrough, sendFile, signIn } from './people.ts'

const WORDS = 'Le mur tiendra, et les tulipes avec lui.'

/** The appearance of a page on paper, with « background graphics » on, in a browser that prefers the dark. */
async function printed(page: Page, id: string) {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto(`${origin()}/revelation/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const text = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
  const pdf = (await page.pdf({ printBackground: true })).toString('latin1')
  return { text, pages: pdf.match(/\/Type \/Page\b/g)?.length }
}

async function sealOpened(
  author: Person,
  content: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const reveal_date = new Date(Date.now() + 1_000).toISOString()
  const changes = { title: 'Le mur du jardin', content, visibility: 'public', reveal_date }
  const { id } = await sealThrough(author, { ...changes, ...more })
  await expect(async () => {
    const { revelation } = await getJson(`/api/revelations/${id}`)
    expect(revelation.is_revealed).toBe(true)
  }).toPass()
  return id
}

test('an open letter is printed as one would write it, and nothing of the page with it', async ({
  page,
}) => {
  const author = await signIn(page)
  const id = await sealOpened(author, WORDS)
  await page.goto(`${origin()}/revelation/${id}`)
  await expect(page.getByRole('button', { name: 'Imprimer' })).toBeVisible()
  const { text, pages } = await printed(page, id)
  const { revelation } = await getJson(`/api/revelations/${id}`)
  const day = (at: string) =>
    new Intl.DateTimeFormat('fr', { dateStyle: 'full', timeZone: revelation.time_zone }).format(
      new Date(at),
    )
  const instant = `${day(revelation.reveal_date)} à \\d\\d:\\d\\d \\([^)]+\\)`
  expect(text.trim()).toMatch(
    new RegExp(
      [
        `^Le ${day(revelation.created_at)}`,
        'Le mur du jardin',
        `Pour @${author.pseudo}, de sa propre main`,
        WORDS.replaceAll('.', '\\.'),
        `Scellée le ${instant}`,
        `V Ouverte le ${instant}`,
        `Empreinte du sceau ${revelation.commitment}$`,
      ].join(' '),
    ),
  )
  expect(pages).toBe(1)
  await expect(page.getByText(WORDS)).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.getByRole('region', { name: 'La lettre' })).toHaveCSS(
    'background-color',
    'rgb(255, 255, 255)',
  )

  const longId = await sealOpened(author, `${WORDS}\n\n`.repeat(80))
  expect((await printed(page, longId)).pages).toBeGreaterThan(2)
})

test('an album is printed whole, its pictures fetched for it', async ({ page }) => {
  const author = await signIn(page)
  const file = { bytes: await picture('png', 600, 400), name: 'port.png', type: 'image/png' }
  const file_urls: string[] = []
  while (file_urls.length < 3) file_urls.push(await sendFile(author, 'images', file))
  const captions = ['Le quai', 'La jetée', 'Le phare']
  const id = await sealOpened(author, WORDS, { file_urls, captions })
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.goto(`${origin()}/revelation/${id}`)
  await page.getByRole('button', { name: 'Imprimer' }).click()
  await expect(page.locator('html[data-printed]')).toBeAttached()
  const pictures = page.locator('.keepsake-picture img')
  const widths = await pictures.evaluateAll((all: HTMLImageElement[]) =>
    all.map(({ naturalWidth }) => naturalWidth),
  )
  expect(widths).toEqual([600, 600, 600])
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.keepsake-caption').filter({ visible: true })).toHaveText(captions)
  await expect(page.getByRole('list', { name: 'Fichiers' })).toBeHidden()
})

test('a sealed letter that its author prints keeps its secret', async ({ page }) => {
  const author = await signIn(page)
  const { id, title } = await sealThrough(author, { content: WORDS })
  const { text } = await printed(page, id)
  expect(text).toContain(title)
  expect(text).toContain('Révélation en attente')
  expect(text).not.toContain(WORDS)
})

test('an open letter is downloaded whole', async ({ page }) => {
  const id = await sealOpened(await signIn(page), WORDS)
  await page.goto(`${origin()}/revelation/${id}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger tout' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Le mur du jardin.zip')
  const files = readZip(await readFile(await download.path()))
  expect(files.get('lettre.txt')?.toString()).toContain(WORDS)
  expect([...files.keys()]).toContain(`preuves/preuve-${id}.json`)
})
