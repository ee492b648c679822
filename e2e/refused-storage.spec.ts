import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { breakSeal } from './moments.ts'
import { newPseudo, openBeside, origin, sealThrough, signIn } from './people.ts'

test('a letter opens in a browser that stores nothing, which promises to keep nothing @phone', async ({
  page,
  context,
}) => {
  const author = await signIn(await openBeside(page))
  const email = `${newPseudo()}@exemple.test`
  await sealThrough(author, {
    visibility: 'private',
    target_email: email,
    reveal_date: new Date(Date.now() + 1_000).toISOString(),
  })
  // As with all cookies blocked, or in a view of another app.
  await context.addInitScript(() => {
    const get = () => {
      throw new DOMException('The document is sandboxed.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get })
  })
  await page.goto(linkIn(await mailTo(email, /lettre .*s’est ouverte/), '/revelation/'))
  await breakSeal(page)
  await expect(page.getByText('Des mots que personne ne lit encore.')).toBeVisible()
  await page.getByRole('button', { name: 'Oui, la garder ici' }).click()
  await expect(page.getByText('Rien n’est gardé sur cet appareil')).toBeVisible()
  await page.goto(`${origin()}/login`)
  await expect(page.getByText(/Ce navigateur n’enregistre rien/)).toBeVisible()
})
