import { expect, type Page } from '@playwright/test'
import { createRevelation } from '#contract/sealing.ts'
import { test } from './journey.ts'
import { expectInside, leaveWithEscape, pressOn, tabTo, typeInto } from './keyboard.ts'
import { openSoon, untilAfter } from './moments.ts'
import { cameBefore, newPseudo, origin, PASSWORD } from './people.ts'

const WORDS = 'Chaque lettre de ce mot vient du clavier.'

// A window of 1280 × 900 enlarged to 200 %.
test.use({ viewport: { width: 640, height: 450 } })
test.skip(({ isMobile }) => isMobile, 'Phones have no Tab key')

test('a letter is sealed, found, read, answered and left behind with the keyboard alone', {
  tag: '@all',
}, async ({ page }) => {
  await cameBefore(page)
  const readInstant = await openSoon(page, createRevelation)
  const pseudo = newPseudo()
  await register(page, pseudo)
  await chooseInMenu(page, 'Créer une révélation')
  const title = `Écrite sans souris par ${pseudo}`
  await seal(page, title)
  await findAgain(page, title)
  await expect(page.getByText('Révélation en attente')).toBeVisible()
  await expect(page.getByText('Révélation dévoilée')).toBeVisible(untilAfter(readInstant()))
  // The night that had the focus is gone.
  await expectTurned(page)
  await tabThrough(page)
  await answer(page)
  await visitSettings(page)
  await chooseInMenu(page, 'Déconnexion')
  await expect(page.getByRole('link', { name: 'Sceller ma première révélation' })).toBeVisible()
  await expectTurned(page)
})

async function expectTurned(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
}

async function register(page: Page, pseudo: string): Promise<void> {
  await page.goto(`${origin()}/register`)
  await expect(page.getByLabel('Pseudo')).toBeVisible()
  await pressOn(page, page.getByRole('link', { name: 'Aller au contenu' }))
  await expect(page.getByRole('main')).toBeFocused()
  await typeInto(page, page.getByLabel('Pseudo'), pseudo)
  await typeInto(page, page.getByLabel('E-mail'), `${pseudo}@exemple.test`)
  await typeInto(page, page.getByLabel('Mot de passe', { exact: true }), PASSWORD)
  await typeInto(page, page.getByLabel(/^Confirm/), PASSWORD)
  await pressOn(page, page.getByLabel('J’ai 15 ans ou plus'), 'Space')
  await page.keyboard.press('Enter')
  await leaveWithEscape(
    page,
    page.getByRole('dialog', { name: 'Bienvenue' }),
    page.getByRole('main'),
  )
}

