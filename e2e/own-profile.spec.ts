import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { openBeside, origin, PASSWORD, postJson, sealThrough, signIn } from './people.ts'

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
  await expectAccessible(page)
  await page.getByLabel('Choisir une photo').setInputFiles({
    name: 'moi.png',
    mimeType: 'image/png',
    buffer: await drawPicture(page),
  })
  const dialog = page.getByRole('dialog', { name: 'Recadrer la photo' })
  await dialog.getByRole('group', { name: 'Cadre de la photo' }).focus()
  for (const key of ['ArrowLeft', '+', '+', '-']) await page.keyboard.press(key)
  await expectAccessible(page)
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
  await expectAccessible(page)
})

test('a new password ends the other sessions and keeps this one', async ({ page }) => {
  const { email } = await signIn(page)
  const elsewhere = await postJson('/api/auth/login', { email, password: PASSWORD })
  await page.goto(`${origin()}/profile?onglet=parametres`)
  const sessions = page.getByRole('region', { name: 'Appareils connectés' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await page.getByLabel('Mot de passe actuel').fill('pas le bon')
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('un nouveau secret')
  await page.getByLabel('Confirmer le nouveau mot de passe').fill('un nouveau secret')
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await expect(page.getByText('Le mot de passe actuel est incorrect')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Mot de passe actuel').fill(PASSWORD)
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await expect(page.getByText('Mot de passe modifié avec succès')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(sessions.getByText('Cet appareil')).toBeVisible()
  const dead = await fetch(`${origin()}/api/auth/profile`, {
    headers: { authorization: `Bearer ${elsewhere.token}` },
  })
  expect(dead.status).toBe(401)
})

test('a person blocks another, neither sees the other, and it can be undone', async ({ page }) => {
  const me = await signIn(page)
  const other = await openBeside(page)
  const them = await signIn(other)
  const { id } = await sealThrough(them)
  await page.goto(`${origin()}/revelation/${id}`)
  await expectAccessible(page)
  await page
    .getByRole('link', { name: `@${them.pseudo}` })
    .first()
    .click()
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Envoyer la demande' }).click()
  await expect(page.getByText('Demande envoyée · Ami')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: `Plus d’actions pour @${them.pseudo}` }).click()
  await page.getByRole('menuitem', { name: 'Bloquer' }).click()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquer' }).click()
  await expect(page).toHaveURL(`${origin()}/`)
  const { users } = await (
    await fetch(`${origin()}/api/auth/search?q=${me.pseudo}`, {
      headers: { authorization: `Bearer ${them.token}` },
    })
  ).json()
  expect(users).toEqual([])
  await other.goto(`${origin()}/profile`)
  await expect(other.getByRole('heading', { name: `@${them.pseudo}` })).toBeVisible()
  await expect(other.getByText('demande reçue')).toHaveCount(0)

  await page.goto(`${origin()}/profile?onglet=parametres`)
  await page.getByRole('button', { name: `Débloquer @${them.pseudo}` }).click()
  await expect(page.getByText('Vous n’avez bloqué personne.')).toBeVisible()
  await other.context().close()
})
