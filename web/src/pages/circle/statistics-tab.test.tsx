import { screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { getCircleStatistics } from '#contract/circle.ts'
import { aWait, aYear, someFigures, twelveMonths } from '#web/test/circle-samples.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { openCircle } from '#web/test/open-circle.tsx'
import { aUser } from '#web/test/samples.ts'

beforeAll(() => import('./circle-page.tsx'))

const search = '?onglet=statistiques'
const me = aUser()

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

describe('the rooms of the family', () => {
  test('show the letters of each month of the year, in words too', async () => {
    openCircle({
      search,
      figures: {
        ...lively,
        year: aYear((index) => ({ opened: index === 2 ? 2 : 0, sealed: index === 11 ? 1 : 0 })),
      },
    })
    const room = await panel('L’année 2026 en lettres')
    expect(room.getByText('2 lettres ouvertes et 1 lettre encore scellée.')).toBeTruthy()
    const months = room.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(months[2]).toContain('mars\u202F: 2\u00A0lettres ouvertes.')
    expect(months[3]).toContain('avril\u202F: aucune lettre')
    expect(months[10]).toContain('novembre (ce mois-ci)')
    expect(months[11]).toContain('décembre\u202F: 1\u00A0lettre encore scellée.')
  })

  test.each([
    [{}, 'Quelqu’un attend une lettre de @papa'],
    [{ is_for_me: true }, 'Vous attendez une lettre de @papa'],
    [{ is_for_me: true, recipients: ['Tom'] }, 'Vous et Tom attendez une lettre de @papa'],
    [{ is_for_me: true, unnamed_recipients: 1 }, 'Vous et quelqu’un d’autre attendez'],
    [{ author_id: me.id, recipients: ['Léa', 'Papa'] }, 'Léa et Papa attendent une lettre de vous'],
    [{ author_id: me.id, recipients: ['Léa'] }, 'Léa attend une lettre de vous'],
    [{ author_id: me.id, is_for_me: true }, 'Vous attendez une lettre de vous-même'],
    [{ author_id: me.id, recipients: [me.email] }, 'Vous attendez une lettre de vous-même'],
  ])('of %j say « %s »', async (wait, words) => {
    openCircle({ search, figures: { ...lively, waiting: [aWait(wait)] } })
    const room = await panel('Qui attend une lettre')
    expect(room.getByRole('link').textContent).toContain(words)
  })

  test('lead to the next three openings, and count what waits besides', async () => {
    const waiting = Array.from({ length: 6 }, (_, index) =>
      aWait({ id: `wait-${index}`, title: `Lettre ${index}` }),
    )
    openCircle({ search, figures: { ...lively, waiting, upcoming_revelations: 8 } })
    const openings = await panel('Les prochaines ouvertures')
    expect(openings.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/revelation/wait-0',
      '/revelation/wait-1',
      '/revelation/wait-2',
    ])
    expect(openings.getAllByText(/dans 5 jours/)).toHaveLength(3)
    const room = await panel('Qui attend une lettre')
    expect(room.getByText('Et 2 autres lettres scellées.')).toBeTruthy()
  })

  test('that are empty have one thing to do', async () => {
    openCircle({ search, figures: { total_members: 1 } })
    expect(await screen.findByText('L’année attend sa première lettre')).toBeTruthy()
  })

  test('of somebody alone invite the family', async () => {
    openCircle({ search, figures: {} })
    expect(await screen.findByText('La maison attend sa famille')).toBeTruthy()
  })
})

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
    expect(rows[0]).toBe('MoisLivraisonsMessages vocauxInteractions')
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
