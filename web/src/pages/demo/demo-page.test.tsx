import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listRevelations } from '#contract/revelations.ts'
import { answer } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./demo-page.tsx'))
beforeEach(() => {
  standInForMedia({ duration: 8 })
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T12:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const emptyFeed = answer(listRevelations, aPage([]))
const WORDS = /Elle s’appelle Aurore/
const TITLE = 'Son prénom, dès qu’elle sera là'

async function openDemo() {
  renderPage('/demo', { isFirstVisit: true, api: [emptyFeed] })
  await screen.findByRole('heading', { level: 1, name: /sous vos yeux/ })
  return userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTimeAsync(ms) })
}

function wait(milliseconds: number) {
  return act(() => vi.advanceTimersByTimeAsync(milliseconds))
}

async function openLive() {
  await wait(41_500)
  await screen.findByText(WORDS)
}

function card(title: string) {
  const found = screen.getByRole('heading', { level: 3, name: title }).closest('article')
  if (!found) throw new Error(`no card says « ${title} »`)
  return within(found)
}

function counts() {
  return screen.getByText(/trouvées?$/, { selector: 'span' }).parentElement?.textContent
}

test('the demo has a letter that is open, one sealed for years, and one that opens within the minute', async () => {
  await openDemo()
  expect(screen.getByText(/l’hiver ne dure pas/)).toBeTruthy()
  expect(card('Le jour où quelqu’un marchera sur Mars').getByText('Aperçu · 0:04')).toBeTruthy()
  expect(counts()).toBe('3 trouvées1 dévoilée2 en attente')
  await wait(35_000)
  expect(screen.queryByText(WORDS)).toBeNull()
  await wait(6_500)
  expect(await card(TITLE).findByText(WORDS)).toBeTruthy()
  expect(counts()).toBe('3 trouvées2 dévoilées1 en attente')
  expect(screen.getByText(`« ${TITLE} » vient de s’ouvrir.`)).toBeTruthy()
})

test('the demo shows the opening again to whoever missed it', async () => {
  const user = await openDemo()
  await openLive()
  await user.click(screen.getByRole('button', { name: 'Revoir l’ouverture' }))
  expect(screen.queryByText(WORDS)).toBeNull()
  expect(counts()).toBe('3 trouvées1 dévoilée2 en attente')
  await wait(7_000)
  expect(await screen.findByText(WORDS)).toBeTruthy()
})

test('a demo letter that opens under « En attente » stays until another filter is chosen', async () => {
  const user = await openDemo()
  await user.click(screen.getByRole('radio', { name: 'En attente' }))
  expect(counts()).toBe('2 trouvées0 dévoilée2 en attente')
  await openLive()
  expect(counts()).toBe('2 trouvées1 dévoilée1 en attente')
  await user.click(screen.getByRole('radio', { name: 'Dévoilées' }))
  expect(counts()).toBe('2 trouvées2 dévoilées0 en attente')
  expect(screen.queryByText('Le jour où quelqu’un marchera sur Mars')).toBeNull()
})

const STORED = JSON.stringify({ state: { hasVisited: true }, version: 0 })
const home = () => screen.findByRole('heading', { level: 1, name: /Écrit cette nuit/ })

test('the demo leads back home, and is not shown again', async () => {
  const user = await openDemo()
  await waitFor(() => expect(localStorage.getItem('demo-store')).toBe(STORED))
  await user.click(
    within(screen.getByRole('main')).getByRole('link', { name: 'Retour à l’accueil' }),
  )
  await home()
  expect(window.location.pathname).toBe('/')
})

test('a visitor who comes to the home page from another page sees the demo once', async () => {
  renderPage('/legal', { isFirstVisit: true, api: [emptyFeed] })
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTimeAsync(ms) })
  await user.click(await screen.findByRole('link', { name: 'Accueil' }))
  await screen.findByRole('heading', { level: 1, name: /sous vos yeux/ })
  await user.click(screen.getByRole('link', { name: 'Révélations' }))
  await home()
})

test('a home page that was loaded stays, as what indexes pages loads it', async () => {
  renderPage('/', { isFirstVisit: true, api: [emptyFeed] })
  await home()
  expect(window.location.pathname).toBe('/')
})

test('a signed-in person is never led to the demo, nor is this browser afterwards', async () => {
  renderPage('/legal', { user: aUser(), api: [emptyFeed] })
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTimeAsync(ms) })
  await user.click((await screen.findAllByRole('link', { name: 'Accueil' }))[0] as HTMLElement)
  await home()
  await waitFor(() => expect(localStorage.getItem('demo-store')).toBe(STORED))
})
