import { screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { describe, expect, test } from 'vitest'
import { getUser, searchUsers } from '#contract/profiles.ts'
import {
  answerRequest,
  blockPerson,
  endRelationship,
  listRelationships,
  listRequests,
  type ReceivedRequest,
  type Relationship,
  requestRelationship,
  type SentRequest,
  withdrawRequest,
} from '#contract/relationships.ts'
import { listRevelations, listRevelationsOfUser } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import {
  aPerson,
  aProfile,
  aReceivedRequest,
  aRelationship,
  aSentRequest,
  myProfile,
} from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

/** What ties me to others, as the server would remember it. */
interface Ties {
  relationships: Relationship[]
  requests: ReceivedRequest[]
  sent: SentRequest[]
}

function openRelations(ties: Partial<Ties> = {}, api: RequestHandler[] = []) {
  const state: Ties = { relationships: [], requests: [], sent: [], ...ties }
  const user = renderPage('/profile?onglet=relations', {
    user: aUser(),
    api: [
      ...api,
      answer(getUser, myProfile()),
      answer(listRevelationsOfUser, aPage([])),
      answer(listRelationships, () => ({ relationships: state.relationships })),
      answer(listRequests, () => ({ requests: state.requests, sent: state.sent })),
    ],
  })
  return { user, state }
}

function panel(name: string) {
  return within(screen.getByRole('region', { name }))
}

describe('finding somebody', () => {
  const found = answer(searchUsers, ({ query }) => ({
    users: query.q === 'noe' ? [aPerson()] : [],
  }))

  test('asks them as family, with a few words', async () => {
    let sentBody: unknown
    const { user, state } = openRelations({}, [
      found,
      answer(requestRelationship, ({ body }) => {
        sentBody = body
        const request = aSentRequest('noemie', { type: 'family' })
        state.sent = [request]
        return { request }
      }),
    ])
    await user.click(await screen.findByRole('radio', { name: /^Famille/ }))
    await user.click(screen.getByRole('button', { name: 'Joindre un message' }))
    await user.type(screen.getByRole('textbox', { name: /^Message/ }), ' De la chorale ')
    await user.type(screen.getByRole('searchbox', { name: 'Rechercher une personne' }), 'noe')
    await user.click(await screen.findByRole('button', { name: 'Ajouter @noemie' }))
    await waitFor(() =>
      expect(sentBody).toEqual({
        receiver_id: 'user-noemie',
        type: 'family',
        message: 'De la chorale',
      }),
    )
    expect(await screen.findByText('Demande envoyée à @noemie')).toBeTruthy()
    expect(await screen.findByText('Demande envoyée')).toBeTruthy()
    expect(panel('Demandes envoyées (1)').getByText('@noemie')).toBeTruthy()
  })

  test('is asked once typing stops, and a blank search clears what was found', async () => {
    const searched: unknown[] = []
    const { user } = openRelations({}, [
      answer(searchUsers, ({ query }) => {
        searched.push(query.q)
        return { users: [aPerson()] }
      }),
    ])
    const box = await screen.findByRole('searchbox')
    await user.type(box, 'noemie')
    expect(await screen.findByRole('link', { name: '@noemie' })).toBeTruthy()
    expect(searched).toEqual(['noemie'])
    await user.clear(box)
    await user.type(box, '   ')
    await waitFor(() => expect(screen.queryByText('@noemie')).toBeNull())
    expect(searched).toEqual(['noemie'])
  })

  test('says « Aucun utilisateur trouvé », and why an address may find nobody', async () => {
    const { user } = openRelations({}, [found])
    const box = await screen.findByRole('searchbox')
    await user.type(box, 'personne')
    expect(await screen.findByText('Aucun utilisateur trouvé')).toBeTruthy()
    await user.type(box, '@exemple.be')
    expect(await screen.findByText(/que la personne qui l’a vérifiée/)).toBeTruthy()
  })

  test.each([
    ['the server’s sentence', refusal('already_asked'), 'Une demande attend déjà une réponse'],
    ['its own', { request: 1 } as never, "Erreur lors de l'envoi de la demande"],
  ])('says what failed with %s', async (_, given, sentence) => {
    const { user } = openRelations({}, [found, answer(requestRelationship, given)])
    await user.type(await screen.findByRole('searchbox'), 'noe')
    await user.click(await screen.findByRole('button', { name: 'Ajouter @noemie' }))
    expect((await screen.findByRole('alert')).textContent).toContain(sentence)
  })

  test('makes relatives at once of two people who ask each other', async () => {
    const { user, state } = openRelations({}, [
      found,
      answer(requestRelationship, () => {
        const relationship = aRelationship('noemie')
        state.relationships = [relationship]
        return { request: aSentRequest('noemie', { status: 'accepted' }), relationship }
      }),
    ])
    await user.type(await screen.findByRole('searchbox'), 'noe')
    await user.click(await screen.findByRole('button', { name: 'Ajouter @noemie' }))
    expect(await screen.findByText('@noemie · Ami')).toBeTruthy()
    expect(await screen.findByRole('region', { name: 'Amis (1)' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Ajouter @noemie' })).toBeNull()
  })

  test('asks once more before a crossed request makes family of an address not proved', async () => {
    const bodies: unknown[] = []
    const { user } = openRelations({}, [
      answer(searchUsers, { users: [aPerson({ email_verified: false })] }),
      answer(requestRelationship, ({ body }) => {
        bodies.push(body)
        if (bodies.length === 1) return refusal('unverified_sender')
        return { request: aSentRequest('noemie', { status: 'accepted' }) }
      }),
    ])
    await user.type(await screen.findByRole('searchbox'), 'noe')
    expect(await screen.findByText('adresse non vérifiée')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Ajouter @noemie' }))
    await user.click(await screen.findByRole('button', { name: 'Accepter quand même' }))
    await waitFor(() => expect(bodies).toHaveLength(2))
    expect(bodies[1]).toEqual({ ...(bodies[0] as object), confirm: true })
  })

  test('begins with a drawing and one thing to do', async () => {
    const { user } = openRelations()
    await user.click(await screen.findByRole('button', { name: 'Rechercher une personne' }))
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  })
})

describe('requests', () => {
  const waiting = aReceivedRequest('noemie', { type: 'family', message: 'C’est ta cousine.' })

  test('received are counted on the tab and in the navigation', async () => {
    openRelations({ requests: [waiting, aReceivedRequest('malo')] })
    expect(
      await screen.findByRole('tab', { name: /^Relations, 2\s+demandes reçues$/ }),
    ).toBeTruthy()
    expect(await screen.findByRole('link', { name: /Profil.*2\s+demandes reçues/ })).toBeTruthy()
    const requests = within(await screen.findByRole('region', { name: 'Demandes reçues (2)' }))
    expect(requests.getByText('C’est ta cousine.')).toBeTruthy()
    expect(requests.getByText('noemie@exemple.be')).toBeTruthy()
    expect(requests.getByText('Famille')).toBeTruthy()
    expect(requests.getAllByText('avant-hier')).toHaveLength(2)
  })

  test.each([
    ['Accepter @noemie', 'accept', 'Famille (1)'],
    ['Refuser @noemie', 'decline', 'Famille (0)'],
  ])('received: « %s »', async (button, action, list) => {
    let sent: unknown
    const { user, state } = openRelations(
      { requests: [waiting], relationships: [aRelationship('malo')] },
      [
        answer(answerRequest, ({ params, body }) => {
          sent = { ...params, ...(body as object) }
          state.requests = []
          const request = { ...waiting, status: 'accepted' as const }
          if (action === 'decline') return { request: { ...waiting, status: 'declined' as const } }
          const relationship = aRelationship('noemie', { relationship_type: 'family' })
          state.relationships = [...state.relationships, relationship]
          return { request, relationship }
        }),
      ],
    )
    await user.click(await screen.findByRole('button', { name: button }))
    expect(await screen.findByRole('region', { name: list })).toBeTruthy()
    expect(sent).toEqual({ id: waiting.id, action })
    expect(screen.queryByRole('region', { name: /Demandes reçues/ })).toBeNull()
    // The pressed button is gone: the keyboard stays where it was.
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('tabpanel'))
  })

  test('of somebody whose address is not proved become family after a question', async () => {
    const sender = { ...waiting.sender, email: null, email_verified: false }
    const answers: unknown[] = []
    const { user, state } = openRelations({ requests: [{ ...waiting, sender }] }, [
      answer(answerRequest, ({ body }) => {
        answers.push(body)
        if (answers.length < 3) return refusal('unverified_sender')
        const relationship = aRelationship('noemie', {
          relationship_type: 'family',
          related_user: sender,
        })
        Object.assign(state, { requests: [], relationships: [relationship] })
        return { request: { ...waiting, status: 'accepted' as const }, relationship }
      }),
    ])
    const accept = await screen.findByRole('button', { name: 'Accepter @noemie' })
    expect(panel('Demandes reçues (1)').getByText('adresse non vérifiée')).toBeTruthy()
    const openDialog = async () => {
      await user.click(accept)
      return within(await screen.findByRole('alertdialog', { name: /dans votre famille/ }))
    }
    await user.click((await openDialog()).getByRole('button', { name: 'Annuler' }))
    expect(screen.queryByRole('alert')).toBeNull()
    const question = await openDialog()
    expect(question.getByText(/lire vos lettres « famille »/)).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Accepter quand même' }))
    expect(await screen.findByRole('region', { name: 'Famille (1)' })).toBeTruthy()
    expect(panel('Famille (1)').getByText('adresse non vérifiée')).toBeTruthy()
    const first = { action: 'accept' }
    expect(answers).toEqual([first, first, { ...first, confirm: true }])
  })

  test('that cannot be answered say why', async () => {
    const { user } = openRelations({ requests: [waiting] }, [
      answer(answerRequest, { request: 1 } as never),
    ])
    await user.click(await screen.findByRole('button', { name: 'Accepter @noemie' }))
    expect(await screen.findByText('Erreur lors du traitement de la demande')).toBeTruthy()
  })

  test('sent may be withdrawn', async () => {
    const { user, state } = openRelations(
      { sent: [aSentRequest('malo')], relationships: [aRelationship('noemie')] },
      [
        answer(withdrawRequest, ({ params }) => {
          state.sent = state.sent.filter(({ id }) => id !== params.id)
          return { success: true as const }
        }),
      ],
    )
    await user.click(await screen.findByRole('button', { name: 'Retirer la demande à @malo' }))
    await waitFor(() => expect(screen.queryByText('@malo')).toBeNull())
  })
})

describe('a relationship', () => {
  const relationships = [
    aRelationship('malo'),
    aRelationship('noemie', { relationship_type: 'family' }),
  ]
  const question = 'Êtes-vous sûr de vouloir supprimer cette relation ?'

  test('is listed with its kind', async () => {
    openRelations({ relationships })
    await screen.findByRole('region', { name: 'Amis (1)' })
    expect(panel('Amis (1)').getByText('@malo')).toBeTruthy()
    expect(panel('Amis (1)').getByText('depuis 2 mois')).toBeTruthy()
    expect(panel('Famille (1)').getByText('@noemie')).toBeTruthy()
  })

  test('ends after a question', async () => {
    const { user, state } = openRelations({ relationships }, [
      answer(endRelationship, ({ params }) => {
        state.relationships = state.relationships.filter(({ id }) => id !== params.id)
        return { success: true as const }
      }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Supprimer @malo' }))
    const dialog = await screen.findByRole('alertdialog', { name: question })
    await user.click(within(dialog).getByRole('button', { name: 'Supprimer' }))
    expect(await screen.findByRole('region', { name: 'Amis (0)' })).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('that does not end says why, and keeps the question', async () => {
    const { user } = openRelations({ relationships }, [
      answer(endRelationship, { success: false } as never),
    ])
    await user.click(await screen.findByRole('button', { name: 'Supprimer @malo' }))
    const dialog = await screen.findByRole('alertdialog', { name: question })
    await user.click(within(dialog).getByRole('button', { name: 'Supprimer' }))
    expect(await within(dialog).findByText('Erreur lors de la suppression')).toBeTruthy()
  })
})

describe('somebody’s profile', () => {
  function openProfile(
    standing: Parameters<typeof aProfile>[0],
    api: RequestHandler[] = [],
  ): ReturnType<typeof renderPage> {
    return renderPage('/profile/user-noemie', {
      user: aUser(),
      api: [
        ...api,
        answer(getUser, aProfile(standing)),
        answer(listRevelationsOfUser, aPage([])),
        answer(listRevelations, aPage([])),
      ],
    })
  }

  test('offers to ask', async () => {
    let sentBody: unknown
    const user = openProfile({}, [
      answer(requestRelationship, ({ body }) => {
        sentBody = body
        return { request: aSentRequest('noemie') }
      }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Ajouter' }))
    const dialog = await screen.findByRole('dialog', { name: 'Ajouter @noemie' })
    await user.click(within(dialog).getByRole('radio', { name: /^Famille/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Envoyer la demande' }))
    expect(await screen.findByText('Demande envoyée à @noemie')).toBeTruthy()
    expect(sentBody).toEqual({ receiver_id: 'user-noemie', type: 'family' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('lets one take back what one asked', async () => {
    let withdrawn: string | undefined
    const request = { id: 'request-1', type: 'friend', direction: 'sent' } as const
    const user = openProfile({ standing: { relationship: null, request } }, [
      answer(withdrawRequest, ({ params }) => {
        withdrawn = params.id
        return { success: true as const }
      }),
    ])
    expect(await screen.findByText('Demande envoyée · Ami')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Annuler la demande' }))
    await waitFor(() => expect(withdrawn).toBe('request-1'))
  })

  test('lets one answer', async () => {
    const request = { id: 'request-1', type: 'family', direction: 'received' } as const
    openProfile({ standing: { relationship: null, request } })
    expect(await screen.findByText('Demande reçue · Famille')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Accepter @noemie' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Refuser @noemie' })).toBeTruthy()
  })

  test('lets one end what ties us', async () => {
    let ended: string | undefined
    const relationship = { id: 'tie-1', type: 'friend' } as const
    const user = openProfile({ standing: { relationship, request: null } }, [
      answer(endRelationship, ({ params }) => {
        ended = params.id
        return { success: true as const }
      }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Plus d’actions pour @noemie' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer la relation' }))
    const dialog = await screen.findByRole('alertdialog')
    await user.click(within(dialog).getByRole('button', { name: 'Supprimer' }))
    await waitFor(() => expect(ended).toBe('tie-1'))
  })

  test('lets one block them, and says what that does', async () => {
    let blocked: string | undefined
    const user = openProfile({}, [
      answer(blockPerson, ({ params }) => {
        blocked = params.userId
        return { success: true as const }
      }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Plus d’actions pour @noemie' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Bloquer' }))
    const dialog = await screen.findByRole('alertdialog', { name: /^Bloquer @noemie/ })
    expect(within(dialog).getByText(/ne verrez plus rien l’un de l’autre/)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Bloquer' }))
    await waitFor(() => expect(blocked).toBe('user-noemie'))
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(await screen.findByText(/Vous avez bloqué @noemie/)).toBeTruthy()
  })
})
