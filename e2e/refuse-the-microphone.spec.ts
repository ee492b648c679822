import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { findChromium } from './chromium.ts'
import { origin, signIn } from './people.ts'

const { executablePath, args, env } = await findChromium()

// Somebody who says no to every page that asks for the microphone.
test.use({
  launchOptions: { executablePath, args: [...args, '--use-fake-ui-for-media-stream=deny'], env },
})

test('whoever refuses the microphone is told how to allow it, and may import instead', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(`${origin()}/family-sound`)
  await page.getByRole('button', { name: 'Enregistrer' }).first().click()
  const recorder = page.getByRole('dialog')
  await recorder.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(recorder.getByText(/^Impossible d'accéder au microphone\. Autorisez/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Importer' }).first().click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'voix.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('Ceci n’est pas une voix, mais des mots.'),
  })
  const form = page.getByRole('dialog')
  await expect(form.getByLabel('Titre')).toHaveValue('voix')
  await form.getByRole('button', { name: 'Envoyer' }).click()
  await expect(form.getByText(/^Type de fichier non autorisé/)).toBeVisible()
  await expectAccessible(page)
})
