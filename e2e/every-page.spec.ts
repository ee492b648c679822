import { expect, type Locator, type Page, test } from '@playwright/test'
import { picture } from '../server/test/media-files.ts'
import { expectAccessible, expectFitsEnlarged } from './accessibility.ts'
import { cameBefore, openBeside, origin, type Person, sealThrough, signIn } from './people.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
/** What was pressed and shows nothing for so long was not heard. */
const HEARD_MS = 3_000

/** A page in a state: where it is, and what is done there. Journeys look at many more on their way. */
type State = [path: string, act?: (page: Page) => Promise<void>]

/** By day on a phone; by night in a large window, and that one enlarged. */
async function expectFaultless(page: Page, states: State[]): Promise<void> {
  const { isMobile } = test.info().project.use
  for (const [path, act] of states) {
    await test.step(path, async () => {
      // Nothing fades on: every colour is the one it will keep.
      const colorScheme = isMobile ? 'light' : 'dark'
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(origin() + path)
      await expect(page.locator('main h1, main [role=status]').first()).toBeAttached()
      await act?.(page)
      await expectAccessible(page)
      if (!isMobile) await expectFitsEnlarged(page)
    })
  }
}

function press(name: string | RegExp, timeout?: number) {
  return async (page: Page) => {
    const button = page.getByRole('main').getByRole('button', { name }).first()
    await expect(button).toBeEnabled()
    await button.click({ timeout })
  }
}

/** What is pressed before React has taken a first screen over is not heard. */
async function untilSeen(opened: Locator, act: () => Promise<void>): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await act()
    await expect(opened).toBeVisible({ timeout: HEARD_MS })
  }).toPass()
}

/** Presses, and waits for what that opens. */
function open(name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') {
  return async (page: Page) => {
    await untilSeen(page.getByRole(role), () => press(name, HEARD_MS)(page))
  }
}

async function openMenu(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 640, height: 900 })
  await untilSeen(page.getByRole('navigation', { name: 'Menu' }), () =>
    page.getByRole('button', { name: 'Ouvrir le menu' }).click({ timeout: HEARD_MS }),
  )
  if (size) await page.setViewportSize(size)
}

async function sealPicture(author: Person, reveal_date: string) {
  const form = new FormData()
  form.append('folder', 'images')
  const bytes = new Uint8Array(await picture('png', 600, 400))
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'port.png')
  const headers = { authorization: `Bearer ${author.token}` }
  const sent = await fetch(`${origin()}/api/upload`, { method: 'POST', headers, body: form })
  const { url } = await sent.json()
  return sealThrough(author, {
    title: 'Le port, un matin de grand vent',
    visibility: 'public',
    file_url: url,
    reveal_date,
  })
}

test('no page that asks for nothing has a fault', async ({ page }) => {
  await cameBefore(page)
  await expectFaultless(page, [
    ['/?q=rien-de-tel', openMenu],
    ['/demo'],
    ['/login', press('Se connecter')],
    ['/register', press(/compte/)],
    ['/verification'],
    ['/mot-de-passe-oublie', press('Recevoir un lien')],
    ['/nouveau-mot-de-passe'],
    ['/ne-plus-recevoir'],
    ['/signaler'],
    ['/preuve'],
    ['/legal'],
    ['/confidentialite'],
    ['/conditions'],
    ['/accessibilite'],
  ])
})

test('no page of a visitor who reads has a fault', async ({ page }) => {
  const author = await signIn(await openBeside(page))
  const opened = await sealPicture(author, new Date(Date.now() + 1_000).toISOString())
  const sealed = await sealThrough(author, { visibility: 'public' })
  await cameBefore(page)
  await expectFaultless(page, [
    ['/'],
    ['/predictions'],
    ['/predictions?onglet=devoilees'],
    [`/revelation/${sealed.id}`],
    [`/revelation/${opened.id}`, open('Voir l’image en plein écran')],
    [`/revelation/${opened.id}`, open(/^Partager/)],
    [`/revelation/${NOBODY}`],
  ])
})

test('no page of an author has a fault', async ({ page, isMobile }) => {
  test.skip(isMobile, 'Journeys look at these by day')
  const author = await signIn(page)
  const opened = await sealPicture(author, new Date(Date.now() + 1_000).toISOString())
  const sealed = await sealThrough(author)
  await expectFaultless(page, [
    ['/', openMenu],
    ['/create', press('Relire avant de sceller')],
    ['/create', open('Date de révélation')],
    [`/edit/${sealed.id}`],
    [`/edit/${NOBODY}`],
    [`/revelation/${sealed.id}`, open(/^Supprimer/, 'alertdialog')],
    [`/revelation/${opened.id}`, open('Déclarer l’issue')],
    ['/profile?onglet=revelations'],
    ['/subscription'],
  ])
})

test('no page of a person among others has a fault', async ({ page, isMobile }) => {
  test.skip(isMobile, 'Journeys look at these by day')
  await signIn(page)
  await expectFaultless(page, [
    ['/profile', press('Modifier')],
    ['/profile?onglet=relations'],
    ['/profile?onglet=parametres', open('Revoir la présentation')],
    ['/profile?onglet=abonnements'],
    [`/profile/${NOBODY}`],
    ['/family'],
    ['/family?onglet=contacts'],
    ['/family?onglet=calendrier', open('Ajouter un événement')],
    ['/family?onglet=statistiques'],
    ['/family-sound'],
  ])
})

const ASKING = [
  '/',
  '/predictions',
  `/revelation/${NOBODY}`,
  `/edit/${NOBODY}`,
  '/profile?onglet=revelations',
  '/profile?onglet=relations',
  '/profile?onglet=parametres',
  '/profile?onglet=abonnements',
  '/family',
  '/family?onglet=contacts',
  '/family?onglet=calendrier',
  '/family?onglet=statistiques',
  '/family-sound',
  '/subscription',
]

const SESSION = '/api/auth/verify-token'

function isAsked({ pathname }: URL): boolean {
  return pathname.startsWith('/api/') && pathname !== SESSION
}

test('no page has a fault while it waits for an answer', async ({ page, isMobile }) => {
  test.skip(isMobile, 'Journeys look at these by day')
  await signIn(page)
  const end = Promise.withResolvers<void>()
  await page.route(isAsked, () => end.promise)
  await expectFaultless(
    page,
    ASKING.map((path) => [path]),
  )
  end.resolve()
})

test('no page has a fault that is answered with one', async ({ page }) => {
  await signIn(page)
  const error = { code: 'unexpected', message: 'Erreur API' }
  await page.route(isAsked, (route) => route.fulfill({ status: 400, json: { error } }))
  const again = async () => {
    await expect(page.getByRole('button', { name: 'Réessayer' }).first()).toBeVisible()
  }
  await expectFaultless(
    page,
    ASKING.map((path) => [path, again]),
  )
})
