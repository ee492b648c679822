import { act, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Delivery,
  handDelivery,
  readdressDelivery,
  resendDelivery,
  revokeDelivery,
} from '#contract/deliveries.ts'
import { getRevelation, type OwnRevelation, recordView } from '#contract/revelations.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aDelivery, anOwnRevelation, aUser, inDays } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))

interface Scene {
  delivery?: Partial<Delivery>
  revelation?: Partial<OwnRevelation>
  api?: RequestHandler[]
}

function open({ delivery = {}, revelation = {}, api = [] }: Scene) {
  const own = anOwnRevelation({ delivery: aDelivery(delivery), ...revelation })
  const shown = { current: own }
  const user = renderPage(`/revelation/${own.id}`, {
    user: aUser(),
    api: [
      ...api,
      answer(getRevelation, () => ({ revelation: shown.current })),
      answer(recordView, { views_count: 0 }),
    ],
  })
  return { user, own, shown }
}

async function journalOf(address = 'maman@exemple.be') {
  const list = await screen.findByRole('list', { name: `Journal de la livraison à ${address}` })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '')
}

const at = '2026-11-20T09:00:00.000Z'

const family: [Delivery, Delivery, Delivery] = [
  aDelivery({ id: 'maman' }),
  aDelivery({ id: 'papa', name: 'Papa', address: 'papa@exemple.be', state: 'opened' }),
  aDelivery({ id: 'tom', name: 'Tom', address: 'tom@exemple.be', state: 'failed' }),
]

