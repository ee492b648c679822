import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { logout, verifyToken } from '#contract/auth.ts'
import { listReceived } from '#contract/received.ts'
import { listRevelations } from '#contract/revelations.ts'
import { readToken, saveToken } from '#web/lib/session-token.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  anEnvelope,
  anOpenLetter,
  aPage,
  aReceived,
  aReceivedPage,
  aUser,
} from '#web/test/samples.ts'

const emptyFeed = answer(listRevelations, aPage([]))
const neverAnswers = answer(verifyToken, () => new Promise<never>(() => {}))

describe('the shell', () => {
  test('shows a visitor every place, and leads back to the one that asked to sign in', async () => {
    const user = renderPage('/', { api: [emptyFeed] })
    const navigation = within(
      await screen.findByRole('navigation', { name: 'Navigation principale' }),
    )
    expect(navigation.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Accueil',
      'Prédictions Publiques',
      'Cercle Privé',
      'Abonnements',
      'Connexion',
      'Inscription',
    ])
    await screen.findByText('Aucune révélation trouvée')
    await user.click(navigation.getByRole('link', { name: 'Abonnements' }))
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeTruthy()
    expect(window.history.state.usr.from.pathname).toBe('/subscription')
  })

  test('gives whoever is signed in a bar of five places, with what waits for them', async () => {
    const waiting = [aReceived(anOpenLetter()), aReceived(anOpenLetter())]
    renderPage('/legal', { user: aUser(), api: [answer(listReceived, aReceivedPage(waiting))] })
    const bar = within(await screen.findByRole('navigation', { name: 'Raccourcis' }))
    await bar.findByText(/2 lettres vous attendent/)
    expect(bar.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/',
      '/received',
      '/create',
      '/family',
      '/profile',
    ])
  })

  test('opens and closes its menu on a phone', async () => {
    const user = renderPage('/', { api: [emptyFeed] })
    await user.click(await screen.findByRole('button', { name: 'Ouvrir le menu' }))
    const menu = screen.getByRole('navigation', { name: 'Menu' })
    await user.keyboard('{Escape}')
    expect(menu.isConnected).toBe(false)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ouvrir le menu' }))
    await user.click(screen.getByRole('button', { name: 'Ouvrir le menu' }))
    await user.click(
      within(screen.getByRole('navigation', { name: 'Menu' })).getByText('Connexion'),
    )
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull()
  })

  test('leads an unknown address home', async () => {
    renderPage('/nulle/part', { api: [emptyFeed] })
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    await screen.findByText('Cette adresse n’existe pas. Voici l’accueil.')
    await screen.findByText('Aucune révélation trouvée')
  })

  test('says who owns what', async () => {
    renderPage('/legal')
    expect(await screen.findByRole('heading', { name: 'Mentions légales complètes' })).toBeTruthy()
    const footer = within(screen.getByRole('contentinfo'))
    expect(footer.getByText(/Tous droits réservés/)).toBeTruthy()
    expect(footer.getByText(/Œuvre protégée.*Belgique/)).toBeTruthy()
    expect(footer.getByText(/Licence/).getAttribute('href')).toMatch(/^mailto:licence@/)
  })

  test('names the tab and focuses the heading when the page turns', async () => {
    const user = renderPage('/legal')
    await screen.findByRole('heading', { name: 'Mentions légales complètes' })
    expect(document.title).toBe('Mentions légales · Révélations')
    await user.click(screen.getByRole('link', { name: 'Connexion' }))
    const heading = await screen.findByRole('heading', { name: 'Connexion' })
    await waitFor(() => expect(document.title).toBe('Connexion · Révélations'))
    expect(document.activeElement).toBe(heading)
  })
})

describe('the session', () => {
  test('is initialised before anything is shown', async () => {
    renderPage('/', { user: aUser(), api: [emptyFeed] })
    expect(screen.getByText('Initialisation...')).toBeTruthy()
    expect(await screen.findByText('@camille')).toBeTruthy()
    await screen.findByText('Aucune révélation trouvée')
  })

  test('is verified before a page that requires it is shown', async () => {
    renderPage('/create', { user: aUser() })
    expect(screen.getByText('Initialisation...')).toBeTruthy()
    expect(screen.getByText("Vérification de l'authentification...")).toBeTruthy()
    await screen.findByRole('heading', { name: /^Pour qui, et pourquoi/ })
    expect(screen.queryByText("Vérification de l'authentification...")).toBeNull()
  })

  test('ends everywhere with a 401: no token, sign-in page, and the reason', async () => {
    saveToken('dead')
    renderPage('/', { api: [emptyFeed, answer(verifyToken, refusal('unauthenticated'))] })
    expect(
      await screen.findByText('Votre session a expiré. Veuillez vous reconnecter.'),
    ).toBeTruthy()
    expect(window.location.pathname).toBe('/login')
    expect(readToken()).toBeNull()
  })

  test('is left by « Déconnexion »', async () => {
    let ended = false
    const mine = answer(listRevelations, ({ headers }) =>
      aPage(headers.has('authorization') ? [anEnvelope({ title: 'Pour mes amis' })] : []),
    )
    const user = renderPage('/', {
      user: aUser(),
      api: [
        mine,
        answer(logout, () => {
          ended = true
          return { success: true as const }
        }),
      ],
    })
    await screen.findByText('Pour mes amis')
    await user.click(screen.getByRole('button', { name: 'Déconnexion' }))
    expect(await screen.findByText('Connexion')).toBeTruthy()
    expect(ended).toBe(true)
    expect(readToken()).toBeNull()
    await waitFor(() => expect(screen.queryByText('Pour mes amis')).toBeNull())
  })
})

describe('a server that does not say who this is', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
  afterEach(() => void vi.useRealTimers())

  test('is not waited for longer than ten seconds', async () => {
    saveToken('maybe')
    renderPage('/legal', { api: [neverAnswers] })
    act(() => vi.advanceTimersByTime(9000))
    expect(screen.getByText('Initialisation...')).toBeTruthy()
    act(() => vi.advanceTimersByTime(1100))
    expect(await screen.findByRole('heading', { name: 'Mentions légales complètes' })).toBeTruthy()
  })
})
