import { expect } from '@playwright/test'
import { pdf } from '#testing/media-files.ts'
import { test } from './journey.ts'
import { origin, sealThrough, sendFile, signIn } from './people.ts'

const PAGES = 12

test('a document shows its first page, and is read in place by keyboard', { tag: '@all' }, async ({
  page,
}) => {
  const author = await signIn(page)
  const file = { bytes: pdf({ pages: PAGES }), name: 'plan.pdf', type: 'application/pdf' }
  const { id } = await sealThrough(author, {
    file_url: await sendFile(author, 'documents', file),
    reveal_date: new Date().toISOString(),
    visibility: 'public',
  })
  // Every address it is read from runs out once.
  const ranges: string[] = []
  const refused = new Set<string>()
  await page.route('**/api/secure-file/documents/**', async (route) => {
    const url = route.request().url()
    if (refused.size === 0) {
      refused.add(url)
      return route.fulfill({ status: 403, json: {} })
    }
    ranges.push(route.request().headers().range ?? 'whole')
    return route.continue()
  })
  await page.goto(`${origin()}/revelation/${id}`)
  const letter = page.getByRole('region', { name: 'La lettre' })
  const firstPage = letter.locator('button img')
  await expect(async () => {
    if (!(await firstPage.isVisible())) await page.reload()
    await expect(firstPage).toHaveJSProperty('naturalWidth', 800, { timeout: 3_000 })
  }).toPass()

  await letter.getByRole('button', { name: 'Lire le document' }).press('Enter')
  const reader = page.getByRole('dialog', { name: /^Document de la révélation/ })
  await expect(reader.getByText(`1 / ${PAGES}`)).toBeVisible()
  await expect(reader.locator('[data-page="1"] canvas')).toBeVisible()
  expect(ranges).not.toContain('whole')
  // A square of blue in the middle of the page.
  await expect
    .poll(() =>
      reader.locator('[data-page="1"] canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas
        const middle = canvas.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data
        return [...(middle ?? [])]
      }),
    )
    .toEqual([0, 0, 255, 255])

  await page.keyboard.press('End')
  await expect(reader.getByText(`${PAGES} / ${PAGES}`)).toBeVisible()
  await expect(reader.locator(`[data-page="${PAGES}"] canvas`)).toBeVisible()
  await expect(reader.locator('[data-page="1"] canvas')).toHaveCount(0)
  const width = () =>
    reader.locator(`[data-page="${PAGES}"]`).evaluate((place) => place.clientWidth)
  const before = await width()
  await page.keyboard.press('+')
  await expect.poll(width).toBeGreaterThan(before)
  await page.keyboard.press('Escape')
  await expect(reader).toBeHidden()
  await expect(letter.getByRole('button', { name: 'Lire le document' })).toBeFocused()
})
