import { screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { describe, expect, test } from 'vitest'
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from '#contract/api-tokens.ts'
import { listSessions } from '#contract/auth.ts'
import { getNotificationSwitches } from '#contract/notifications.ts'
import { getUser } from '#contract/profiles.ts'
import { listBlocks } from '#contract/relationships.ts'
import { getPreferences, getSubscription, type Plan } from '#contract/subscriptions.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { allSwitches } from '#web/test/notification-samples.ts'
import { ALL_PREFERENCES, aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser, inDays } from '#web/test/samples.ts'

const backup: ApiToken = {
  id: 'token-backup',
  name: 'Sauvegarde',
  scopes: ['read'],
  created_at: inDays(-40),
  last_used_at: inDays(-2),
  expires_at: null,
}
const SECRET = `rev_${'a'.repeat(43)}`

/** What lies around a dialog. */
function veil(): Element {
  const found = document.querySelector('.dialog-veil')
  if (!found) throw new Error('No dialog is open')
  return found
}

async function openPanel(
  { tokens = [], plan = 'pro' }: { tokens?: ApiToken[]; plan?: Plan },
  api: RequestHandler[] = [],
) {
  const user = renderPage('/profile?onglet=parametres', {
    user: aUser(),
    api: [
      ...api,
      answer(listApiTokens, { tokens }),
      answer(getSubscription, aSubscription({ subscription_type: plan })),
      answer(getUser, myProfile()),
      answer(getPreferences, { preferences: ALL_PREFERENCES }),
      answer(getNotificationSwitches, allSwitches()),
      answer(listSessions, { sessions: [] }),
      answer(listBlocks, { blocks: [] }),
    ],
  })
  return { user, panel: within(await screen.findByRole('region', { name: 'Jetons d’accès' })) }
}

describe('the tokens of the API', () => {
  test('are named with what they permit and their last use', async () => {
    const agenda = { ...backup, id: 'other', name: 'Agenda', last_used_at: null }
    const tokens: ApiToken[] = [backup, { ...agenda, scopes: ['read', 'write'] }]
    const { panel } = await openPanel({ tokens })
    const lines = (await panel.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(lines[0]).toMatch(/^SauvegardeLire · créé le .+, utilisé avant-hierRévoquer$/)
    expect(lines[1]).toMatch(/^AgendaLire et écrire · créé le .+, jamais utiliséRévoquer$/)
  })

  test('are created with the password, and shown once', async () => {
    const asked: unknown[] = []
    const { user, panel } = await openPanel({}, [
      answer(createApiToken, ({ body }) => {
        asked.push(body)
        return { token: SECRET, api_token: { ...backup, name: 'Agenda' } }
      }),
    ])
    await user.click(await panel.findByRole('button', { name: 'Créer un jeton' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Créer un jeton' }))
    await user.click(dialog.getByRole('button', { name: 'Créer le jeton' }))
    expect(await dialog.findByText('Donnez un nom à ce jeton')).toBeTruthy()
    expect(dialog.getByText('Mot de passe requis')).toBeTruthy()
    await user.type(dialog.getByLabelText('Nom'), 'Agenda')
    await user.click(dialog.getByLabelText(/^Écrire/))
    await user.type(dialog.getByLabelText('Votre mot de passe'), 'mon secret')
    await user.click(dialog.getByRole('button', { name: 'Créer le jeton' }))
    const shown = within(await screen.findByRole('dialog', { name: '«\u202FAgenda\u202F»' }))
    expect(shown.getByLabelText<HTMLInputElement>('Jeton').value).toBe(SECRET)
    await user.click(shown.getByRole('button', { name: 'Copier le jeton' }))
    expect(await navigator.clipboard.readText()).toBe(SECRET)
    expect(asked).toEqual([
      { name: 'Agenda', scopes: ['read', 'write'], expires_in_days: 90, password: 'mon secret' },
    ])
    await user.click(shown.getByRole('button', { name: 'J’ai copié le jeton' }))
    await waitFor(() => expect(document.body.textContent).not.toContain(SECRET))
  })

  test('are created once however often one presses, and shown until one says so', async () => {
    let created = 0
    const { promise: sent, resolve: send } = Promise.withResolvers<void>()
    const { user, panel } = await openPanel({}, [
      answer(createApiToken, async () => {
        created += 1
        await sent
        return { token: SECRET, api_token: { ...backup, name: 'Agenda' } }
      }),
    ])
    await user.click(await panel.findByRole('button', { name: 'Créer un jeton' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Créer un jeton' }))
    await user.type(dialog.getByLabelText('Nom'), 'Agenda')
    await user.type(dialog.getByLabelText('Votre mot de passe'), 'mon secret')
    await user.dblClick(dialog.getByRole('button', { name: 'Créer le jeton' }))
    await user.keyboard('{Enter}{Escape}')
    expect(dialog.getByRole('button', { name: 'Annuler' })).toHaveProperty('disabled', true)
    send()
    const shown = await screen.findByRole('dialog', { name: '«\u202FAgenda\u202F»' })
    await waitFor(() => expect(document.activeElement).toBe(shown))
    await user.keyboard('{Escape}')
    await user.pointer({ keys: '[MouseLeft]', target: veil() })
    expect(within(shown).getByLabelText<HTMLInputElement>('Jeton').value).toBe(SECRET)
    expect(created).toBe(1)
    await user.click(within(shown).getByRole('button', { name: 'Fermer' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('keep what was typed when the password is wrong', async () => {
    const { user, panel } = await openPanel({}, [answer(createApiToken, refusal('wrong_password'))])
    await user.click(await panel.findByRole('button', { name: 'Créer un jeton' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('Nom'), 'Agenda')
    await user.type(dialog.getByLabelText('Votre mot de passe'), 'faux')
    await user.click(dialog.getByRole('button', { name: 'Créer le jeton' }))
    expect(await dialog.findByText('Le mot de passe actuel est incorrect')).toBeTruthy()
    expect(dialog.getByLabelText<HTMLInputElement>('Nom').value).toBe('Agenda')
  })

  test('are revoked after a question', async () => {
    let tokens = [backup]
    const { user, panel } = await openPanel({}, [
      answer(listApiTokens, () => ({ tokens })),
      answer(revokeApiToken, ({ params }) => {
        tokens = tokens.filter(({ id }) => id !== params.id)
        return { success: true as const }
      }),
    ])
    await user.click(await panel.findByRole('button', { name: 'Révoquer Sauvegarde' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Révoquer' }))
    await waitFor(() => expect(panel.queryByText('Sauvegarde')).toBeNull())
  })

  test('leave the list when another page revoked them meanwhile', async () => {
    const other = { ...backup, id: 'other', name: 'Agenda' }
    let tokens = [backup, other]
    const { user, panel } = await openPanel({}, [
      answer(listApiTokens, () => ({ tokens })),
      answer(revokeApiToken, () => {
        tokens = [other]
        return refusal('not_found')
      }),
    ])
    await user.click(await panel.findByRole('button', { name: 'Révoquer Sauvegarde' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.dblClick(question.getByRole('button', { name: 'Révoquer' }))
    await waitFor(() => expect(panel.queryByText('Sauvegarde')).toBeNull())
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('sleep while the plan has no API, and may still be revoked', async () => {
    const { panel } = await openPanel({ tokens: [backup], plan: 'free' })
    expect(await panel.findByText(/Votre plan ne comprend plus l’API/)).toBeTruthy()
    expect(panel.getByRole('button', { name: 'Révoquer Sauvegarde' })).toBeTruthy()
    expect(panel.queryByRole('button', { name: 'Créer un jeton' })).toBeNull()
    expect(panel.getByRole('link', { name: 'Voir les plans' })).toBeTruthy()
  })

  test('are offered with the plans that have them', async () => {
    const { panel } = await openPanel({ plan: 'standard' })
    expect(await panel.findByText(/comprise dans les plans Pro et Illimité/)).toBeTruthy()
    expect(panel.queryByRole('button', { name: 'Créer un jeton' })).toBeNull()
  })
})
