import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { origin, signIn } from './people.ts'

/** A picture drawn by the browser itself, wider than it is high. */
async function drawPicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 600
    canvas.height = 400
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('This browser does not draw')
    for (const [index, colour] of ['#b3263a', '#e9803a', '#2f7d4f'].entries()) {
      pen.fillStyle = colour
      pen.fillRect(index * 200, 0, 200, 400)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

test('a person chooses a picture, cuts it to a square and shows it', async ({ page }) => {
  const { pseudo } = await signIn(page)
  await page.goto(`${origin()}/profile`)
  await page.getByRole('button', { name: 'Modifier' }).click()
  await page.getByLabel('Choisir une photo').setInputFiles({
    name: 'moi.png',
    mimeType: 'image/png',
    buffer: await drawPicture(page),
  })
  const dialog = page.getByRole('dialog', { name: 'Recadrer la photo' })
  await dialog.getByRole('group', { name: 'Cadre de la photo' }).focus()
  for (const key of ['ArrowLeft', '+', '+', '-']) await page.keyboard.press(key)
  await dialog.getByRole('button', { name: 'Utiliser cette photo' }).click()
  await expect(page.getByAltText('Aperçu')).toBeVisible()
  await page.getByLabel('Bio').fill('Je scelle des lettres.')
  await page.getByLabel('Site web').fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect(
    page.getByText('L’adresse du site doit commencer par http:// ou https://'),
  ).toBeVisible()
  await page.getByLabel('Site web').fill('exemple.be')
  await page.getByRole('button', { name: 'Sauvegarder' }).click()

  const face = page.getByAltText(`@${pseudo}`)
  await expect(face).toHaveAttribute('src', /^\/api\/avatars\//)
  await expect
    .poll(() =>
      face.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
    )
    .toEqual([512, 512])
  await expect(page.getByText('Je scelle des lettres.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'exemple.be' })).toHaveAttribute(
    'href',
    'https://exemple.be/',
  )
})
