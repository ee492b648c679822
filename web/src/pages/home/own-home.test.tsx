import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  listAnniversaries,
  listReceived,
  type ReceivedRevelation,
  type ReceivedState,
} from '#contract/received.ts'
import { listRevelations, listRevelationsOfUser } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  anEnvelope,
  anOpenLetter,
  anOwnRevelation,
  aPage,
  aReceived,
  aReceivedPage,
  aUser,
  inDays,
} from '#web/test/samples.ts'

const emptyFeed = answer(listRevelations, aPage([]))

function received(state: ReceivedState, overrides: Parameters<typeof anEnvelope>[0]) {
  const opening = { needed: state === 'waiting', opened_at: null, tells_author: true }
  return aReceived(anEnvelope({ opening, ...overrides }), { state, since: inDays(-3) })
}

/** Answers each state with its own letters. */
function inbox(letters: ReceivedRevelation[]) {
  return answer(listReceived, ({ query }) => {
    const page = aReceivedPage(letters)
    if (!query.state) return page
    return {
      ...page,
      revelations: letters.filter(({ received }) => received.state === query.state),
    }
  })
}

const place = async (name: string) => within(await screen.findByRole('region', { name }))

describe('the home page of whoever is signed in', () => {
  test('shows first the letters that wait, from whom and since when', async () => {
    const waiting = { is_revealed: true, reveal_date: inDays(-3.1) }
    renderPage('/', {
      user: aUser(),
      api: [
        emptyFeed,
        inbox([
          received('waiting', { ...waiting, title: 'Pour tes dix-huit ans' }),
          received('waiting', { ...waiting, title: 'Le grenier', author_pseudo: 'papi' }),
          received('upcoming', { title: 'Plus tard' }),
        ]),
      ],
    })
    const mine = await place('2\u00A0lettres vous attendent')
    expect(mine.getByRole('link', { name: 'Pour tes dix-huit ans' })).toBeTruthy()
    expect(mine.getByText('@papi')).toBeTruthy()
    expect(mine.getAllByText(/^Vous attend depuis 3/)).toHaveLength(2)
    expect(mine.queryByText('Plus tard')).toBeNull()
    expect(mine.getByRole('link', { name: 'Les voir toutes' }).getAttribute('href')).toBe(
      '/received',
    )
    expect(screen.getByRole('link', { name: 'Écrire une lettre…' }).getAttribute('href')).toBe(
      '/create',
    )
  })

  test('shows what opens next, mine or for me, when no letter waits', async () => {
    renderPage('/', {
      user: aUser(),
      api: [
        emptyFeed,
        inbox([received('upcoming', { title: 'Pour moi, plus tard', reveal_date: inDays(9) })]),
        answer(
          listRevelationsOfUser,
          aPage([anOwnRevelation({ title: 'Ma capsule', reveal_date: inDays(2) })]),
        ),
      ],
    })
    const mine = await place('Votre prochaine ouverture')
    expect(mine.getByRole('link', { name: 'Ma capsule' })).toBeTruthy()
    expect(mine.queryByText('Pour moi, plus tard')).toBeNull()
  })

  test('invites to write when there is nothing, and says when letters could not be loaded', async () => {
    let isDown = true
    const user = renderPage('/', {
      user: aUser(),
      api: [
        emptyFeed,
        answer(listReceived, () => (isDown ? refusal('not_ready') : aReceivedPage([]))),
      ],
    })
    const failed = await place('Rien n’a pu être chargé')
    isDown = false
    await user.click(failed.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText(/Quelqu’un serait heureux d’une lettre/)).toBeTruthy()
  })

  test('shows the feed when the anniversaries cannot be loaded', async () => {
    const title = 'Celle de tout le monde'
    renderPage('/', {
      user: aUser(),
      api: [
        answer(listRevelations, aPage([anEnvelope({ title })])),
        answer(listAnniversaries, refusal('not_ready')),
      ],
    })
    expect(await screen.findByRole('link', { name: title })).toBeTruthy()
  })

  test('remembers what opened on this day, until it is put away', async () => {
    const revelation = anOpenLetter({ title: 'Le jour où tu es née' })
    const memory = answer(listAnniversaries, {
      anniversaries: [{ revelation, years: 2, side: 'received' }],
    })
    const user = renderPage('/', { user: aUser(), api: [emptyFeed, memory] })
    const card = await screen.findByRole('complementary', { name: 'Ce jour-là, il y a 2\u00A0ans' })
    expect(card.textContent).toContain('Le jour où tu es née')
    await user.click(within(card).getByRole('button', { name: 'Ranger jusqu’à demain' }))
    expect(card.isConnected).toBe(false)
    await waitFor(() => expect(document.activeElement?.closest('main')).not.toBeNull())
    expect(localStorage.getItem('on-this-day-put-away')).toContain(new Date().toDateString())
  })
})

test('a filter that is on is seen, and taken away', async () => {
  const asked: unknown[] = []
  const user = renderPage('/?status=pending&visibility=friends', {
    api: [
      answer(listRevelations, ({ query }) => {
        asked.push(query)
        return aPage([])
      }),
    ],
  })
  const chips = within(await screen.findByRole('list', { name: 'Filtres actifs' }))
  await user.click(chips.getByRole('button', { name: /^En attente/ }))
  expect(document.activeElement?.textContent).toBe('Filtres')
  await waitFor(() => expect(asked.at(-1)).toEqual({ visibility: 'friends' }))
  await user.click(chips.getByRole('button', { name: /^Entre amis/ }))
  await waitFor(() => expect(asked.at(-1)).toEqual({}))
  expect(screen.queryByRole('list', { name: 'Filtres actifs' })).toBeNull()
})
