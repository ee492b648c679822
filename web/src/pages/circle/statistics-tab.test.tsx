import { screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { getCircleStatistics } from '#contract/circle.ts'
import { someFigures, twelveMonths } from '#web/test/circle-samples.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { openCircle } from '#web/test/open-circle.tsx'

beforeAll(() => import('./circle-page.tsx'))

const search = '?onglet=statistiques'

const lively = {
  total_members: 2,
  total_revelations: 10,
  total_interactions: 12,
  monthly_growth: 50,
  average_engagement: 12,
  family_score: 94,
  score_label: 'Excellente' as const,
  top_contributor: {
    user_id: 'user-papa',
    pseudo: 'papa',
    avatar_url: null,
    deliveries: 4,
    period: 'month' as const,
  },
  achievements: [
    { id: 'first_revelation' as const, is_reached: true },
    { id: 'family_builder' as const, is_reached: false },
    { id: 'storyteller' as const, is_reached: true },
    { id: 'family_champion' as const, is_reached: true },
  ],
  months: twelveMonths((index) => ({ deliveries: index, sounds: 1, interactions: index * 200 })),
}

async function panel(name: string) {
  return within(await screen.findByRole('region', { name }))
}

describe('the statistics of the circle', () => {
  test('tell members, deliveries, interactions and how this month compares', async () => {
    openCircle({ search, figures: lively })
    const figures = (await screen.findAllByRole('term')).map(
      (term) => `${term.parentElement?.querySelector('dd')?.textContent} ${term.textContent}`,
    )
    expect(figures).toContain('2 membresde votre famille')
    expect(figures).toContain('10 livraisonsles vôtres et les leurs')
    expect(figures).toContain('12 interactionsréactions et commentaires')
    expect(figures).toContain('+50\u00A0% ce mois-cilivraisons, face au mois dernier')
  })

  test('name whoever contributed most, this month or ever', async () => {
    openCircle({ search, figures: lively })
    const banner = await panel('Contributeur du mois')
    expect(banner.getByRole('link', { name: '@papa' }).getAttribute('href')).toBe(
      '/profile/user-papa',
    )
    expect(banner.getByText('4 livraisons scellées ce mois-ci')).toBeTruthy()
  })

  test('say so when this month has none, or no month', async () => {
    const top_contributor = { ...lively.top_contributor, deliveries: 1, period: 'all' as const }
    openCircle({ search, figures: { ...lively, top_contributor } })
    expect(
      await screen.findByText('1 livraison scellée depuis le début, aucune encore ce mois-ci'),
    ).toBeTruthy()
  })

  test('explain the score in words, and what is missing for the next label', async () => {
    openCircle({
      search,
      figures: { ...lively, family_score: 45, score_label: 'Moyenne', average_engagement: 7 },
    })
    const score = await panel('Score du cercle')
    expect(score.getByText('45 sur 100')).toBeTruthy()
    expect(score.getByText('Moyenne')).toBeTruthy()
    expect(score.getByText(/Encore 15 points pour « Bonne »/)).toBeTruthy()
    expect(score.getByText('14 points')).toBeTruthy()
  })

  test('show what is earned, and how far the rest is', async () => {
    openCircle({ search, figures: lively })
    const medals = await panel('Succès')
    const item = (title: string) => medals.getByText(title).closest('li')?.textContent
    expect(item('Première révélation')).toContain('Obtenu')
    expect(item('Bâtisseur de famille')).toContain('2 sur 5 membres')
    expect(item('Champion familial')).toContain('80 points')
  })

  test('draw twelve months, and have them as a table for whoever does not see', async () => {
    const user = openCircle({ search, figures: lively })
    const activity = await panel('Activité')
    const rows = activity.getAllByRole('row').map((row) => row.textContent)
    expect(rows).toHaveLength(13)
    expect(rows[0]).toBe('MoisLivraisonsMessages audioInteractions')
    expect(
      within(activity.getByRole('row', { name: /novembre 2026/ }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['11', '1', '2\u202F200'])
    const toggle = activity.getByRole('button', { name: 'Afficher en tableau', pressed: false })
    await user.click(toggle)
    expect(activity.getByRole('table').parentElement?.className).not.toContain('sr-only')
  })

  test('of a circle where nothing happened say so, and promise nothing', async () => {
    openCircle({ search })
    expect(await screen.findByText('La place est libre')).toBeTruthy()
    expect(screen.getByText(/Rien encore ces douze derniers mois/)).toBeTruthy()
    expect(screen.getByText('0 sur 100')).toBeTruthy()
    expect(screen.queryByText('Obtenu')).toBeNull()
  })

  test('say what failed, once, and are asked again', async () => {
    let isDown = true
    const user = openCircle({
      search,
      api: [
        answer(getCircleStatistics, () => (isDown ? refusal('not_ready') : someFigures(lively))),
      ],
    })
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('Les statistiques n’ont pas pu être chargées')
    isDown = false
    await user.click(within(notice).getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText('94 sur 100')).toBeTruthy()
  })
})
