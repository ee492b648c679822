import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  getStatistics,
  type LetterStatistics,
  listLetterStatistics,
  type Statistics,
} from '#contract/statistics.ts'
import { getSubscription, type Plan } from '#contract/subscriptions.ts'
import { lettersAsCsv } from '#web/features/statistics/letters-csv.ts'
import * as device from '#web/lib/device.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aSubscription } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'

beforeAll(() => import('./statistics-page.tsx'))

const NONE = { views: 0, openings: 0, replies: 0, comments: 0, reactions: 0 }

function months(count: number, figures: (at: number) => Partial<Statistics['months'][number]>) {
  return Array.from({ length: count }, (_, at) => {
    const month = new Date(Date.UTC(2026, 10 - (count - 1 - at), 1)).toISOString().slice(0, 7)
    return { month, ...NONE, ...figures(at) }
  })
}

function someStatistics(overrides: Partial<Statistics> = {}): Statistics {
  return {
    letters: 2,
    months: months(12, (at) => ({ views: at === 9 ? 14 : 1, replies: at === 11 ? 2 : 0 })),
    totals: { ...NONE, views: 25, openings: 3, replies: 2, comments: 1, reactions: 4 },
    undated_views: 0,
    views_dated_from: '2026-01-03',
    ...overrides,
  }
}

function aLetter(overrides: Partial<LetterStatistics> = {}): LetterStatistics {
  return {
    id: 'une-lettre',
    title: 'Le phare',
    reveal_date: '2026-03-01T08:00:00.000Z',
    time_zone: 'Europe/Brussels',
    ...{ ...NONE, views: 12, openings: 1, replies: 2, comments: 3, reactions: 4 },
    ...overrides,
  }
}

interface Shown {
  plan?: Plan
  statistics?: Partial<Statistics>
  letters?: LetterStatistics[]
  search?: string
}

function openStatistics({ plan = 'pro', statistics, letters, search = '' }: Shown = {}) {
  const asked: Record<string, unknown>[] = []
  const user = renderPage(`/statistiques${search}`, {
    user: aUser(),
    api: [
      answer(getSubscription, aSubscription({ subscription_type: plan })),
      answer(getStatistics, ({ query }) => {
        asked.push({ months: query.period })
        return someStatistics(statistics)
      }),
      answer(listLetterStatistics, ({ query }) => {
        asked.push(query)
        return { letters: letters ?? [aLetter()], total: letters?.length ?? 1 }
      }),
    ],
  })
  return { user, asked }
}

describe('the statistics of an author', () => {
  test('say what they are and lead to the plans, where the plan has none', async () => {
    const { asked } = openStatistics({ plan: 'standard' })
    expect(await screen.findByText('Avec les plans Pro et Illimité')).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Voir les plans' })
    expect(link.getAttribute('href')).toBe('/subscription')
    expect(asked).toEqual([])
  })

  test('show totals, a summary of each chart and the months as a table', async () => {
    openStatistics()
    const panel = within(await screen.findByRole('region', { name: 'Mois par mois' }))
    const figures = screen
      .getAllByRole('term')
      .map((term) => `${term.parentElement?.querySelector('dd')?.textContent} ${term.textContent}`)
    expect(figures).toContain('25 vues')
    expect(figures).toContain('7 retours2\u00A0réponses · 1\u00A0commentaire · 4\u00A0réactions')
    expect(panel.getByText(/^le plus en septembre 2026.: 14$/)).toBeTruthy()
    expect(panel.getByText('rien sur cette période')).toBeTruthy()
    expect(panel.getAllByRole('row')).toHaveLength(13)
    const cells = within(panel.getByRole('row', { name: /novembre 2026/ })).getAllByRole('cell')
    expect(cells.map((cell) => cell.textContent)).toEqual(['1', '0', '2'])
  })

  test('ask for another period, which the address keeps, and for years where months are many', async () => {
    const { user, asked } = openStatistics({
      statistics: { months: months(30, () => ({ views: 1 })), undated_views: 240 },
    })
    await user.click(await screen.findByRole('radio', { name: 'Tout' }))
    await waitFor(() => expect(asked).toContainEqual({ months: 'all' }))
    expect(window.location.search).toBe('?periode=all')
    const years = within(await screen.findByRole('region', { name: 'Année par année' }))
    expect(years.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      ...['20242024', '20252025', '20262026'],
    ])
    expect(screen.getByText(/240 vues d’avant le 3 janvier 2026 n’ont pas de date/)).toBeTruthy()
  })

  test('sort their letters by the title of a column, and turn the order', async () => {
    const { user, asked } = openStatistics()
    const table = within(await screen.findByRole('region', { name: 'Lettre par lettre' }))
    const row = within(await table.findByRole('row', { name: /Le phare/ }))
    expect(row.getByRole('link').getAttribute('href')).toBe('/revelation/une-lettre')
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['12', '1', '9'])
    await user.click(table.getByRole('button', { name: 'Retours' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'responses', order: 'desc' }))
    const head = table.getByRole('columnheader', { name: /Retours/ })
    expect(head.getAttribute('aria-sort')).toBe('descending')
    await user.click(table.getByRole('button', { name: /Retours/ }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'responses', order: 'asc' }))
  })

  test('are saved as a table for spreadsheets, where a title is never a formula', async () => {
    const saved = vi.spyOn(device, 'saveFile').mockImplementation(() => undefined)
    const { user } = openStatistics()
    await user.click(await screen.findByRole('button', { name: 'Télécharger le tableau (CSV)' }))
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    expect(saved.mock.calls[0]?.[1]).toMatch(/^statistiques-\d{4}-\d\d-\d\d\.csv$/)
    const csv = lettersAsCsv([
      aLetter(),
      aLetter({ title: '=SOMME(A1)' }),
      aLetter({ title: 'Dit « "oui" » ; enfin' }),
    ])
    expect(csv.split('\r\n')).toEqual([
      '\uFEFFTitre;Date;Vues;Ouvertures;Réponses;Commentaires;Réactions',
      'Le phare;2026-03-01;12;1;2;3;4',
      `'=SOMME(A1);2026-03-01;12;1;2;3;4`,
      '"Dit « ""oui"" » ; enfin";2026-03-01;12;1;2;3;4',
      '',
    ])
  })

  test('of nobody’s letters say where to begin', async () => {
    openStatistics({ statistics: { letters: 0, months: months(1, () => ({})) }, letters: [] })
    expect(await screen.findByText('Rien à compter encore')).toBeTruthy()
  })

  test('say what failed, and are asked again', async () => {
    let isDown = true
    const user = renderPage('/statistiques', {
      user: aUser(),
      api: [
        answer(getSubscription, aSubscription({ subscription_type: 'unlimited' })),
        answer(getStatistics, () => (isDown ? refusal('not_ready') : someStatistics())),
        answer(listLetterStatistics, { letters: [aLetter()], total: 1 }),
      ],
    })
    expect(await screen.findByText('Les statistiques n’ont pas pu être chargées')).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByRole('region', { name: 'Mois par mois' })).toBeTruthy()
  })
})
