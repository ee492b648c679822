import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { logout, register } from '#contract/auth.ts'
import { listComments } from '#contract/comments.ts'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { listReactions } from '#contract/reactions.ts'
import { saveRevelation, unsaveRevelation } from '#contract/received.ts'
import {
  getRevelation,
  listRevelations,
  openRevelation,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { deliveryKeyHeaders, hasDeliveryKey, isJoined } from '#web/lib/delivery-key.ts'
import { openedHere } from '#web/lib/reader-marks.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aCommentPage, NO_REACTIONS } from '#web/test/open-panel.tsx'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aPage, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))
afterEach(() => vi.useRealTimers())

const KEY = 'n_orl3Ypvrc47VXXcm7Y'

/** A server that answers whoever has the key, and nobody else. */
function follow(shown: () => Revelation, options: { me?: ReturnType<typeof aUser> } = {}) {
  const keys: (string | null)[] = []
  const views: string[] = []
  const { id } = shown()
  const user = renderPage(`/revelation/${id}#cle=${KEY}`, {
    ...(options.me && { user: options.me }),
    api: [
      answer(getRevelation, ({ headers }) => {
        const key = headers.get(DELIVERY_KEY_HEADER)
        keys.push(key)
        return key === KEY ? { revelation: shown() } : refusal('not_found')
      }),
      answer(recordView, ({ params }) => {
        views.push(String(params.id))
        return { views_count: 7 }
      }),
      answer(listReactions, NO_REACTIONS),
      answer(listComments, aCommentPage([])),
      answer(listRevelations, aPage([])),
      answer(logout, { success: true as const }),
    ],
  })
  return { user, id, keys, views }
}

describe('the personal link of a delivery mail', () => {
  test('gives its key in a header, leaves the address, and lasts as long as the tab', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const { keys, views, id } = follow(() => letter)
    expect(await screen.findByRole('heading', { name: 'Révélation dévoilée' })).toBeTruthy()
    expect(keys).toEqual([KEY])
    expect(window.location.href).not.toContain('cle')
    expect(JSON.stringify(window.history.state)).not.toContain(KEY)
    expect(JSON.stringify(sessionStorage)).toContain(KEY)
    expect(JSON.stringify(localStorage)).not.toContain(KEY)
    await waitFor(() => expect(views).toEqual([id]))
  })

  test('turns on the open page at its instant', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let shown: Revelation = anEnvelope({
      visibility: 'private',
      reveal_date: new Date(Date.now() + 3000).toISOString(),
    })
    follow(() => shown)
    expect(await screen.findByText(/À la date, la lettre s’ouvrira ici/)).toBeTruthy()
    shown = { ...anOpenLetter({ content: 'Ce sera Jeanne.' }), id: shown.id }
    await act(() => vi.advanceTimersByTimeAsync(4500))
    expect(await screen.findByText('Ce sera Jeanne.')).toBeTruthy()
    expect(screen.getByText(/aussi souvent que vous voulez/)).toBeTruthy()
  })

  test('offers no reaction, but an account', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const { user } = follow(() => letter)
    await user.click(await screen.findByRole('button', { name: 'Réactions et commentaires' }))
    expect(await screen.findByText('Créez un compte pour réagir')).toBeTruthy()
    expect(screen.queryByRole('group', { name: /^Réagir/ })).toBeNull()
    expect(screen.getByRole('button', { name: /^Signaler/ })).toBeTruthy()
  })

  test('still opens the letter to the account one makes for it', async () => {
    const letter = anOpenLetter({ visibility: 'private', content: 'Pour toi seule.' })
    const { user, keys, id } = follow(() => letter)
    await user.click(await screen.findByRole('link', { name: 'Créer un compte pour la garder' }))
    expect(await screen.findByText(/la lettre restera à vous, même sans son lien/)).toBeTruthy()
    const me = aUser({ email_verified: false })

    fakeServer.use(answer(register, { token: 'jeton', user: me }), eventStream().handler)
    await user.type(screen.getByLabelText('Pseudo'), 'camille')
    await user.type(screen.getByLabelText('E-mail'), me.email)
    await user.type(screen.getByLabelText('Mot de passe'), 'un long mot de passe')
    await user.type(screen.getByLabelText('Confirmer le mot de passe'), 'un long mot de passe')
    for (const box of screen.queryAllByRole('checkbox')) await user.click(box)
    await user.click(screen.getByRole('button', { name: 'Créer mon compte' }))
    expect(await screen.findByText('Pour toi seule.')).toBeTruthy()
    expect(window.location.pathname).toBe(`/revelation/${id}`)
    expect(keys.at(-1)).toBe(KEY)
    expect(screen.getByText(/vérifiez cette adresse/)).toBeTruthy()
  })

  test('is forgotten by the tab of whoever signs out', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const { user, keys } = follow(() => letter, { me: aUser() })
    expect(await screen.findByText(letter.content)).toBeTruthy()
    await user.click(screen.getAllByRole('button', { name: /Déconnexion/ })[0] as HTMLElement)
    await waitFor(() => expect(JSON.stringify(sessionStorage)).not.toContain(KEY))
    await waitFor(() => expect(screen.queryByText(letter.content)).toBeNull())
    expect(keys.filter((key) => key === KEY)).toHaveLength(1)
  })

  test('is forgotten by the other tabs too', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const { user, id } = follow(() => letter, { me: aUser() })
    expect(await screen.findByText(letter.content)).toBeTruthy()
    const ofOtherTab = { ...sessionStorage }
    await user.click(screen.getAllByRole('button', { name: /Déconnexion/ })[0] as HTMLElement)
    await waitFor(() => expect(JSON.stringify(sessionStorage)).not.toContain(KEY))
    for (const [name, value] of Object.entries(ofOtherTab)) sessionStorage.setItem(name, value)
    expect(hasDeliveryKey(id)).toBe(false)
    expect(JSON.stringify(sessionStorage)).not.toContain(KEY)
  })

  test('leaves no page of another device open for longer than a day', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const letter = anOpenLetter({ visibility: 'private', content: 'Pour toi seule.' })
    follow(() => letter)
    expect(await screen.findByText('Pour toi seule.')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(24 * 3_600_000 + 1000))
    expect(await screen.findByText('Rien à cette adresse')).toBeTruthy()
    expect(screen.queryByText('Pour toi seule.')).toBeNull()
  })

  test('leaves on another device not even which letter was opened', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const opening = { needed: true, opened_at: null, tells_author: true }
    const letter = anOpenLetter({ id: 'une-lettre-lue', visibility: 'private', opening })
    const { user, id } = follow(() => letter)
    fakeServer.use(answer(openRevelation, { opened_at: new Date().toISOString() }))
    await user.click(await screen.findByRole('button', { name: /^Briser le sceau/ }))
    await user.click(await screen.findByRole('button', { name: 'Non' }))
    expect(openedHere.has(id)).toBe(true)
    expect(JSON.stringify(localStorage)).not.toContain(id)
    vi.setSystemTime(Date.now() + 24 * 3_600_000 + 1000)
    expect(openedHere.has(id)).toBe(false)
    expect(JSON.stringify(sessionStorage)).not.toContain('opened')
  })

  test('works in every tab of a device that is the reader’s, until they want it forgotten', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const { user, keys, id } = follow(() => letter)
    await user.click(await screen.findByRole('button', { name: 'Oui, la garder ici' }))
    expect(screen.getByText('Gardée sur cet appareil')).toBeTruthy()
    // Another tab, from a bookmark.
    sessionStorage.clear()
    expect(deliveryKeyHeaders(id)).toEqual({ [DELIVERY_KEY_HEADER]: KEY })
    expect(hasDeliveryKey('une-autre')).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Oublier sur cet appareil' }))
    expect(screen.getByText('Rien n’est gardé sur cet appareil')).toBeTruthy()
    expect(JSON.stringify(localStorage)).not.toContain(KEY)
    expect(hasDeliveryKey(id)).toBe(true)
    expect(keys).toEqual([KEY])
  })

  test.each(['Non', undefined])(
    'is forgotten within a day by another device (« %s »)',
    async (no) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const letter = anOpenLetter({ visibility: 'private' })
      const { user, id } = follow(() => letter)
      await screen.findByText(/^Cet appareil est-il à vous/)
      if (no) await user.click(screen.getByRole('button', { name: no }))
      expect(screen.queryByText('Rien n’est gardé sur cet appareil') !== null).toBe(
        no !== undefined,
      )
      expect(JSON.stringify(localStorage)).not.toContain(KEY)
      vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1000)
      expect(hasDeliveryKey(id)).toBe(true)
      vi.setSystemTime(Date.now() + 2000)
      expect(hasDeliveryKey(id)).toBe(false)
      expect(JSON.stringify(sessionStorage)).not.toContain(KEY)
    },
  )

  test('that is kept is erased by whoever signs out', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const { user, id } = follow(() => letter, { me: aUser({ email_verified: false }) })
    await user.click(await screen.findByRole('button', { name: 'Oui, la garder ici' }))
    await user.click(screen.getAllByRole('button', { name: /Déconnexion/ })[0] as HTMLElement)
    await waitFor(() => expect(hasDeliveryKey(id)).toBe(false))
  })

  test('joins the letter to the account that asks for it, once', async () => {
    const letter = anOpenLetter({ visibility: 'private' })
    const saved: (string | null)[] = []
    const { user, id } = follow(() => letter, { me: aUser() })
    fakeServer.use(
      answer(saveRevelation, ({ headers }) => {
        saved.push(headers.get(DELIVERY_KEY_HEADER))
        return saved.length === 1 ? refusal('unexpected') : { success: true as const }
      }),
    )
    await user.click(await screen.findByRole('button', { name: 'Ajouter à mes lettres' }))
    expect(await screen.findByRole('button', { name: 'Ajouter à mes lettres' })).toBeTruthy()
    expect((await screen.findAllByRole('alert')).map((alert) => alert.textContent)).not.toEqual([
      '',
    ])
    await user.click(screen.getByRole('button', { name: 'Ajouter à mes lettres' }))
    expect(await screen.findByText(/^Elle est dans vos lettres reçues/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Mes lettres reçues' })).toBeTruthy()
    expect(saved).toEqual([KEY, KEY])
    // The account has it: the device has nothing to keep.
    expect(screen.queryByText(/^Cet appareil est-il à vous/)).toBeNull()
    expect(isJoined(id, aUser().id)).toBe(true)
    expect(JSON.stringify(localStorage)).not.toContain(id)
    // And may leave it again, as long as the link is there to join it anew.
    fakeServer.use(answer(unsaveRevelation, { success: true as const }))
    await user.click(screen.getByRole('button', { name: /^Retirer/ }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Retirer' }))
    expect(await screen.findByRole('button', { name: 'Ajouter à mes lettres' })).toBeTruthy()
    expect(isJoined(id, aUser().id)).toBe(false)
  })

  test('has nothing to offer to whom the letter is addressed', async () => {
    const me = aUser()
    const letter = anOpenLetter({ visibility: 'private', target_email: me.email })
    follow(() => letter, { me })
    expect(await screen.findByText(letter.content)).toBeTruthy()
    expect(screen.queryByText('Votre lien personnel')).toBeNull()
  })

  test('that its author disabled says so, and what to do', async () => {
    const user = renderPage(`/revelation/retiree#cle=${KEY}`, {
      api: [answer(getRevelation, () => refusal('link_revoked'))],
    })
    expect(await screen.findByRole('heading', { name: 'Ce lien a été désactivé' })).toBeTruthy()
    expect(screen.getByText(/Demandez-lui de vous en envoyer un nouveau/)).toBeTruthy()
    await user.click(screen.getByRole('link', { name: 'Se connecter' }))
    await waitFor(() => expect(window.location.pathname).toBe('/login'))
    expect(sessionStorage).toHaveLength(0)
  })

  test('with an unknown key finds nothing, like any address', async () => {
    renderPage(`/revelation/inconnue#cle=${KEY}`, {
      api: [answer(getRevelation, () => refusal('not_found'))],
    })
    expect(await screen.findByRole('heading', { name: 'Rien à cette adresse' })).toBeTruthy()
  })
})

describe('another tab', () => {
  test('that ends the session leaves nothing of it on this one', async () => {
    const letter = anOpenLetter({ visibility: 'private', content: 'Pour toi seule.' })
    renderPage(`/revelation/${letter.id}`, {
      user: aUser(),
      api: [
        answer(getRevelation, ({ headers }) =>
          headers.has('authorization') ? { revelation: letter } : refusal('not_found'),
        ),
        answer(recordView, { views_count: 7 }),
        answer(listReactions, NO_REACTIONS),
        answer(listComments, aCommentPage([])),
      ],
    })
    expect(await screen.findByText('Pour toi seule.')).toBeTruthy()
    localStorage.removeItem('auth_token')
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'auth_token' })))
    expect(await screen.findByText('Rien à cette adresse')).toBeTruthy()
    expect(screen.queryByText('Pour toi seule.')).toBeNull()
  })
})
