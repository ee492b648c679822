import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { getCircleStatistics } from '#contract/circle.ts'
import { aMember, someFigures } from '#web/test/circle-samples.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { openCircle } from '#web/test/open-circle.tsx'
import { anEnvelope } from '#web/test/samples.ts'

beforeAll(() => import('./circle-page.tsx'))

const tab = (name: string) => screen.findByRole('tab', { name })

describe('the page of the private circle', () => {
  test('offers to schedule a delivery for the family, and the ways from here', async () => {
    openCircle()
    expect(await screen.findByRole('heading', { level: 1, name: 'Cercle Privé' })).toBeTruthy()
    for (const link of screen.getAllByRole('link', { name: 'Programmer une livraison' })) {
      expect(link.getAttribute('href')).toBe('/create?visibilite=family')
    }
    const ways = within(screen.getByRole('navigation', { name: 'Raccourcis du cercle' }))
    const address = (name: string) => ways.getByRole('link', { name }).getAttribute('href')
    expect(address('Nouvelle livraison')).toBe('/create?visibilite=family')
    expect(address('Ajouter un contact')).toBe('/profile?onglet=relations')
    expect(address('Messages audio')).toBe('/family-sound')
    expect(address('Réglages du cercle')).toBe('/profile?onglet=parametres')
  })

  test('counts the circle in four tiles that lead to what they count', async () => {
    openCircle({
      figures: {
        total_members: 1,
        total_revelations: 5,
        upcoming_revelations: 3,
        revealed_revelations: 2,
      },
    })
    const tiles = within(await screen.findByRole('region', { name: 'Le cercle en chiffres' }))
    const address = async (name: string) =>
      (await tiles.findByRole('link', { name })).getAttribute('href')
    expect(await address('1 contact privé')).toBe('/family?onglet=contacts')
    expect(await address('5 livraisons')).toMatch(/^\/family\??$/)
    expect(await address('3 livraisons à venir')).toBe('/family?status=pending')
    expect(await address('2 dévoilées')).toBe('/family?status=revealed')
  })

  test('says what is behind each tab', async () => {
    openCircle({
      members: [aMember('papa'), aMember('maman')],
      figures: { total_members: 2, total_revelations: 14 },
      deliveries: [anEnvelope({ visibility: 'family' })],
      sounds: 23,
      upcoming: 9,
    })
    expect(await tab('Livraisons 14')).toBeTruthy()
    expect(await tab('Messages Audio 23')).toBeTruthy()
    expect(await tab('Contacts 2')).toBeTruthy()
    expect(await tab('Calendrier 9 ouvertures à venir')).toBeTruthy()
    expect(await tab('Statistiques')).toBeTruthy()
  })

  test('says which figures failed, and asks again', async () => {
    let isDown = true
    const user = openCircle({
      api: [
        answer(getCircleStatistics, () =>
          isDown ? refusal('not_ready') : someFigures({ total_revelations: 7 }),
        ),
      ],
    })
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('Les chiffres du cercle n’ont pas pu être chargés')
    expect(screen.getAllByText('Nombre inconnu :')).toHaveLength(4)
    isDown = false
    await user.click(within(notice).getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByRole('link', { name: '7 livraisons' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

describe('the tabs of the circle', () => {
  test('are in the address, so that going back finds the one before', async () => {
    const user = openCircle()
    await user.click(await tab('Contacts 0'))
    await waitFor(() => expect(window.location.search).toBe('?onglet=contacts'))
    await user.click(await tab('Statistiques'))
    expect(await screen.findByRole('heading', { name: 'Contributeur du mois' })).toBeTruthy()
    window.history.back()
    expect(await screen.findByText('Aucun contact de confiance')).toBeTruthy()
  })

  test('keep what was searched while one looks at another', async () => {
    const user = openCircle({ search: '?q=voyage' })
    await user.click(await tab('Contacts 0'))
    await screen.findByText('Aucun contact de confiance')
    await user.click(await tab('Livraisons 0'))
    await waitFor(() => expect(window.location.search).toBe('?q=voyage'))
    expect((await screen.findByRole<HTMLInputElement>('searchbox')).value).toBe('voyage')
  })

  test('are walked with the arrows, which open none: one of them leads elsewhere', async () => {
    const user = openCircle()
    const first = await tab('Livraisons 0')
    await tab('Contacts 0')
    first.focus()
    await user.keyboard('{ArrowRight}')
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(await tab('Contacts 0'))
    expect(first.getAttribute('aria-selected')).toBe('true')
    expect(window.location.pathname).toBe('/family')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(window.location.search).toBe('?onglet=contacts'))
    await user.keyboard('{End}')
    await user.keyboard('{Enter}')
    expect(window.location.search).toBe('?onglet=statistiques')
  })

  test('lead to the voices', async () => {
    const user = openCircle({ sounds: 2 })
    await user.click(await tab('Messages Audio 2'))
    await waitFor(() => expect(window.location.pathname).toBe('/family-sound'))
  })
})
