import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listApiTokens } from '#contract/api-tokens.ts'
import { changePassword, endOtherSessions, endSession, listSessions } from '#contract/auth.ts'
import { getNotificationSwitches, saveNotificationSwitches } from '#contract/notifications.ts'
import { getUser } from '#contract/profiles.ts'
import { listBlocks, unblockPerson } from '#contract/relationships.ts'
import { getPreferences, getSubscription, savePreferences } from '#contract/subscriptions.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { allSwitches } from '#web/test/notification-samples.ts'
import { ALL_PREFERENCES, aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser, inDays } from '#web/test/samples.ts'

const here = {
  id: 'session-here',
  created_at: inDays(-3),
  last_seen_at: inDays(0),
  device: 'Firefox · Linux',
  current: true,
}
const phone = {
  id: 'session-phone',
  created_at: inDays(-9),
  last_seen_at: inDays(-2),
  device: 'Safari · iPhone',
  current: false,
}

function openSettings(api: RequestHandler[] = [], user = aUser()) {
  return renderPage('/profile?onglet=parametres', {
    user,
    api: [
      ...api,
      answer(getUser, myProfile()),
      answer(getPreferences, { preferences: ALL_PREFERENCES }),
      answer(getNotificationSwitches, allSwitches()),
      answer(listSessions, { sessions: [here] }),
      answer(listApiTokens, { tokens: [] }),
      answer(getSubscription, aSubscription()),
      answer(listBlocks, { blocks: [] }),
    ],
  })
}

const switchNamed = (name: RegExp | string) =>
  screen.findByRole<HTMLInputElement>('switch', { name })

describe('what is told where', () => {
  test('is saved at once, by mail under the name the preference has', async () => {
    let saved: unknown
    const user = openSettings([
      answer(savePreferences, ({ body }) => {
        saved = body
        return { preferences: { ...ALL_PREFERENCES, newComments: false } }
      }),
    ])
    const comments = await switchNamed('Nouveaux commentaires, par e-mail')
    await user.click(comments)
    expect(comments.checked).toBe(false)
    await waitFor(() => expect(saved).toEqual({ newComments: false }))
    expect((await switchNamed('Nouveaux commentaires, sur le site')).checked).toBe(true)
  })

  test('is saved at once on the site and on the devices', async () => {
    const saved: unknown[] = []
    const user = openSettings([
      answer(saveNotificationSwitches, ({ body }) => {
        saved.push(body)
        return allSwitches()
      }),
    ])
    const requests = await switchNamed('Demandes, sur le site')
    await user.click(requests)
    await user.click(await switchNamed('Nouvelles réactions, sur mes appareils'))
    expect(requests.checked).toBe(false)
    await waitFor(() =>
      expect(saved).toEqual([{ page: { request: false } }, { push: { reaction: false } }]),
    )
  })

  test('turns back what could not be saved, and says so on its line', async () => {
    const user = openSettings([
      answer(savePreferences, { preferences: 1 } as never),
      answer(saveNotificationSwitches, { page: 1 } as never),
    ])
    const sentence = 'Erreur lors de la mise à jour des préférences'
    for (const [line, place] of [
      ['Nouvelles réactions', 'par e-mail'],
      ['Modération', 'sur mes appareils'],
    ]) {
      const one = await switchNamed(`${line}, ${place}`)
      await user.click(one)
      const group = within(screen.getByRole('group', { name: line as string }))
      expect(await group.findByText(sentence)).toBeTruthy()
      expect(one.checked).toBe(true)
    }
  })

  test('stands still by mail while all mails are off, and goes on elsewhere', async () => {
    openSettings([
      answer(getPreferences, { preferences: { ...ALL_PREFERENCES, emailNotifications: false } }),
    ])
    expect((await switchNamed(/Notifications par e-mail/)).checked).toBe(false)
    expect((await switchNamed('Révélation dévoilée, par e-mail')).disabled).toBe(true)
    expect((await switchNamed('Révélation dévoilée, sur le site')).disabled).toBe(false)
  })

  test('says which mails always leave, and what is told nowhere else', async () => {
    openSettings()
    const waiting = within(await screen.findByRole('group', { name: 'Une lettre m’attend' }))
    expect(waiting.getByText(/toujours/).textContent).toBe('Par e-mail\u202F: toujours')
    expect(waiting.getAllByRole('switch')).toHaveLength(2)
    const sealed = within(screen.getByRole('group', { name: 'Nouvelles révélations' }))
    expect(sealed.getAllByRole('switch')).toHaveLength(1)
    expect(sealed.getByText(/sur le site/).textContent).toMatch(/rien$/)
  })

  test('leaves « Ce jour-là » a switch of its own', async () => {
    let saved: unknown
    const user = openSettings([
      answer(savePreferences, ({ body }) => {
        saved = body
        return { preferences: { ...ALL_PREFERENCES, onThisDay: false } }
      }),
    ])
    const day = await switchNamed(/^Ce jour-là/)
    await waitFor(() => expect(day.disabled).toBe(false))
    await user.click(day)
    await waitFor(() => expect(saved).toEqual({ onThisDay: false }))
  })

  test('that cannot be loaded is asked for again', async () => {
    let isDown = true
    const user = openSettings([
      answer(getNotificationSwitches, () =>
        isDown ? refusal('too_many_requests') : allSwitches(),
      ),
    ])
    const region = within(await screen.findByRole('region', { name: 'Notifications' }))
    isDown = false
    await user.click(await region.findByRole('button', { name: 'Réessayer' }))
    expect(await region.findByRole('switch', { name: 'Modération, sur le site' })).toBeTruthy()
  })
})

