import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { getCircleStatistics } from '#contract/circle.ts'
import {
  deleteRevelation,
  getRevelation,
  listRevelations,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { someFigures } from '#web/test/circle-samples.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { openCircle } from '#web/test/open-circle.tsx'
import { anEnvelope, anOpenLetter, anOwnRevelation, aPage } from '#web/test/samples.ts'

beforeAll(() => import('./circle-page.tsx'))

const delivery = (title: string) => anEnvelope({ title, visibility: 'family' })

/** A list that remembers what it was asked. */
function listOf(revelations: Revelation[]) {
  const requests: Record<string, string>[] = []
  const handler = answer(listRevelations, ({ query }) => {
    requests.push(query)
    return aPage(revelations)
  })
  return { requests, handler }
}

describe('the deliveries of the circle', () => {
  test('are what is for the family; a card opens its page', async () => {
    const sealed = delivery('Pour tes dix-huit ans')
    const open = anOpenLetter({ title: 'La recette', visibility: 'family' })
    const { requests, handler } = listOf([sealed, open])
    let viewed: string | undefined
    const user = openCircle({
      api: [
        handler,
        answer(getRevelation, { revelation: sealed }),
        answer(recordView, ({ params }) => {
          viewed = params.id
          return { views_count: 1 }
        }),
      ],
    })
    expect(await screen.findByRole('link', { name: 'La recette' })).toBeTruthy()
    expect(requests).toEqual([{ visibility: 'family' }])
    await user.click(screen.getByRole('link', { name: 'Pour tes dix-huit ans' }))
    await waitFor(() => expect(window.location.pathname).toBe(`/revelation/${sealed.id}`))
    await waitFor(() => expect(viewed).toBe(sealed.id))
  })

  test('are loading, then nothing: the circle is empty, with one thing to do', async () => {
    let arrive: ((page: ReturnType<typeof aPage>) => void) | undefined
    openCircle({
      api: [
        answer(
          listRevelations,
          () =>
            new Promise<ReturnType<typeof aPage>>((resolve) => {
              arrive = resolve
            }),
        ),
      ],
    })
    expect(await screen.findByText('Chargement des révélations')).toBeTruthy()
    await waitFor(() => expect(arrive).toBeDefined())
    arrive?.(aPage([]))
    const title = await screen.findByRole('heading', { name: 'Votre Cercle Privé est vide' })
    const empty = within(title.parentElement as HTMLElement)
    expect(empty.getByRole('link', { name: 'Programmer une livraison' })).toBeTruthy()
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  test('are searched a moment after the last key, in the address too', async () => {
    const { requests, handler } = listOf([delivery('Un voyage')])
    const user = openCircle({ api: [handler] })
    await user.type(
      await screen.findByRole('searchbox', {
        name: 'Rechercher une livraison par son titre ou son auteur',
      }),
      'voyage',
    )
    await waitFor(() => expect(requests.at(-1)).toEqual({ visibility: 'family', q: 'voyage' }))
    expect(requests).toHaveLength(2)
    expect(window.location.search).toBe('?q=voyage')
  })

  test('say when nothing answers the search, and clear it', async () => {
    const user = openCircle({
      search: '?q=licorne&status=revealed',
      api: [
        answer(listRevelations, ({ query }) =>
          aPage(query.q || query.status ? [] : [delivery('Celle qui reste')]),
        ),
      ],
    })
    expect(await screen.findByText('Aucune livraison trouvée')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Effacer la recherche et le filtre' }))
    expect(await screen.findByText('Celle qui reste')).toBeTruthy()
    expect(window.location.search).toBe('')
  })

  test('are those that wait, or those that are open', async () => {
    const { requests, handler } = listOf([delivery('Un voyage')])
    const user = openCircle({ api: [handler] })
    await user.click(await screen.findByRole('radio', { name: 'En attente' }))
    await waitFor(() =>
      expect(requests.at(-1)).toEqual({ visibility: 'family', status: 'pending' }),
    )
  })

  test('say what failed, and are asked again', async () => {
    let isDown = true
    const user = openCircle({
      api: [
        answer(listRevelations, () =>
          isDown ? refusal('not_ready') : aPage([delivery('Enfin là')]),
        ),
      ],
    })
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('Les livraisons n’ont pas pu être chargées')
    isDown = false
    await user.click(within(notice).getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText('Enfin là')).toBeTruthy()
  })

  test('move the figures of the circle when one is withdrawn', async () => {
    let remaining: Revelation[] = [
      anOwnRevelation({ title: 'La mienne', visibility: 'family' }),
      delivery('La leur'),
    ]
    const user = openCircle({
      api: [
        answer(listRevelations, () => aPage(remaining)),
        answer(getCircleStatistics, () => someFigures({ total_revelations: remaining.length })),
        answer(deleteRevelation, () => {
          remaining = remaining.slice(1)
          return { success: true as const }
        }),
      ],
    })
    const tiles = within(await screen.findByRole('region', { name: 'Le cercle en chiffres' }))
    expect(await tiles.findByRole('link', { name: '2 livraisons' })).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Plus d’actions pour La mienne' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Supprimer' }))
    expect(await tiles.findByRole('link', { name: '1 livraison' })).toBeTruthy()
  })
})
