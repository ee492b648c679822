import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CircleMember, getCircleStatistics, listCircleMembers } from '#contract/circle.ts'
import { endRelationship } from '#contract/relationships.ts'
import { aMember, someFigures } from '#web/test/circle-samples.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { openCircle } from '#web/test/open-circle.tsx'

beforeAll(() => import('./circle-page.tsx'))

const search = '?onglet=contacts'

async function cardOf(pseudo: string) {
  const card = (await screen.findByRole('link', { name: `@${pseudo}` })).closest('li')
  if (!card) throw new Error('the name is in no card')
  return within(card)
}

async function openRemovalDialog(user: UserEvent, pseudo: string) {
  await user.click(await screen.findByRole('button', { name: `Plus d’actions pour @${pseudo}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Retirer' }))
  return within(
    await screen.findByRole('alertdialog', { name: `Retirer @${pseudo} de votre famille ?` }),
  )
}

/** A circle whose members may be removed. */
function circleOf(...pseudos: string[]) {
  let members: CircleMember[] = pseudos.map((pseudo) => aMember(pseudo))
  const api = [
    answer(listCircleMembers, () => ({ members })),
    answer(getCircleStatistics, () => someFigures({ total_members: members.length })),
    answer(endRelationship, ({ params }) => {
      members = members.filter(({ id }) => id !== params.id)
      return { success: true as const }
    }),
  ]
  return { api }
}

describe('the contacts of the circle', () => {
  test('are shown with since when, and what they really shared', async () => {
    openCircle({
      search,
      members: [aMember('papa', { deliveries_count: 3, sounds_count: 1 })],
    })
    const card = await cardOf('papa')
    expect(card.getByText('Famille')).toBeTruthy()
    expect(card.getByText('Membre depuis 3 mois')).toBeTruthy()
    expect(card.getByText('livraisons').parentElement?.textContent).toBe('livraisons3')
    expect(card.getByText('message vocal').parentElement?.textContent).toBe('message vocal1')
    expect(card.getByRole('link').getAttribute('href')).toBe('/profile/user-papa')
    expect(screen.getByRole('link', { name: 'vos relations' }).getAttribute('href')).toBe(
      '/profile?onglet=relations',
    )
  })

  test('are none: it says so, with the way to somebody', async () => {
    openCircle({ search })
    const title = await screen.findByRole('heading', { name: 'Aucun contact de confiance' })
    const action = within(title.parentElement as HTMLElement).getByRole('link')
    expect(action.textContent).toBe('Ajouter un contact')
    expect(action.getAttribute('href')).toBe('/profile?onglet=relations')
  })

  test('say what failed, and are asked again', async () => {
    let isDown = true
    const user = openCircle({
      search,
      api: [
        answer(listCircleMembers, () =>
          isDown ? refusal('not_ready') : { members: [aMember('papa')] },
        ),
      ],
    })
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('Vos contacts n’ont pas pu être chargés')
    isDown = false
    await user.click(within(notice).getByRole('button', { name: 'Réessayer' }))
    expect(await cardOf('papa')).toBeTruthy()
  })
})

describe('the menu of a member', () => {
  test('is walked with the keyboard, and leads to the recorder with that person', async () => {
    const user = openCircle({ search, members: [aMember('papa')] })
    const button = await screen.findByRole('button', { name: 'Plus d’actions pour @papa' })
    button.focus()
    await user.keyboard('{Enter}')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual([
      'Voir le profil',
      'Envoyer un message',
      'Retirer',
    ])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
    await user.keyboard('{Enter}')
    const profile = await screen.findByRole('menuitem', { name: 'Voir le profil' })
    await waitFor(() => expect(document.activeElement).toBe(profile))
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Envoyer un message'))
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(window.location.pathname + window.location.search).toBe(
        '/family-sound?pour=user-papa',
      ),
    )
  })

  test('leads to the profile', async () => {
    const user = openCircle({ search, members: [aMember('papa')] })
    await user.click(await screen.findByRole('button', { name: 'Plus d’actions pour @papa' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Voir le profil' }))
    await waitFor(() => expect(window.location.pathname).toBe('/profile/user-papa'))
  })
})

describe('removing a member', () => {
  test('asks first, then shows the circle without them, with the focus on its title', async () => {
    const user = openCircle({ search, ...circleOf('maman', 'papa') })
    const question = await openRemovalDialog(user, 'papa')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Annuler'))
    await user.click(question.getByRole('button', { name: 'Retirer' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: '@papa' })).toBeNull())
    expect(await cardOf('maman')).toBeTruthy()
    expect(await screen.findByRole('link', { name: '1 contact privé' })).toBeTruthy()
    expect(screen.getByRole('tab', { name: 'Contacts 1' })).toBeTruthy()
    expect(document.activeElement?.textContent).toBe('Contacts de confiance')
  })

  test('may be thought over: the focus is back on the menu', async () => {
    const user = openCircle({ search, ...circleOf('papa') })
    const question = await openRemovalDialog(user, 'papa')
    await user.click(question.getByRole('button', { name: 'Annuler' }))
    await waitFor(() =>
      expect(document.activeElement).toBe(
        screen.getByRole('button', { name: 'Plus d’actions pour @papa' }),
      ),
    )
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('that is refused says so with the sentence of the server, and removes nobody', async () => {
    const user = openCircle({
      search,
      api: [answer(endRelationship, () => refusal('not_ready')), ...circleOf('papa').api],
    })
    const question = await openRemovalDialog(user, 'papa')
    await user.click(question.getByRole('button', { name: 'Retirer' }))
    expect((await question.findByRole('alert')).textContent).toBe(
      'Erreur lors de la suppression du membre famille. Le service démarre. Réessayez dans un instant.',
    )
    await user.click(question.getByRole('button', { name: 'Annuler' }))
    expect(await cardOf('papa')).toBeTruthy()
  })
})
