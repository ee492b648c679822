import { act, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendVerification } from '#contract/account.ts'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import {
  listReceived,
  type ReceivedPage,
  type ReceivedQuery,
  saveRevelation,
  unsaveRevelation,
} from '#contract/received.ts'
import { getRevelation, openRevelation, recordView } from '#contract/revelations.ts'
import { hasDeliveryKey, persistDeliveryKey, storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  anEnvelope,
  anOpenLetter,
  aReceived,
  aReceivedPage,
  aUser,
  inDays,
} from '#web/test/samples.ts'

beforeAll(() =>
  Promise.all([import('./received-page.tsx'), import('#web/pages/detail/detail-page.tsx')]),
)
afterEach(() => vi.useRealTimers())

const SECRET = 'La clé est sous le pot de géraniums.'
const SEAL = 'Briser le sceau et ouvrir la lettre'
const toOpen = { needed: true, opened_at: null, tells_author: true }

function waitingLetter(title = 'La clé du jardin') {
  const letter = anOpenLetter({
    title,
    content: SECRET,
    visibility: 'private',
    reveal_date: inDays(-3.1),
    opening: toOpen,
    file_type: 'image',
    thumbnail_complete: '/api/thumbnail/secret?token=t',
  })
  return aReceived(letter)
}

function open(
  pages: ReceivedPage | ((query: ReceivedQuery) => ReceivedPage),
  { user = aUser(), path = '/received', api = [] as RequestHandler[] } = {},
) {
  const asked: ReceivedQuery[] = []
  const person = renderPage(path, {
    user,
    api: [
      answer(listReceived, ({ query }) => {
        // What waits is counted beside every page, by calls of their own.
        if (!query.limit) asked.push(query as ReceivedQuery)
        return typeof pages === 'function' ? pages(query as ReceivedQuery) : pages
      }),
      ...api,
    ],
  })
  return { person, asked }
}

/** The letters of a section, as they are seen. */
async function cardsOf(section: string) {
  const region = await screen.findByRole('region', { name: section })
  return within(region).getAllByRole('article')
}