describe('the password', () => {
  async function openForm(api: RequestHandler[] = []) {
    const user = openSettings(api)
    await user.click(await screen.findByRole('button', { name: 'Changer le mot de passe' }))
    const type = async (label: string, text: string) => {
      const field = screen.getByLabelText(label)
      await user.clear(field)
      await user.type(field, text)
    }
    const save = () =>
      user.click(screen.getByRole('button', { name: 'Enregistrer le mot de passe' }))
    return { user, type, save }
  }

  test('is checked one sentence after the other', async () => {
    const { type, save } = await openForm()
    const alerts = () => screen.getAllByRole('alert').map((alert) => alert.textContent)
    await save()
    await waitFor(() => expect(alerts()).toEqual(['Mot de passe actuel requis']))
    await type('Mot de passe actuel', 'ancien secret')
    await save()
    await waitFor(() => expect(alerts()).toEqual(['Nouveau mot de passe requis']))
    await type('Nouveau mot de passe', 'court')
    await save()
    await waitFor(() =>
      expect(alerts()).toEqual(['Le nouveau mot de passe doit contenir au moins 8 caractères']),
    )
    await type('Nouveau mot de passe', 'un nouveau secret')
    await type('Confirmer le nouveau mot de passe', 'un autre secret')
    await save()
    await waitFor(() =>
      expect(alerts()).toEqual(['La confirmation ne correspond pas au nouveau mot de passe']),
    )
  })

  async function fillIn({ type, save }: Awaited<ReturnType<typeof openForm>>) {
    await type('Mot de passe actuel', 'ancien secret')
    await type('Nouveau mot de passe', 'un nouveau secret')
    await type('Confirmer le nouveau mot de passe', 'un nouveau secret')
    await save()
  }

  test('that is wrong is said at its field', async () => {
    const form = await openForm([answer(changePassword, refusal('wrong_password'))])
    await fillIn(form)
    expect(await screen.findByText('Le mot de passe actuel est incorrect')).toBeTruthy()
    const current = screen.getByLabelText('Mot de passe actuel')
    expect(current.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(current)
  })

  test('is left as it was, and the focus goes back to what opened the form', async () => {
    const { user } = await openForm()
    await user.click(screen.getByRole('button', { name: 'Annuler' }))
    const opener = screen.getByRole('button', { name: 'Changer le mot de passe' })
    expect(document.activeElement).toBe(opener)
  })

  test('that could not be changed says so', async () => {
    const form = await openForm([answer(changePassword, { success: 1 } as never)])
    await fillIn(form)
    expect(await screen.findByText('Erreur lors du changement de mot de passe')).toBeTruthy()
  })

  describe('once changed', () => {
    beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
    afterEach(() => void vi.useRealTimers())

    test('says so for three seconds, on a form closed and emptied, with the sessions that are left', async () => {
      let sent: unknown
      const form = await openForm([
        answer(changePassword, ({ body }) => {
          sent = body
          return { success: true as const }
        }),
        answer(listSessions, () => ({ sessions: sent ? [here] : [phone, here] })),
      ])
      expect(await screen.findByText('Safari · iPhone')).toBeTruthy()
      await fillIn(form)
      expect(await screen.findByText('Mot de passe modifié avec succès')).toBeTruthy()
      await waitFor(() => expect(screen.queryByText('Safari · iPhone')).toBeNull())
      expect(sent).toEqual({ currentPassword: 'ancien secret', newPassword: 'un nouveau secret' })
      expect(screen.queryByLabelText('Mot de passe actuel')).toBeNull()
      const opener = screen.getByRole('button', { name: 'Changer le mot de passe' })
      expect(document.activeElement).toBe(opener)
      act(() => vi.advanceTimersByTime(3100))
      expect(screen.queryByText('Mot de passe modifié avec succès')).toBeNull()
      await form.user.click(screen.getByRole('button', { name: 'Changer le mot de passe' }))
      expect(screen.getByLabelText<HTMLInputElement>('Mot de passe actuel').value).toBe('')
    })
  })
})

describe('the sessions', () => {
  test('tell this one from the others, which may be ended', async () => {
    let sessions = [phone, here]
    const user = openSettings([
      answer(listSessions, () => ({ sessions })),
      answer(endSession, ({ params }) => {
        sessions = sessions.filter(({ id }) => id !== params.id)
        return { success: true as const }
      }),
    ])
    const list = within(await screen.findByRole('region', { name: 'Appareils connectés' }))
    const [first, second] = await list.findAllByRole('listitem')
    expect(first?.textContent).toContain('Firefox · Linux')
    expect(first?.textContent).toContain('Cet appareil')
    expect(second?.textContent).toContain('Vu avant-hier')
    await user.click(list.getByRole('button', { name: 'Déconnecter Safari · iPhone' }))
    await waitFor(() => expect(list.queryByText('Safari · iPhone')).toBeNull())
    expect(list.queryByRole('button', { name: 'Déconnecter toutes les autres' })).toBeNull()
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('tabpanel'))
  })

  test('are all ended but this one', async () => {
    let sessions = [here, phone, { ...phone, id: 'session-office' }]
    const user = openSettings([
      answer(listSessions, () => ({ sessions })),
      answer(endOtherSessions, () => {
        sessions = [here]
        return { success: true as const }
      }),
    ])
    const everywhere = await screen.findByRole('button', { name: 'Déconnecter toutes les autres' })
    expect(
      screen.getByText(/^Cela révoque aussi vos jetons d’accès et met fin à l’adresse/),
    ).toBeTruthy()
    await user.click(everywhere)
    await waitFor(() => expect(screen.queryByText('Safari · iPhone')).toBeNull())
    expect(screen.getByText('Cet appareil')).toBeTruthy()
  })
})

