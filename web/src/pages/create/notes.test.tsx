import { screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { draftFor, type RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { saveDraft, savedDraft } from '#web/test/draft-samples.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'

const author = aUser()
const NO_WISH = { kind: undefined, visibility: undefined, addressee: undefined }
const ANNOUNCEMENT = /^Un mot pour prévenir/
const OPENING = /^Un mot pour l’ouverture/

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  saveWith({})
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})

function saveWith(rest: Partial<RevelationDraft>): void {
  saveDraft(author.id, {
    ...draftFor('Europe/Brussels', NO_WISH, author.email),
    ...{ title: 'Ce qui sera', content: 'Nous vivrons à Lisbonne.', day: '2099-01-01' },
    ...{ recipients: [{ email: 'lea@exemple.be', name: '' }], ...rest },
  })
}

function write({ refused, as = author }: { refused?: Record<string, string>; as?: typeof author }) {
  const door = sealingDoor({ refused: refused && refusal('invalid_input', refused) })
  const user = renderPage('/create?vue=tout', { user: as, api: door.handlers })
  return { user, ...door }
}

async function openRecapWithoutNotice(user: ReturnType<typeof write>['user']) {
  await user.click(screen.getByRole('checkbox', { name: /^Prévenir/ }))
  return openRecap(user)
}

async function openRecap(user: ReturnType<typeof write>['user']) {
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  return findRecap()
}

test('words for the mails are folded, counted, kept in the draft, recalled and sent', async () => {
  const { user, sealed } = write({})
  const summary = await screen.findByText('Un mot dans l’e-mail')
  expect(summary.closest('details')?.open).toBe(false)
  await user.click(summary)
  await user.type(screen.getByLabelText(ANNOUNCEMENT), 'Patience.')
  await user.type(screen.getByLabelText(OPENING), 'Assieds-toi.')
  expect(screen.getByText(/^12 \/ 300/)).toBeTruthy()
  await waitFor(() =>
    expect(savedDraft(author.id)?.values).toMatchObject({
      announcement_note: 'Patience.',
      opening_note: 'Assieds-toi.',
    }),
  )
  const recap = await openRecapWithoutNotice(user)
  expect(recap.getByText('Patience.')).toBeTruthy()
  expect(
    recap.getByText('Il ne part que si vous prévenez le destinataire avant la date.'),
  ).toBeTruthy()
  expect(recap.getByText('Assieds-toi.')).toBeTruthy()
  await user.click(recap.getByRole('button', { name: 'Sceller' }))
  await findSealed()
  expect(sealed[0]).toMatchObject({ announcement_note: 'Patience.', opening_note: 'Assieds-toi.' })
})

test('a word alone is a draft too', async () => {
  localStorage.clear()
  const { user } = write({})
  await user.click(await screen.findByText('Un mot dans l’e-mail'))
  await user.type(screen.getByLabelText(OPENING), 'Assieds-toi.')
  window.dispatchEvent(new Event('pagehide'))
  expect(savedDraft(author.id)?.values.opening_note).toBe('Assieds-toi.')
})

test('the recap says of a word for the notice when none leaves', async () => {
  saveWith({
    announcement_note: 'Patience.',
    recipients: [{ email: author.email, name: '' }],
  })
  const { user } = write({})
  await screen.findByText('Un mot dans l’e-mail')
  const recap = await openRecap(user)
  expect(recap.getByText('Il ne part pas : elle est pour vous.')).toBeTruthy()
})

test('an address of a page, and too many words, are refused beside the field', async () => {
  saveWith({ announcement_note: 'Va voir exemple.fr', opening_note: 'x'.repeat(301) })
  const { user, sealed } = write({})
  await screen.findByText('Un mot dans l’e-mail')
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  expect(await screen.findByText('Pas d’adresse de page dans ce mot')).toBeTruthy()
  expect(screen.getByText('Ce mot ne peut pas dépasser 300 caractères')).toBeTruthy()
  expect(sealed).toEqual([])
})

test('who has not proved their address is told to, and keeps what was written', async () => {
  const unproved = aUser({ email_verified: false })
  const { user } = write({ as: unproved })
  await user.click(await screen.findByText('Un mot dans l’e-mail'))
  expect(screen.getByText('Vérifiez d’abord votre adresse e-mail')).toBeTruthy()
  expect(screen.queryByLabelText(ANNOUNCEMENT)).toBeNull()
})

test('what the server refuses of a note stands beside it', async () => {
  saveWith({ opening_note: 'Assieds-toi.' })
  const { user } = write({ refused: { opening_note: 'Vérifiez d’abord votre adresse e-mail' } })
  await screen.findByText('Un mot dans l’e-mail')
  const recap = await openRecapWithoutNotice(user)
  await user.click(recap.getByRole('button', { name: 'Sceller' }))
  expect(await screen.findByText('Vérifiez d’abord votre adresse e-mail')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(OPENING)))
})