describe('received letters', () => {
  const all = () =>
    aReceivedPage([
      waitingLetter(),
      aReceived(anEnvelope({ title: 'Pour tes vingt ans', visibility: 'private' })),
      aReceived(anOpenLetter({ title: 'Le phare', author_pseudo: 'paul' }), {
        state: 'opened',
        opened_at: '2026-03-03T12:00:00.000Z',
        is_answered: true,
      }),
    ])

  test('are those that wait, sealed, then those to come, then those that were opened', async () => {
    open(all())
    const [waiting] = await cardsOf('À ouvrir')
    expect(waiting?.textContent).toContain('La clé du jardin')
    expect(waiting?.textContent).toContain('de @noemie')
    expect(waiting?.textContent).toContain('Elle vous attend depuis 3\u00A0jours')
    expect(waiting?.textContent).toContain('Une image à l’intérieur')
    const [upcoming] = await cardsOf('À venir')
    expect(upcoming?.textContent).toMatch(/3\s*j\s*04\s*h/)
    const [opened] = await cardsOf('Ouvertes')
    expect(opened?.textContent).toContain('Ouverte le 3 mars 2026')
    expect(opened?.textContent).toContain('Vous avez répondu')
    const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent)
    expect(titles).toEqual(['À ouvrir', 'À venir', 'Ouvertes'])
    // The page knows the words, as any program does: none of them is in it before its reader opens.
    expect(document.body.innerHTML).not.toContain('géraniums')
    expect(document.body.innerHTML).not.toContain('/api/thumbnail/secret')
    expect(screen.getByRole('radio', { name: /^À ouvrir/ }).closest('label')?.textContent).toBe(
      'À ouvrir1',
    )
  })

  test('open from there, and are opened when one comes back', async () => {
    let isOpened = false
    const letter = waitingLetter()
    const { id } = letter
    const { person } = open(
      () =>
        aReceivedPage([
          isOpened
            ? { ...letter, received: { ...letter.received, state: 'opened', opened_at: inDays(0) } }
            : letter,
        ]),
      {
        api: [
          answer(getRevelation, { revelation: letter }),
          answer(recordView, { views_count: 1 }),
          answer(openRevelation, () => {
            isOpened = true
            return { opened_at: inDays(0) }
          }),
        ],
      },
    )
    await person.click(await screen.findByRole('link', { name: /^Ouvrir/ }))
    await person.click(await screen.findByRole('button', { name: SEAL }))
    expect(await screen.findByText(SECRET)).toBeTruthy()
    expect(window.location.pathname).toBe(`/revelation/${id}`)
    await waitFor(() => expect(isOpened).toBe(true))
    act(() => window.history.back())
    expect((await cardsOf('Ouvertes'))[0]?.textContent).toContain('La clé du jardin')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'À ouvrir' })).toBeNull())
  })

  test('are filtered, searched, and say what was not found', async () => {
    const { person, asked } = open(({ q, state }) => ({
      ...all(),
      ...((q || state === 'upcoming') && { revelations: [] }),
    }))
    await person.click(await screen.findByRole('radio', { name: /^À venir/ }))
    expect(await screen.findByText('Rien d’annoncé pour l’instant')).toBeTruthy()
    expect(window.location.search).toBe('?state=upcoming')
    await person.type(screen.getByRole('searchbox'), 'phare{Enter}')
    expect(await screen.findByText('Aucune lettre trouvée')).toBeTruthy()
    await person.click(screen.getByRole('button', { name: 'Voir toutes mes lettres' }))
    expect(await cardsOf('À ouvrir')).toHaveLength(1)
    // The bar asks too, for how many wait.
    const ofPage = asked.filter(({ limit }) => limit === undefined)
    expect(ofPage).toEqual([{}, { state: 'upcoming' }, { state: 'upcoming', q: 'phare' }])
  })

  test('come page after page', async () => {
    const { person } = open(({ cursor }) =>
      cursor
        ? aReceivedPage([waitingLetter('Deux')])
        : aReceivedPage([waitingLetter('Un')], 'suite'),
    )
    await person.click(await screen.findByRole('button', { name: 'Afficher plus de lettres' }))
    await waitFor(async () => expect(await cardsOf('À ouvrir')).toHaveLength(2))
  })

  test('turn to letters that wait at their instants, by one call for those of one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const sealed = [2000, 2000, 2000, 8000].map((inMs, index) =>
      anEnvelope({ id: `l${index}`, reveal_date: new Date(Date.now() + inMs).toISOString() }),
    )
    const { asked } = open(() =>
      aReceivedPage(
        sealed.map((letter) =>
          aReceived({ ...letter, is_revealed: Date.now() >= Date.parse(letter.reveal_date) }),
        ),
      ),
    )
    expect(await cardsOf('À venir')).toHaveLength(4)
    await act(() => vi.advanceTimersByTimeAsync(4500))
    expect((await cardsOf('À ouvrir'))[0]?.textContent).toContain('Elle vous attend')
    expect(await cardsOf('À venir')).toHaveLength(1)
    expect(asked).toHaveLength(2)
    await act(() => vi.advanceTimersByTimeAsync(6000))
    expect(await cardsOf('À ouvrir')).toHaveLength(4)
    expect(asked).toHaveLength(3)
  })

  test('say when there are none', async () => {
    open(aReceivedPage([]))
    expect(await screen.findByText('Aucune lettre pour l’instant')).toBeTruthy()
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(screen.queryByText('Vérifiez votre adresse')).toBeNull()
  })

  test('may wait for an address that is not proved: nothing says whether they do', async () => {
    let sent = 0
    const { person } = open(aReceivedPage([]), {
      user: aUser({ email_verified: false }),
      api: [
        answer(sendVerification, () => {
          sent += 1
          return { success: true as const }
        }),
      ],
    })
    // Once: the reminder that other pages have is not above it.
    const note = await screen.findByRole('heading', { name: 'Vérifiez votre adresse' })
    expect(note.closest('section')?.textContent).toContain('Des lettres attendent peut-être')
    await person.click(screen.getByRole('button', { name: 'Renvoyer le lien' }))
    await waitFor(() => expect(sent).toBe(1))
  })

  test('are loaded again after a failure', async () => {
    let isDown = true
    const person = renderPage('/received', {
      user: aUser(),
      api: [answer(listReceived, () => (isDown ? refusal('unexpected') : all()))],
    })
    expect(await screen.findByText('Vos lettres reçues n’ont pas pu être chargées')).toBeTruthy()
    isDown = false
    await person.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await cardsOf('À ouvrir')).toHaveLength(1)
  })
})

