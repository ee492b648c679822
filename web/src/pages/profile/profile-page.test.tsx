import { render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { describe, expect, test, vi } from 'vitest'
import { listApiTokens } from '#contract/api-tokens.ts'
import { listSessions } from '#contract/auth.ts'
import { getNotificationSwitches } from '#contract/notifications.ts'
import { getUser } from '#contract/profiles.ts'
import { getPush } from '#contract/push.ts'
import { listBlocks } from '#contract/relationships.ts'
import { deleteRevelation, listRevelationsOfUser, type Revelation } from '#contract/revelations.ts'
import { getPreferences, getSubscription } from '#contract/subscriptions.ts'
import { Providers } from '#web/app/app.tsx'
import { createQueryClient } from '#web/lib/query-client.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { allSwitches } from '#web/test/notification-samples.ts'
import {
  ALL_PREFERENCES,
  aPerson,
  aProfile,
  aRecord,
  aSubscription,
  myProfile,
  someStats,
} from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOpenLetter, anOwnRevelation, aPage, aUser, inDays } from '#web/test/samples.ts'
import { ProfilePage } from './profile-page.tsx'

const noRevelations = answer(listRevelationsOfUser, aPage([]))
const subscription = answer(getSubscription, aSubscription())

/** What the tab of the settings asks. */
const settings = [
  answer(listSessions, { sessions: [] }),
  answer(listApiTokens, { tokens: [] }),
  answer(listBlocks, { blocks: [] }),
  answer(getPreferences, { preferences: ALL_PREFERENCES }),
  answer(getNotificationSwitches, allSwitches()),
  answer(getPush, { public_key: null, subscribed: false }),
]

function mine(stats: Parameters<typeof myProfile>[0] = {}, me = aUser()) {
  return [answer(getUser, myProfile(stats, me)), noRevelations, subscription]
}

function theirs(profile: Parameters<typeof aProfile>[0] = {}, revelations: Revelation[] = []) {
  return [answer(getUser, aProfile(profile)), answer(listRevelationsOfUser, aPage(revelations))]
}

function panel(name: string) {
  return within(screen.getByRole('region', { name }))
}

test('the revelations of a profile are narrowed to one kind', async () => {
  const asked: unknown[] = []
  const user = renderPage('/profile?onglet=revelations', {
    user: aUser(),
    api: [
      answer(listRevelationsOfUser, ({ query }) => {
        asked.push(query.kind)
        return aPage(query.kind ? [] : [anOwnRevelation({ title: 'Pour Léa' })])
      }),
      answer(getUser, myProfile()),
      subscription,
    ],
  })
  await screen.findByText('Pour Léa')
  await user.selectOptions(screen.getByLabelText('Genre'), 'Annonces')
  await screen.findByRole('heading', { name: 'Aucune annonce ici' })
  expect(asked).toEqual([undefined, 'announcement'])
})

