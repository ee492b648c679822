import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { listComments } from '#contract/comments.ts'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { createReport, REPORT_MESSAGE_MAX_LENGTH } from '#contract/reports.ts'
import { storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aCommentPage, openPanel } from '#web/test/open-panel.tsx'
import { aComment, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))

function reportsDesk() {
  const received: unknown[] = []
  const keys: (string | null)[] = []
  const api = [
    answer(createReport, ({ body, headers }) => {
      received.push(body)
      keys.push(headers.get(DELIVERY_KEY_HEADER))
      return { success: true as const }
    }),
  ]
  return { received, keys, api }
}

async function dialogOf(name: string) {
  return within(await screen.findByRole('dialog', { name }))
}

describe('a revelation', () => {
  test('is reported with a reason and words, by whoever is signed in', async () => {
    const { received, api } = reportsDesk()
    const { user, revelation } = await openPanel({ api, isOpen: false })
    await user.click(await screen.findByRole('button', { name: `Signaler ${revelation.title}` }))
    const dialog = await dialogOf('Signaler cette révélation')
    expect(dialog.queryByLabelText(/Votre e-mail/)).toBeNull()
    await user.click(dialog.getByRole('radio', { name: 'Harcèlement ou menaces' }))
    await user.type(dialog.getByLabelText(/Ce que l’équipe doit savoir/), 'Il me poursuit.')
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(await screen.findByText('Merci, votre signalement est arrivé.')).toBeTruthy()
    expect(screen.getByText(/vous dira par e-mail/)).toBeTruthy()
    expect(received).toEqual([
      {
        target: 'revelation',
        target_id: revelation.id,
        reason: 'harassment',
        message: 'Il me poursuit.',
      },
    ])
    await user.click(screen.getAllByRole('button', { name: 'Fermer' })[1] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is not by its author', async () => {
    const me = aUser()
    await openPanel({ revelation: { author_id: me.id, author_pseudo: me.pseudo }, isOpen: false })
    expect(screen.queryByRole('button', { name: /^Signaler/ })).toBeNull()
  })

  test('needs a reason, and no more words than are read', async () => {
    const { received, api } = reportsDesk()
    const { user, revelation } = await openPanel({ api, isOpen: false })
    await user.click(await screen.findByRole('button', { name: `Signaler ${revelation.title}` }))
    const dialog = await dialogOf('Signaler cette révélation')
    await user.click(dialog.getByLabelText(/Ce que l’équipe doit savoir/))
    await user.paste('x'.repeat(REPORT_MESSAGE_MAX_LENGTH + 1))
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(dialog.getByText('Choisissez la raison de ce signalement')).toBeTruthy()
    expect(dialog.getByText('Votre message ne peut pas dépasser 1 000 caractères')).toBeTruthy()
    expect(dialog.getByRole('radiogroup', { name: 'Pourquoi\u202F?' })).toBeTruthy()
    const [first] = dialog.getAllByRole('radio')
    expect(document.activeElement).toBe(first)
    await user.click(dialog.getByRole('radio', { name: 'Autre raison' }))
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(document.activeElement).toBe(dialog.getByLabelText(/Ce que l’équipe doit savoir/))
    expect(received).toEqual([])
  })

  test('that could not be reported is asked again, with nothing lost', async () => {
    let isDown = true
    const { user, revelation } = await openPanel({
      isOpen: false,
      isSignedIn: false,
      api: [
        answer(createReport, () => (isDown ? refusal('not_ready') : { success: true as const })),
      ],
    })
    await user.click(await screen.findByRole('button', { name: `Signaler ${revelation.title}` }))
    const dialog = await dialogOf('Signaler cette révélation')
    await user.click(dialog.getByRole('radio', { name: 'Autre raison' }))
    const email = dialog.getByLabelText<HTMLInputElement>(/Votre e-mail/)
    await user.type(email, 'lea@exemple.be')
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Le service démarre')
    expect(email.value).toBe('lea@exemple.be')
    isDown = false
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(await screen.findByText(/vous dira par e-mail/)).toBeTruthy()
  })

  test('says beside the address that it cannot be answered', async () => {
    const sentence = 'Cette adresse ne peut pas recevoir de mail'
    const { user, revelation } = await openPanel({
      isOpen: false,
      isSignedIn: false,
      api: [answer(createReport, refusal('invalid_input', { email: sentence }))],
    })
    await user.click(await screen.findByRole('button', { name: `Signaler ${revelation.title}` }))
    const dialog = await dialogOf('Signaler cette révélation')
    await user.click(dialog.getByRole('radio', { name: 'Autre raison' }))
    const email = dialog.getByLabelText<HTMLInputElement>(/Votre e-mail/)
    await user.type(email, 'lea')
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(dialog.getByText('Format email invalide')).toBeTruthy()
    expect(document.activeElement).toBe(email)
    await user.type(email, '@exemple.be')
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(await dialog.findByText(sentence)).toBeTruthy()
    expect(document.activeElement).toBe(email)
  })

  test('carries the key of whoever reads with one', async () => {
    const { keys, api } = reportsDesk()
    const { user, revelation } = await openPanel({ api, isOpen: false, isSignedIn: false })
    storeDeliveryKey(revelation.id, 'n_orl3Ypvrc47VXXcm7Y')
    await user.click(await screen.findByRole('button', { name: `Signaler ${revelation.title}` }))
    const dialog = await dialogOf('Signaler cette révélation')
    await user.click(dialog.getByRole('radio', { name: 'Contenu illégal' }))
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(await screen.findByText('L’équipe va le lire.')).toBeTruthy()
    expect(keys).toEqual(['n_orl3Ypvrc47VXXcm7Y'])
  })
})

describe('a comment', () => {
  const theirs = aComment({ id: 'leur', content: 'Déplacé' })
  const mine = aComment({ author_id: aUser().id, author_pseudo: 'camille', can_delete: true })

  test('is reported from its own menu; one’s own is not', async () => {
    const { received, api } = reportsDesk()
    const { user } = await openPanel({
      api: [...api, answer(listComments, aCommentPage([theirs, mine]))],
    })
    expect(await screen.findByText('Déplacé')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Plus d’actions.*@camille/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: /Plus d’actions.*@paul/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Signaler' }))
    const dialog = await dialogOf('Signaler le commentaire de @paul')
    await user.click(dialog.getByRole('radio', { name: 'Publicité indésirable ou arnaque' }))
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    expect(await screen.findByText('Merci, votre signalement est arrivé.')).toBeTruthy()
    expect(received).toEqual([{ target: 'comment', target_id: 'leur', reason: 'spam' }])
  })
})
