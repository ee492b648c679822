import { screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { getSubscription, type Plan } from '#contract/subscriptions.ts'
import { draftFor, type RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { saveDraft, savedDraft } from '#web/test/draft-samples.ts'
import { answer, type Refusal, refusal } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'

const author = aUser()
const NO_WISH = { kind: undefined, visibility: undefined, addressee: undefined }

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => saveWith({}))

function saveWith(rest: Partial<RevelationDraft>): void {
  saveDraft(author.id, {
    ...draftFor('Europe/Brussels', NO_WISH, author.email),
    ...{ title: 'Ce qui sera', content: 'Nous vivrons à Lisbonne.', day: '2099-01-01' },
    ...{ recipients: [{ email: 'lea@exemple.be', name: '' }], ...rest },
  })
}

function write(plan: Plan, refused?: Refusal) {
  const door = sealingDoor({ refused })
  const user = renderPage('/create?vue=tout', {
    user: author,
    api: [
      ...door.handlers,
      answer(getUser, myProfile({ total_revelations: 2 })),
      answer(getSubscription, aSubscription({ subscription_type: plan })),
    ],
  })
  return { user, ...door }
}

function letterSection() {
  return screen.getByRole('region', { name: 'Les mots' })
}

async function openRecap(user: ReturnType<typeof write>['user']) {
  await user.click(screen.getByRole('checkbox', { name: /^Prévenir/ }))
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  return findRecap()
}

test('a letter is written on the chosen paper in the chosen ink, recalled and sent so', async () => {
  const { user, sealed } = write('standard')
  await user.click(await screen.findByText('Papier et encre'))
  await user.click(await screen.findByRole('radio', { name: /^Kraft/ }))
  await user.click(screen.getByRole('radio', { name: /Bleue/ }))
  expect({ ...letterSection().dataset }).toMatchObject({ paper: 'kraft', ink: 'blue' })
  expect(screen.getByText(/^Papier kraft, encre bleue\./)).toBeTruthy()
  await waitFor(() =>
    expect(savedDraft(author.id)?.values).toMatchObject({ paper: 'kraft', ink: 'blue' }),
  )
  const recap = await openRecap(user)
  expect(recap.getByText('Papier kraft, encre bleue')).toBeTruthy()
  await user.click(recap.getByRole('button', { name: 'Sceller' }))
  await findSealed()
  expect(sealed[0]).toMatchObject({ paper: 'kraft', ink: 'blue' })
})

test('the free plan shows what there is and leads to the plans, without a control', async () => {
  const { user, sealed } = write('free')
  await user.click(await screen.findByText('Papier et encre'))
  expect(await screen.findByText('Vergé')).toBeTruthy()
  expect(screen.getByRole('link', { name: /Voir les plans/ })).toBeTruthy()
  expect(screen.queryByRole('radio', { name: /Kraft|Vélin|Bleue|Noire/ })).toBeNull()
  const recap = await openRecap(user)
  expect(recap.queryByText(/^Papier/)).toBeNull()
  await user.click(recap.getByRole('button', { name: 'Sceller' }))
  await findSealed()
  expect(sealed[0]).toMatchObject({ paper: 'wove', ink: 'black' })
})

test('what a draft chose on a plan that ended is refused with the way out, and can be taken back', async () => {
  saveWith({ paper: 'kraft' })
  const { user } = write('free', refusal('feature_of_plan'))
  const kraft = await screen.findByRole('radio', { name: /^Kraft/ })
  expect((kraft as HTMLInputElement).checked).toBe(true)
  const recap = await openRecap(user)
  await user.click(recap.getByRole('button', { name: 'Sceller' }))
  expect(await recap.findByRole('link', { name: /Voir les plans/ })).toBeTruthy()
  await user.click(recap.getByRole('button', { name: 'Retour' }))
  await user.click(await screen.findByRole('radio', { name: /^Vélin/ }))
  expect(letterSection().dataset.paper).toBe('wove')
})