describe('the page of a profile', () => {
  test('leads a visitor to sign in first', async () => {
    renderPage('/profile')
    await waitFor(() => expect(window.location.pathname).toBe('/login'))
  })

  test('asks to sign in without an id and without a session', () => {
    render(
      <MemoryRouter>
        <Providers queryClient={createQueryClient()}>
          <ProfilePage />
        </Providers>
      </MemoryRouter>,
    )
    expect(screen.getByRole('heading', { name: 'Connexion requise' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Se connecter' }).getAttribute('href')).toBe('/login')
  })

  test('says that an id is blank', async () => {
    renderPage('/profile/%20', { user: aUser() })
    expect(await screen.findByText('ID utilisateur requis')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Erreur' })).toBeTruthy()
  })

  test.each(['not_found', 'invalid_input'] as const)(
    'says that there is no such profile (%s)',
    async (code) => {
      renderPage('/profile/user-personne', { user: aUser(), api: [answer(getUser, refusal(code))] })
      expect(await screen.findByRole('heading', { name: 'Profil non trouvé' })).toBeTruthy()
      expect(screen.getByRole('link', { name: "Retour à l'accueil" }).getAttribute('href')).toBe(
        '/',
      )
    },
  )

  test('says what failed, leads home, and tries again', async () => {
    let isDown = true
    const user = renderPage('/profile/user-noemie', {
      user: aUser(),
      api: [answer(getUser, () => (isDown ? ({ user: 1 } as never) : aProfile())), noRevelations],
    })
    expect(await screen.findByText('Erreur lors du chargement du profil')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Erreur' })).toBeTruthy()
    expect(screen.getByRole('link', { name: "Retour à l'accueil" })).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByRole('heading', { name: '@noemie' })).toBeTruthy()
  })
})

describe('the header', () => {
  test('shows who this is, and to its owner the address', async () => {
    const me = aUser({
      bio: 'J’écris la nuit.',
      location: 'Namur',
      website: 'https://www.exemple.be/lettres/',
      created_at: inDays(-95),
    })
    renderPage('/profile', {
      user: me,
      api: mine(
        {
          total_revelations: 12,
          total_reactions: 1,
          total_comments: 0,
          total_views: 1599,
          record: aRecord({ sealed: 12, revealed: 9, withdrawn: 1, unattested: 3 }),
        },
        me,
      ),
    })
    expect(await screen.findByRole('heading', { name: '@camille', level: 1 })).toBeTruthy()
    const header = within(screen.getByRole('main'))
    expect(header.getByText('camille@exemple.be')).toBeTruthy()
    expect(header.getByText('Vérifié')).toBeTruthy()
    expect(header.getByText('Membre depuis 3 mois')).toBeTruthy()
    expect(header.getByText('J’écris la nuit.')).toBeTruthy()
    expect(header.getByText('Namur')).toBeTruthy()
    const link = header.getByRole('link', { name: 'exemple.be/lettres' })
    expect(link.getAttribute('href')).toBe('https://www.exemple.be/lettres/')
    expect(link.getAttribute('rel')).toBe('noopener ugc')
    expect(header.getByText('12 scellées · 9 dévoilées · 1 retirée')).toBeTruthy()
    expect(header.getByText(/^3 plus anciennes, hors bilan/)).toBeTruthy()
    const figures = screen.getByLabelText('En chiffres')
    expect(
      within(figures)
        .getAllByRole('definition')
        .map((one) => one.textContent),
    ).toEqual(['12', '1', '0', '1\u202F599'])
    expect(
      within(figures)
        .getAllByRole('term')
        .map((one) => one.textContent),
    ).toEqual(['révélations', 'réaction', 'commentaire', 'vues'])
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'pas une adresse'])(
    'makes no link of %s',
    async (website) => {
      renderPage('/profile/user-noemie', {
        user: aUser(),
        api: theirs({ user: aPerson({ website }) }),
      })
      await screen.findByRole('heading', { name: '@noemie' })
      expect(document.querySelector('a[href^="javascript"], a[href^="data"]')).toBeNull()
      expect(screen.queryByText(website)).toBeNull()
    },
  )

  test('says nothing of the address, the verification or the seal that are not there', async () => {
    renderPage('/profile/user-noemie', {
      user: aUser(),
      api: theirs({ user: aPerson({ email_verified: false }) }),
    })
    await screen.findByRole('heading', { name: '@noemie' })
    expect(screen.queryByText(/@exemple\.be/)).toBeNull()
    expect(screen.queryByText('Vérifié')).toBeNull()
    expect(screen.queryByText(/scellée/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Modifier' })).toBeNull()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      "Vue d'ensemble",
      'Révélations',
    ])
  })

  test('is one’s own under one’s own id', async () => {
    renderPage(`/profile/${aUser().id}`, { user: aUser(), api: mine() })
    expect(await screen.findByRole('button', { name: 'Modifier' })).toBeTruthy()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      "Vue d'ensemble",
      'Révélations',
      'Relations',
      'Paramètres',
      'Abonnements',
    ])
  })

  test('is reached from the navigation, which shows the pseudo', async () => {
    renderPage('/profile', { user: aUser(), api: mine() })
    const link = await screen.findByRole('link', { name: /Mon Profil\s*@camille/ })
    expect(link.getAttribute('href')).toBe('/profile')
    expect(link.getAttribute('aria-current')).toBe('page')
    await screen.findByText('Aucune activité récente')
  })
})

describe('the tabs', () => {
  test('follow the arrows, live in the address, and come back with it', async () => {
    const user = renderPage('/profile', { user: aUser(), api: mine() })
    const overview = await screen.findByRole('tab', { name: "Vue d'ensemble" })
    await user.click(overview)
    await user.keyboard('{ArrowRight}')
    await waitFor(() => expect(window.location.search).toBe('?onglet=revelations'))
    const next = screen.getByRole('tab', { name: 'Révélations' })
    await waitFor(() => expect(next.getAttribute('aria-selected')).toBe('true'))
    expect(await screen.findByText('Rien de scellé pour l’instant')).toBeTruthy()
    window.history.back()
    await waitFor(() => expect(window.location.search).toBe(''))
    await waitFor(() => expect(overview.getAttribute('aria-selected')).toBe('true'))
    expect(screen.getByRole('tabpanel', { name: "Vue d'ensemble" })).toBeTruthy()
  })

  test('of the owner are nobody else’s', async () => {
    renderPage('/profile/user-noemie?onglet=parametres', { user: aUser(), api: theirs() })
    const overview = await screen.findByRole('tab', { name: "Vue d'ensemble" })
    expect(overview.getAttribute('aria-selected')).toBe('true')
  })
})

describe('the overview', () => {
  test('counts, and shows the room that is left', async () => {
    renderPage('/profile', {
      user: aUser(),
      api: [
        ...mine({ total_revelations: 7, revealed_revelations: 5, pending_revelations: 2 }),
        answer(
          getSubscription,
          aSubscription({
            subscription_type: 'standard',
            total_storage: 5120,
            used_storage: 1280,
            subscription_expires: inDays(40),
          }),
        ),
      ].reverse(),
    })
    await screen.findByRole('region', { name: 'Activité' })
    expect(panel('Activité').getByText('créées').nextSibling?.textContent).toBe('7')
    expect(panel('Activité').getByText('dévoilées').nextSibling?.textContent).toBe('5')
    expect(panel('Activité').getByText('en attente').nextSibling?.textContent).toBe('2')
    expect(panel('Engagement').getByText('vue au total').nextSibling?.textContent).toBe('0')
    expect(await panel('Stockage').findByText('1,3 Go / 5,0 Go')).toBeTruthy()
    expect(panel('Stockage').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
    expect(panel('Stockage').getByText(/^Plan Standard · expire le mois prochain \(/)).toBeTruthy()
  })

  test('knows a room without limit', async () => {
    renderPage('/profile', {
      user: aUser(),
      api: [
        answer(getSubscription, aSubscription({ total_storage: -1, used_storage: 12 })),
        answer(getUser, myProfile()),
        noRevelations,
      ],
    })
    expect(await screen.findByText('12 Mo / Illimité')).toBeTruthy()
    expect(panel('Stockage').queryByRole('progressbar')).toBeNull()
  })

  test('shows the three latest, and says when there is none', async () => {
    const titles = ['La première', 'La deuxième', 'La troisième', 'La quatrième']
    renderPage('/profile/user-noemie', {
      user: aUser(),
      api: theirs(
        {},
        titles.map((title) => anOpenLetter({ title })),
      ),
    })
    await screen.findByText('La première')
    expect(panel('Activité récente').getByText('La troisième')).toBeTruthy()
    expect(panel('Activité récente').queryByText('La quatrième')).toBeNull()
    expect(screen.queryByRole('region', { name: 'Stockage' })).toBeNull()
  })

  test('says « Aucune activité récente »', async () => {
    renderPage('/profile/user-noemie', { user: aUser(), api: theirs() })
    expect(await screen.findByText('Aucune activité récente')).toBeTruthy()
  })

  test.each([
    [{ total_revelations: 0, total_reactions: 0 }, []],
    [{ total_revelations: 1, total_reactions: 9 }, ['Première révélation']],
    [{ total_revelations: 4, total_reactions: 10 }, ['Première révélation', 'Populaire']],
    [{ total_revelations: 5, total_reactions: 0 }, ['Première révélation', 'Révélateur actif']],
  ])('gives for %o the badges %o', async (stats, badges) => {
    renderPage('/profile/user-noemie', {
      user: aUser(),
      api: theirs({ stats: someStats(stats) }),
    })
    await screen.findByRole('region', { name: 'Succès' })
    const earned = panel('Succès')
      .queryAllByText(/Obtenu/)
      .map((mark) => mark.closest('li')?.children[1]?.textContent)
    expect(earned).toEqual(badges)
  })
})

describe('the revelations', () => {
  test('lead to their page, and may be deleted by their owner', async () => {
    let remaining: Revelation[] = [anOwnRevelation({ title: 'Le nom du bébé' })]
    const user = renderPage('/profile?onglet=revelations', {
      user: aUser(),
      api: [
        ...mine(),
        answer(listRevelationsOfUser, () => aPage(remaining)),
        answer(deleteRevelation, () => {
          remaining = []
          return { success: true as const }
        }),
      ].reverse(),
    })
    const link = await screen.findByRole('link', { name: 'Le nom du bébé' })
    expect(link.getAttribute('href')).toBe(`/revelation/${remaining[0]?.id}`)
    await user.click(
      await screen.findByRole('button', { name: 'Plus d’actions pour Le nom du bébé' }),
    )
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Supprimer' }))
    const create = await screen.findByRole('tabpanel', { name: 'Révélations' })
    expect(
      (await within(create).findByRole('link', { name: 'Créer une révélation' })).getAttribute(
        'href',
      ),
    ).toBe('/create')
  })

  test('of somebody else offer nothing to delete', async () => {
    const letter = anOpenLetter({ title: 'Une lettre ouverte' })
    letter.can = { ...letter.can, delete: true }
    renderPage('/profile/user-noemie?onglet=revelations', {
      user: aUser(),
      api: theirs({}, [letter]),
    })
    await screen.findByText('Une lettre ouverte')
    expect(screen.queryByRole('button', { name: /Supprimer/ })).toBeNull()
  })

  test('of somebody else may be none', async () => {
    renderPage('/profile/user-noemie?onglet=revelations', { user: aUser(), api: theirs() })
    expect(await screen.findByText('Aucune révélation publique')).toBeTruthy()
    const tab = within(screen.getByRole('tabpanel'))
    expect(tab.queryByRole('link', { name: 'Créer une révélation' })).toBeNull()
  })

  test('come page after page', async () => {
    const user = renderPage('/profile/user-noemie?onglet=revelations', {
      user: aUser(),
      api: [
        answer(getUser, aProfile()),
        answer(listRevelationsOfUser, ({ query }) =>
          query.cursor
            ? aPage([anOpenLetter({ title: 'De la seconde page' })])
            : aPage([anOpenLetter({ title: 'De la première page' })], 'second'),
        ),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Afficher plus de révélations' }))
    expect(await screen.findByText('De la seconde page')).toBeTruthy()
    expect(screen.getByText('De la première page')).toBeTruthy()
  })
})

test('whoever is led to a tab sees it, and whoever opens the page its top', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  const seen = () => scroll.mock.contexts.map((element) => (element as Element).textContent)
  const user = renderPage('/confidentialite', { user: aUser(), api: [...mine(), ...settings] })
  await user.click(await screen.findByRole('link', { name: /paramètres/i }))
  await screen.findByRole('tab', { name: 'Paramètres', selected: true })
  await waitFor(() => expect(seen()).toContainEqual(expect.stringContaining('Abonnements')))
  scroll.mockClear()
  await user.click(screen.getByRole('link', { name: 'Mentions légales' }))
  await screen.findByRole('heading', { name: /^Mentions légales/ })
  await user.click(await screen.findByRole('link', { name: /^Mon Profil/ }))
  await screen.findByRole('tab', { name: "Vue d'ensemble", selected: true })
  expect(seen()).not.toContainEqual(expect.stringContaining('Abonnements'))
})