describe('a letter that was joined by its link', () => {
  test('leaves the account after a question; one addressed to it stays', async () => {
    const letters = new Map(
      (['link', 'address'] as const).map((source) => [
        source as string,
        aReceived(anOpenLetter({ id: source, title: `Par ${source}` }), { source }),
      ]),
    )
    const refusals = ['unexpected' as const]
    const { person } = open(() => aReceivedPage([...letters.values()]), {
      api: [
        answer(unsaveRevelation, ({ params: { id = '' } }) => {
          const code = refusals.pop()
          if (code) return refusal(code)
          letters.delete(id)
          return { success: true as const }
        }),
      ],
    })
    expect(await cardsOf('À ouvrir')).toHaveLength(2)
    const leave = await screen.findByRole('button', { name: /^Retirer/ })
    expect(leave.textContent).toMatch(/Par link.*de mes lettres/)
    await person.click(leave)
    const question = within(await screen.findByRole('alertdialog'))
    await person.click(question.getByRole('button', { name: 'Annuler' }))
    expect(letters.size).toBe(2)
    await person.click(screen.getByRole('button', { name: /^Retirer/ }))
    const again = within(await screen.findByRole('alertdialog'))
    await person.click(again.getByRole('button', { name: 'Retirer' }))
    expect(await again.findByRole('alert')).toBeTruthy()
    await person.click(again.getByRole('button', { name: 'Retirer' }))
    expect(await screen.findByText('La lettre n’est plus dans vos lettres.')).toBeTruthy()
    await waitFor(async () => expect(await cardsOf('À ouvrir')).toHaveLength(1))
    expect([...letters.keys()]).toEqual(['address'])
    expect(screen.queryByRole('button', { name: /^Retirer/ })).toBeNull()
  })
})

describe('the letters that this device keeps', () => {
  function storeKeys(...ids: string[]) {
    for (const id of ids) {
      storeDeliveryKey(id, `cle-de-${id}-1234567890`)
      persistDeliveryKey(id)
    }
  }

  test('join the account at one tap, and say which could not', async () => {
    storeKeys('a', 'b')
    const saved: [string | undefined, string | null][] = []
    const { person, asked } = open(() => aReceivedPage([]), {
      api: [
        answer(saveRevelation, ({ params, headers }) => {
          saved.push([params.id, headers.get(DELIVERY_KEY_HEADER)])
          return params.id === 'b' ? refusal('not_found') : { success: true as const }
        }),
      ],
    })
    await person.click(
      await screen.findByRole('button', { name: 'Joindre 2\u00A0lettres à mon compte' }),
    )
    expect(await screen.findByText(/son lien est désactivé/)).toBeTruthy()
    expect(saved).toEqual([
      ['a', 'cle-de-a-1234567890'],
      ['b', 'cle-de-b-1234567890'],
    ])
    await waitFor(() => expect(asked.length).toBeGreaterThan(1))
    // What joined is not offered again, and still opens here.
    expect(screen.getByRole('button', { name: 'La joindre à mon compte' })).toBeTruthy()
    expect(hasDeliveryKey('a')).toBe(true)
    await person.click(screen.getByRole('button', { name: 'Oublier' }))
    expect(screen.queryByText(/Cet appareil garde/)).toBeNull()
    expect(screen.getAllByRole('link', { name: 'Mes lettres sur cet appareil' })).not.toEqual([])
    expect(hasDeliveryKey('b')).toBe(false)
  })
})