describe('the journal', () => {
  test('has the words for the mails, once the letter is open too', async () => {
    const notes = { announcement_note: 'Patience.', opening_note: null }
    const { user } = open({ revelation: { ...notes, is_revealed: true, reveal_date: at } })
    await user.click(await screen.findByRole('button', { name: /^Livraison/ }))
    expect(screen.getByText('Votre mot pour prévenir')).toBeTruthy()
    expect(screen.getByText('Patience.')).toBeTruthy()
    expect(screen.queryByText('Votre mot pour l’ouverture')).toBeNull()
  })

  test('tells every step in words, the oldest first, with the reason', async () => {
    const reason = 'Le serveur de cette adresse ne répond pas.'
    open({
      delivery: {
        state: 'opened',
        journal: [
          { step: 'planned', at, reason: null },
          { step: 'notified', at, reason: null },
          { step: 'readdressed', at, reason: 'ancienne@exemple.be' },
          { step: 'delayed', at, reason },
          { step: 'sent', at, reason: null },
        ],
      },
    })
    const lines = await journalOf()
    expect(lines.map((line) => line.split(' le ')[0])).toEqual([
      'Programmé',
      'Destinataire prévenu',
      'Adresse changée',
      'Retardé',
      'Envoyé',
    ])
    expect(lines[3]).toContain(reason)
    expect(lines[4]).toMatch(/le 20 novembre 2026 à 10:00/)
  })

  test('ends with what is to come, unless it will not', async () => {
    open({ delivery: { journal: [{ step: 'planned', at, reason: null }] } })
    expect((await journalOf()).at(-1)).toMatch(/^Prévu le/)
  })

  test('of what the team hid plans nothing, and says why', async () => {
    open({
      delivery: { journal: [{ step: 'suspended', at, reason: null }] },
      revelation: { is_suspended: true },
    })
    expect(await journalOf()).toEqual([expect.stringMatching(/^Suspendu le/)])
    expect(screen.getByText('Masquée par l’équipe de Révélations')).toBeTruthy()
  })

  test('is folded when the attempts were many', async () => {
    const journal = Array.from({ length: 9 }, () => ({
      step: 'delayed' as const,
      at,
      reason: null,
    }))
    const { user } = open({ delivery: { journal } })
    expect(await journalOf()).toHaveLength(5)
    await user.click(screen.getByRole('button', { name: 'Voir les 5 étapes précédentes' }))
    expect(await journalOf()).toHaveLength(10)
  })

  test.each([
    [{ state: 'planned' }, /^Prévu le/],
    [{ state: 'sent', sent_at: inDays(-1) }, /^Envoyé le/],
    [{ state: 'opened', sent_at: inDays(-1), opened_at: inDays(-1) }, /^Ouvert le/],
    [{ state: 'failed', error: 'L’adresse n’existe pas.' }, /^ÉchouéL’adresse n’existe pas\.$/],
    [{ state: 'planned', notified_at: inDays(-1) }, /^Destinataire prévenu le/],
  ] as const)('without its steps tells where it stands: %o', async (delivery, words) => {
    open({ delivery })
    expect((await journalOf()).some((line) => words.test(line))).toBe(true)
  })

  test('has a folded line for each person, those that failed first, and none that moves', async () => {
    const { handler, streams } = eventStream()
    const { user, own, shown } = open({ revelation: { deliveries: family }, api: [handler] })
    expect(await screen.findByText('3 personnes : 1 échoué, 1 ouvert et 1 prévu.')).toBeTruthy()
    const lines = () =>
      screen
        .getAllByRole('button', { name: /@exemple\.be (Prévu|Ouvert|Échoué|Envoyé)$/ })
        .map(({ textContent }) => textContent)
    expect(lines()).toEqual([
      'Tomtom@exemple.be Échoué',
      'maman@exemple.be Prévu',
      'Papapapa@exemple.be Ouvert',
    ])
    expect(screen.queryByRole('list', { name: /^Journal/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Papa/ }))
    expect(await journalOf('papa@exemple.be')).toEqual([expect.stringMatching(/^Ouvert/)])
    await waitFor(() => expect(streams.at(-1)?.watched).toEqual([own.id]))
    const [maman, papa, tom] = family
    shown.current = anOwnRevelation({
      id: own.id,
      deliveries: [{ ...maman, state: 'failed' }, papa, { ...tom, state: 'sent', sent_at: at }],
    })
    act(() => streams.at(-1)?.send('revelation', { id: own.id, changed: ['state'] }))
    await waitFor(() =>
      expect(lines()).toEqual([
        'Tomtom@exemple.be Envoyé',
        'maman@exemple.be Échoué',
        'Papapapa@exemple.be Ouvert',
      ]),
    )
  })

  test('below an open letter counts what needs its author', async () => {
    open({
      revelation: { is_revealed: true, reveal_date: inDays(-1), deliveries: family },
    })
    const fold = await screen.findByRole('button', { name: /^Livraison 1\s+échoué$/ })
    expect(fold.getAttribute('aria-expanded')).toBe('true')
  })

  test('below an open letter unfolds when a delivery fails, and leaves its author where they are', async () => {
    const { handler, streams } = eventStream()
    const [maman, papa] = family
    const revelation = { is_revealed: true, reveal_date: inDays(-1), deliveries: [maman, papa] }
    const { user, own, shown } = open({ revelation, api: [handler] })
    const fold = await screen.findByRole('button', { name: /^Livraison/ })
    await waitFor(() => expect(streams.at(-1)?.watched).toEqual([own.id]))
    const becomes = (state: Delivery['state']) => {
      shown.current = { ...own, deliveries: [{ ...maman, state }, papa] }
      act(() => streams.at(-1)?.send('revelation', { id: own.id, changed: ['state'] }))
    }
    becomes('failed')
    await waitFor(() => expect(fold.getAttribute('aria-expanded')).toBe('true'))
    const line = screen.getByRole('button', { name: /^Papa/ })
    await user.click(line)
    becomes('sent')
    await waitFor(() => expect(fold.textContent).toMatch(/ouvert$/))
    expect(document.activeElement).toBe(line)
    expect(line.getAttribute('aria-expanded')).toBe('true')
  })

  test.each([
    ['folded below an open letter', { state: 'opened' }, 'Ouvert', false],
    ['unfolded where an address failed', { state: 'failed', error: 'Plus rien.' }, 'Échoué', true],
  ] as const)('is %s', async (_, delivery, label, isUnfolded) => {
    open({ revelation: { is_revealed: true, reveal_date: inDays(-1) }, delivery })
    const fold = await screen.findByRole('button', { name: `Livraison ${label}` })
    expect(fold.getAttribute('aria-expanded')).toBe(String(isUnfolded))
    expect(screen.queryAllByRole('list', { name: /^Journal/ })).toHaveLength(isUnfolded ? 1 : 0)
  })

  test('follows what happens while the page is open', async () => {
    const { handler, streams } = eventStream()
    const { shown, own } = open({ api: [handler] })
    expect(await journalOf()).toEqual([expect.stringMatching(/^Prévu le/)])
    await waitFor(() => expect(streams.at(-1)?.watched).toEqual([own.id]))
    shown.current = { ...own, delivery: aDelivery({ state: 'sent', sent_at: at }) }
    act(() => streams.at(-1)?.send('revelation', { id: own.id, changed: ['state'] }))
    await waitFor(async () => expect(await journalOf()).toEqual([expect.stringMatching(/^Envoyé/)]))
  })
})