/** From wherever the focus is: the menu is above all else. */
async function chooseInMenu(page: Page, name: string): Promise<void> {
  const toggle = page.getByRole('button', { name: /(Ouvrir|Fermer) le menu/ })
  await tabTo(page, toggle, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(toggle).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await pressOn(page, menu.getByRole('link', { name }).or(menu.getByRole('button', { name })))
}

async function seal(page: Page, title: string): Promise<void> {
  await expectTurned(page)
  await tabTo(page, page.getByRole('radio', { name: /^Une lettre/ }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /^Une prédiction/ })).toBeChecked()
  await pressOn(page, page.getByRole('button', { name: 'Continuer' }))
  await expectTurned(page)
  await tabTo(page, page.getByLabel('Titre'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(title)
  await typeInto(page, page.getByRole('textbox', { name: 'Votre prédiction' }), WORDS)
  await tabTo(page, page.locator('summary', { hasText: 'Papier et encre' }))
  await page.keyboard.press('Control+Enter')
  await expectTurned(page)
  const day = page.getByLabel('Date de révélation', { exact: true })
  await pressOn(page, day)
  await expect(page.getByRole('gridcell').locator(':focus')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(day).toBeFocused()
  await page.keyboard.press('Enter')
  const picked = page.getByRole('gridcell').locator(':focus')
  await expect(picked).toBeVisible()
  const proposed = await day.innerText()
  // The next day, with both keys at once.
  await Promise.all(['ArrowRight', 'Enter'].map((key) => page.keyboard.press(key)))
  await expect(picked).toBeHidden()
  await expect(day).toBeFocused()
  await expect(day).not.toHaveText(proposed)
  await typeTime(page, '18:30')
  await pressOn(page, page.getByRole('button', { name: 'Continuer' }))
  await expectTurned(page)
  await pressOn(page, page.getByRole('button', { name: 'Sceller' }))
  await expect(page.getByRole('heading', { name: 'C’est scellé.' })).toBeFocused()
  await pressOn(page, page.getByRole('link', { name: 'Voir la prédiction' }))
  await expect(page).toHaveURL(/\/revelation\//)
  await expectTurned(page)
}

/** Browsers write hours in their own language: twenty-four of them, or twice twelve. */
async function typeTime(page: Page, time: string): Promise<void> {
  const field = page.getByLabel('Heure')
  await tabTo(page, field)
  const [hours = '', minutes = ''] = time.split(':')
  await page.keyboard.type(hours + minutes)
  if ((await field.inputValue()) === time) return
  // Back to the hours, wherever the digits led.
  for (let part = 0; part < 3; part++) await page.keyboard.press('ArrowLeft')
  const inHalf = String(Number(hours) % 12 || 12).padStart(2, '0')
  await page.keyboard.type(`${inHalf}${minutes}${Number(hours) < 12 ? 'A' : 'P'}`)
  await expect(field).toHaveValue(time)
}

/** The dialogs of a revelation. */
async function tabThrough(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const share = main.getByRole('button', { name: /^Partager/ })
  await pressOn(page, share)
  await leaveWithEscape(page, page.getByRole('dialog'), share)
  const more = main.getByRole('button', { name: /^Plus d’actions pour/ })
  await pressOn(page, more)
  await expectInside(page, page.getByRole('menu'))
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Supprimer' })).toBeFocused()
  await page.keyboard.press('Enter')
  await leaveWithEscape(page, page.getByRole('alertdialog'), more)
}

async function findAgain(page: Page, title: string): Promise<void> {
  await chooseInMenu(page, 'Accueil')
  await expectTurned(page)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(title)
  const found = page.getByRole('article').getByRole('link', { name: title })
  // It is among the letters of everybody before anything is searched for.
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(found).toBeVisible()
  await pressOn(page, found)
  await expectTurned(page)
}

async function answer(page: Page): Promise<void> {
  await expect(page.getByText(WORDS)).toBeVisible()
  await pressOn(page, page.getByRole('button', { name: 'Réactions et commentaires' }))
  const others = page.getByRole('button', { name: 'Autres réactions' })
  await expect(others).toBeVisible()
  await pressOn(page, others)
  await leaveWithEscape(page, page.getByRole('dialog'), others)
  await page.keyboard.press('Enter')
  await expectInside(page, page.getByRole('dialog'))
  await pressOn(page, page.getByRole('button', { name: 'Ça enflamme' }), 'Space')
  await expect(page.getByRole('button', { name: 'Ça enflamme' }).first()).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(others).toBeFocused()
  await typeInto(page, page.getByLabel('Votre commentaire'), 'Écrit au clavier')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Écrit au clavier')).toBeVisible()
}

async function visitSettings(page: Page): Promise<void> {
  await chooseInMenu(page, 'Mon Profil')
  await expectTurned(page)
  await tabTo(page, page.getByRole('tab'))
  const tabs = page.getByRole('tab')
  for (let presses = 1; presses <= 3; presses += 1) {
    await page.keyboard.press('ArrowRight')
    await expect(tabs.nth(presses)).toBeFocused()
  }
  const settings = page.getByRole('tab', { name: 'Paramètres' })
  await expect(settings).toBeFocused()
  await expect(settings).toHaveAttribute('aria-selected', 'true')
  const leave = page.getByRole('button', { name: 'Supprimer mon compte' })
  await expect(leave).toBeVisible()
  // What comes above would push aside what has the focus.
  await expect(page.getByRole('main').getByText(/^Chargement/)).toHaveCount(0)
  await pressOn(page, leave)
  await leaveWithEscape(page, page.getByRole('dialog'), leave)
}
