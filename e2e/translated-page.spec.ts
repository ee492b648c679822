import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { soonAfter, untilAfter } from './moments.ts'
import { cameBefore, openBeside, origin, PASSWORD, sealThrough, signIn } from './people.ts'

/** As browsers do: the translation of each text, in capitals here, stands in the place of the text; of later ones too. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const replace = (text: Text) => {
      if (!text.data.trim() || text.parentElement?.closest('font, script, style, textarea')) return
      const font = document.createElement('font')
      font.append(document.createElement('font'))
      font.firstElementChild?.append(text.data.toUpperCase())
      text.replaceWith(font)
    }
    const replaceIn = (root: Node) => {
      if (root instanceof Text) return replace(root)
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
      for (const text of texts) replace(text)
    }
    replaceIn(document.body)
    new MutationObserver((records) => {
      for (const node of records.flatMap((record) => [...record.addedNodes])) {
        if (node.isConnected && node.nodeName !== 'FONT') replaceIn(node)
      }
    }).observe(document.body, { childList: true, subtree: true })
  })
}

test('a page that the browser translates opens its letter, and goes on as any other', async ({
  page,
}) => {
  const author = await signIn(await openBeside(page))
  await cameBefore(page)
  const instant = soonAfter(Date.now())
  const title = `Une annonce de ${author.pseudo}`
  const letter = await sealThrough(author, {
    title,
    visibility: 'public',
    reveal_date: instant.toISOString(),
  })
  await page.goto(`${origin()}/revelation/${letter.id}`)
  await expect(page.getByText('Révélation en attente')).toBeVisible()
  await translate(page)
  await expect(page.getByText('DES MOTS QUE PERSONNE NE LIT ENCORE.')).toBeVisible(
    untilAfter(instant),
  )

  await page.getByRole('banner').getByRole('link', { name: 'RÉVÉLATIONS', exact: true }).click()
  const card = page.getByRole('article').getByRole('link', { name: title.toUpperCase() })
  await card.first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title.toUpperCase())
  await page.goBack()
  await expect(card.first()).toBeVisible()

  await page.getByRole('banner').getByRole('link', { name: 'CONNEXION' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const main = page.getByRole('main')
  await main.locator('input[type=email]').fill(author.email)
  await main.locator('input[type=password]').fill('un autre mot de passe')
  await page.keyboard.press('Enter')
  await expect(main.getByText('INCORRECT', { exact: false }).first()).toBeVisible()
  await main.locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner').getByText('MON PROFIL')).toBeVisible()
})