describe('its author', () => {
  test('sends the link again', async () => {
    const can = { resend: true, readdress: false, revoke: false, hand: true }
    const delivery = aDelivery({ state: 'sent', sent_at: at, can })
    const resent = { ...delivery, journal: [{ step: 'resent' as const, at, reason: null }] }
    const { user } = open({ delivery, api: [answer(resendDelivery, { delivery: resent })] })
    await user.click(await screen.findByRole('button', { name: /^Renvoyer le lien/ }))
    await waitFor(async () =>
      expect(await journalOf()).toEqual([expect.stringMatching(/^Renvoyé/)]),
    )
    expect(screen.queryByRole('button', { name: /Changer l’adresse|Désactiver/ })).toBeNull()
  })

  test('is told why the link could not be sent again', async () => {
    const can = { resend: true, readdress: false, revoke: false, hand: true }
    const { user } = open({
      delivery: { state: 'sent', can },
      api: [answer(resendDelivery, () => refusal('too_many_requests'))],
    })
    await user.click(await screen.findByRole('button', { name: /^Renvoyer le lien/ }))
    expect((await screen.findByRole('alert')).textContent).toContain('Trop de demandes')
  })

  test('changes the address, in the journal and above the letter', async () => {
    const requests: unknown[] = []
    const { user } = open({
      api: [
        answer(readdressDelivery, ({ body }) => {
          requests.push(body)
          return { delivery: aDelivery({ address: 'maman@ailleurs.be' }) }
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: /^Changer l’adresse/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Changer l’adresse' }))
    await user.type(dialog.getByLabelText('Nouvelle adresse'), ' maman@ailleurs.be ')
    await user.click(dialog.getByRole('button', { name: 'Changer l’adresse' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(requests).toEqual([{ address: 'maman@ailleurs.be', name: '' }])
    expect(await journalOf('maman@ailleurs.be')).toHaveLength(1)
    expect(screen.getByText('pour maman@ailleurs.be')).toBeTruthy()
  })

  test('changes the address of one among several, and the name with it', async () => {
    const moved = { ...family[1], address: 'papi@ailleurs.be', name: 'Papi' }
    const { user } = open({
      revelation: {
        deliveries: family.map((one) => ({ ...one, can: { ...one.can, readdress: true } })),
      },
      api: [
        answer(readdressDelivery, ({ params, body }) => {
          expect(params.id).toBe('papa')
          expect(body).toEqual({ address: 'papi@ailleurs.be', name: 'Papi' })
          return { delivery: moved }
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: /^Papa/ }))
    await user.click(screen.getByRole('button', { name: 'Changer l’adresse papa@exemple.be' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Changer l’adresse' }))
    const name = dialog.getByLabelText<HTMLInputElement>(/^Son prénom/)
    expect(name.value).toBe('')
    expect(dialog.getByText('Jusqu’ici : Papa.')).toBeTruthy()
    await user.type(name, 'Papi')
    await user.type(dialog.getByLabelText('Nouvelle adresse'), 'papi@ailleurs.be')
    await user.click(dialog.getByRole('button', { name: 'Changer l’adresse' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await journalOf('papi@ailleurs.be')).toHaveLength(1)
    expect(screen.getByText('pour maman@exemple.be, Papi et Tom')).toBeTruthy()
  })

  test('disables the link of one among several, and is back at its line', async () => {
    const can = { resend: true, readdress: false, revoke: true, hand: true }
    const sent: Delivery = { ...family[1], state: 'sent', sent_at: at, can }
    const { user } = open({
      revelation: { deliveries: [family[0], sent] },
      api: [
        answer(revokeDelivery, {
          delivery: { ...sent, revoked_at: at, can: { ...can, revoke: false } },
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: /^Papa/ }))
    await user.click(screen.getByRole('button', { name: /^Désactiver le lien/ }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Désactiver' }))
    const line = await screen.findByRole('button', { name: /^Papa.* Lien désactivé$/ })
    await waitFor(() => expect(document.activeElement).toBe(line))
    expect(screen.getByRole('button', { name: /^maman@exemple.be Prévu$/ })).toBeTruthy()
  })

  test('hears beside the field what is wrong with an address, and loses nothing', async () => {
    const { user } = open({
      api: [answer(readdressDelivery, () => refusal('too_many_addressees'))],
    })
    await user.click(await screen.findByRole('button', { name: /^Changer l’adresse/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Changer l’adresse' }))
    const field = dialog.getByLabelText<HTMLInputElement>('Nouvelle adresse')
    const change = dialog.getByRole('button', { name: 'Changer l’adresse' })
    await user.type(field, 'a@x.fr,b@y.fr')
    await user.click(change)
    expect(dialog.getByText('Format email invalide')).toBeTruthy()
    await user.clear(field)
    await user.type(field, 'MAMAN@exemple.be')
    await user.click(change)
    expect(dialog.getByText('La lettre part déjà vers cette adresse')).toBeTruthy()
    await user.clear(field)
    await user.type(field, 'autre@exemple.be')
    await user.click(change)
    expect(await dialog.findByText(/Vous avez écrit à trop d’adresses/)).toBeTruthy()
    expect(field.value).toBe('autre@exemple.be')
  })

  test('is told that nothing is known of a letter that left, and gives it another address', async () => {
    const can = { resend: true, readdress: true, revoke: true, hand: true }
    const { user } = open({
      revelation: { is_revealed: true, reveal_date: inDays(-9) },
      delivery: { state: 'sent', sent_at: inDays(-9), can },
    })
    await user.click(await screen.findByRole('button', { name: 'Livraison Envoyé' }))
    expect(screen.getByText(/Rien ne dit encore qu’elle a été ouverte/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^Une autre adresse/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Une autre adresse' }))
    expect(dialog.getByText(/^Le lien déjà envoyé à.*n’ouvrira plus rien/)).toBeTruthy()
  })

  test('takes its link to give by hand, noted in the journal, with a card that has no word of it', async () => {
    const url = 'https://revelations.test/revelation/x#cle=abc'
    const delivery = aDelivery()
    const journal = [{ step: 'handed' as const, at, reason: null }]
    const asked: unknown[] = []
    const { user, own } = open({
      delivery,
      api: [
        answer(handDelivery, ({ params }) => {
          asked.push(params.id)
          return { delivery: { ...delivery, handed_at: at, journal }, url }
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: /^Remettre en mains propres/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remettre en mains propres' }))
    expect(dialog.queryByLabelText('Lien à remettre')).toBeNull()
    expect(asked).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Préparer le lien' }))
    const field = await dialog.findByLabelText<HTMLInputElement>('Lien à remettre')
    expect(field.value).toBe(url)
    expect(dialog.getByRole('img', { name: /^Code à photographier/ })).toBeTruthy()
    await user.type(dialog.getByLabelText(/^Nom sur la carte/), 'Mamie')
    const card = document.querySelector('.hand-card')
    expect(card?.textContent).toContain('Une lettre pour Mamie')
    expect(card?.textContent).toContain(`de @${own.author_pseudo}`)
    expect(card?.textContent).toContain(url)
    expect(card?.textContent).not.toContain(own.content)
    expect(card?.textContent).not.toContain(own.title)
    await user.click(dialog.getByRole('button', { name: 'Fermer' }))
    expect((await journalOf())[0]).toMatch(/^Remis en mains propres le/)
    expect(document.querySelector('.hand-card')).toBeNull()
    expect(asked).toEqual([delivery.id])
  })

  test('disables the link after being told what it does', async () => {
    const can = { resend: true, readdress: false, revoke: true, hand: true }
    const delivery = aDelivery({ state: 'sent', sent_at: at, can })
    const { user } = open({
      delivery,
      api: [
        answer(revokeDelivery, {
          delivery: {
            ...delivery,
            revoked_at: at,
            can: { ...can, resend: false, revoke: false, hand: true },
          },
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: /^Désactiver le lien/ }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText(/n’ouvre plus rien/)).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Désactiver' }))
    expect(await screen.findByText('Lien désactivé', { selector: 'article span' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const heading = screen.getByRole('heading', { name: `à ${delivery.address}` })
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })
})
