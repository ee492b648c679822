import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  deleteRevelation,
  getRevelation,
  listRevelations,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, anOwnRevelation, aPage, aUser } from '#web/test/samples.ts'

/** A feed that remembers what it was asked, and answers the same revelations. */
function feedOf(revelations: Revelation[]) {
  const requests: Record<string, string>[] = []
  const handler = answer(listRevelations, ({ query }) => {
    requests.push(query)
    return aPage(revelations)
  })
  return { requests, handler }
}

describe('the home page', () => {
  test('shows what waits and what is open, and counts them', async () => {
    const sealed = anEnvelope({ title: 'Une lettre qui attend' })
    const open = anOpenLetter({ title: 'Une lettre ouverte', content: 'Les mots de la lettre.' })
    renderPage('/', { api: [feedOf([sealed, open]).handler] })
    const waiting = (await screen.findByText('Une lettre qui attend')).closest('article')
    if (!waiting) throw new Error('the title is in no card')
    expect(within(waiting).getByText('3 j 04 h')).toBeTruthy()
    expect(within(waiting).getByText('pour quelqu’un')).toBeTruthy()
    expect(screen.getByText('Les mots de la lettre.')).toBeTruthy()
    expect(screen.getByText('trouvées').textContent).toContain('2')
    expect(screen.getByText('dévoilée').textContent).toContain('1')
    expect(screen.getByText('en attente').textContent).toContain('1')
    expect(document.title).toContain('Révélations')
  })

  test('says that there is more than was counted', async () => {
    const counts = { found: 500, revealed: 250, pending: 250, is_capped: true }
    const page = { ...aPage([anEnvelope()]), counts }
    renderPage('/', { api: [answer(listRevelations, page)] })
    expect((await screen.findByText(/^plus de/)).textContent).toBe('plus de 500 trouvées')
    expect(screen.queryByText('dévoilées')).toBeNull()
  })

  test('says when nothing was found, and offers to clear the filters', async () => {
    const { requests, handler } = feedOf([])
    const user = renderPage('/?q=licorne&status=revealed', { api: [handler] })
    expect(await screen.findByText('Aucune révélation trouvée')).toBeTruthy()
    expect(requests).toEqual([{ q: 'licorne', status: 'revealed' }])
    await user.click(screen.getByRole('button', { name: 'Effacer la recherche et les filtres' }))
    await waitFor(() => expect(requests.at(-1)).toEqual({}))
    expect(window.location.search).toBe('')
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
  })

  test('says what failed, and tries again', async () => {
    let isDown = true
    const user = renderPage('/', {
      api: [
        answer(listRevelations, () =>
          isDown ? refusal('not_ready') : aPage([anEnvelope({ title: 'Enfin là' })]),
        ),
      ],
    })
    expect(await screen.findByText('Le service démarre. Réessayez dans un instant.')).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText('Enfin là')).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.localName).toBe('main'))
  })

  test('searches what is typed, once, and keeps it in the address', async () => {
    const { requests, handler } = feedOf([anEnvelope()])
    const user = renderPage('/', { api: [handler] })
    await screen.findByRole('article')
    await user.keyboard('/')
    const box = screen.getByRole('searchbox')
    expect(document.activeElement).toBe(box)
    await user.keyboard('voyage ')
    await waitFor(() => expect(requests.at(-1)).toEqual({ q: 'voyage' }))
    expect(requests).toHaveLength(2)
    expect(window.location.search).toBe('?q=voyage')
  })

  test('filters by status, visibility and kind', async () => {
    const { requests, handler } = feedOf([anEnvelope()])
    const user = renderPage('/', { api: [handler] })
    await user.click(await screen.findByRole('button', { name: 'Filtres' }))
    await user.click(screen.getByRole('radio', { name: 'En attente' }))
    await waitFor(() => expect(requests.at(-1)).toEqual({ status: 'pending' }))
    await user.selectOptions(screen.getByLabelText('Visibilité'), 'friends')
    await waitFor(() =>
      expect(requests.at(-1)).toEqual({ status: 'pending', visibility: 'friends' }),
    )
    await user.selectOptions(screen.getByLabelText('Genre'), 'Annonces')
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ kind: 'announcement' }))
    const chips = within(screen.getByRole('list', { name: 'Filtres actifs' }))
    await user.click(chips.getByRole('button', { name: /^Annonces/ }))
    expect(window.location.search).toBe('?visibility=friends&status=pending')
  })

  test('shows the next page when asked', async () => {
    const user = renderPage('/', {
      api: [
        answer(listRevelations, ({ query }) =>
          query.cursor === 'second'
            ? aPage([anEnvelope({ title: 'De la seconde page' })])
            : aPage([anEnvelope({ title: 'De la première page' })], 'second'),
        ),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Afficher plus de révélations' }))
    expect(await screen.findByText('De la seconde page')).toBeTruthy()
    expect(screen.getByText('De la première page')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Afficher plus de révélations' })).toBeNull()
  })

  test('counts a view when a card is opened', async () => {
    let viewed: string | undefined
    const revelation = anEnvelope({ title: 'Celle que j’ouvre' })
    const user = renderPage('/', {
      api: [
        feedOf([revelation]).handler,
        answer(getRevelation, { revelation }),
        answer(recordView, ({ params }) => {
          viewed = params.id
          return { views_count: 1 }
        }),
      ],
    })
    const link = await screen.findByRole('link', { name: 'Celle que j’ouvre' })
    expect(link.getAttribute('href')).toBe(`/revelation/${revelation.id}`)
    await user.click(link)
    await waitFor(() => expect(viewed).toBe(revelation.id))
  })

  test('lets its author delete a revelation, after a question', async () => {
    let remaining: Revelation[] = [anOwnRevelation({ title: 'Le nom du bébé' })]
    const user = renderPage('/', {
      user: aUser(),
      api: [
        answer(listRevelations, () => aPage(remaining)),
        answer(deleteRevelation, () => {
          remaining = []
          return { success: true as const }
        }),
      ],
    })
    await user.click(
      await screen.findByRole('button', { name: 'Plus d’actions pour Le nom du bébé' }),
    )
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('alertdialog', {
      name: 'Êtes-vous sûr de vouloir supprimer cette révélation ?',
    })
    expect(document.activeElement?.textContent).toBe('Annuler')
    await user.click(within(question).getByRole('button', { name: 'Supprimer' }))
    expect(await screen.findByText('Révélation supprimée')).toBeTruthy()
    expect(await screen.findByText('Aucune révélation trouvée')).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.closest('main')).not.toBeNull())
  })

  test('offers no edit or delete to others', async () => {
    renderPage('/', { api: [feedOf([anOpenLetter()]).handler] })
    await screen.findByRole('article')
    expect(screen.queryByRole('button', { name: /Plus d’actions/ })).toBeNull()
  })
})