describe('privacy', () => {
  test('says who sees what', async () => {
    openSettings()
    const privacy = within(await screen.findByRole('region', { name: 'Confidentialité' }))
    expect(privacy.getByText('Cercle Privé').nextSibling?.textContent).toBe('Votre famille seule.')
    expect(privacy.getByText(/Avant la date choisie, personne d’autre que vous/)).toBeTruthy()
    expect(await privacy.findByText('Vous n’avez bloqué personne.')).toBeTruthy()
  })

  test('lets friends and family see that I wait, until I choose otherwise', async () => {
    let saved: unknown
    const user = openSettings([
      answer(savePreferences, ({ body }) => {
        saved = body
        return { preferences: { ...ALL_PREFERENCES, showPresence: false } }
      }),
    ])
    const privacy = within(await screen.findByRole('region', { name: 'Confidentialité' }))
    const shown = privacy.getByRole<HTMLInputElement>('switch', { name: /que j’attends/ })
    await waitFor(() => expect([shown.checked, shown.disabled]).toEqual([true, false]))
    await user.click(shown)
    expect(shown.checked).toBe(false)
    await waitFor(() => expect(saved).toEqual({ showPresence: false }))
  })

  test('gives my address to those I write to only once I say so, and once it is proved', async () => {
    let saved: unknown
    const user = openSettings([
      answer(savePreferences, ({ body }) => {
        saved = body
        return { preferences: { ...ALL_PREFERENCES, repliesByEmail: true } }
      }),
    ])
    const name = /^Recevoir les réponses par e-mail/
    const replies = await switchNamed(name)
    await waitFor(() => expect([replies.checked, replies.disabled]).toEqual([false, false]))
    await user.click(replies)
    await waitFor(() => expect(saved).toEqual({ repliesByEmail: true }))
    cleanup()
    const unproved = aUser({ email_verified: false })
    openSettings([answer(getUser, myProfile({}, unproved))], unproved)
    const refused = await switchNamed(name)
    expect(await screen.findByText('Vérifiez d’abord votre adresse e-mail.')).toBeTruthy()
    expect([refused.checked, refused.disabled]).toEqual([false, true])
  })

  test('lists whom I blocked, and lets them back', async () => {
    let blocks = [{ id: 'user-malo', pseudo: 'malo', avatar_url: null, created_at: inDays(-4) }]
    const user = openSettings([
      answer(listBlocks, () => ({ blocks })),
      answer(unblockPerson, () => {
        blocks = []
        return { success: true as const }
      }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Débloquer @malo' }))
    expect(await screen.findByText('Vous n’avez bloqué personne.')).toBeTruthy()
  })
})
