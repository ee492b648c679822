import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { getUser } from '#contract/profiles.ts'
import { createRevelation } from '#contract/sealing.ts'
import type { StoredDraft } from '#web/features/revelations/drafts/draft-schema.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { saveDraft, savedDraft } from '#web/test/draft-samples.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOwnRevelation, aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'

const WORDS = { title: 'Une lettre du train', content: 'Beaucoup à dire entre deux vallées.' }

beforeAll(() => import('./create-page.tsx'))

function storeDraft(day: string, changes: Partial<StoredDraft> = {}) {
  const values: RevelationDraft = {
    ...WORDS,
    ...{ recipients: [{ email: 'ami@exemple.test', name: '' }], recipients_see_each_other: false },
    ...{ day, time: '' },
    ...{
      kind: null,
      category: 'general',
      visibility: 'public',
      file_words: '',
      seal_voice_words: '',
    },
    ...{ paper: 'wove', ink: 'black' },
    ...{ announcement_note: '', opening_note: '' },
  }
  saveDraft(aUser().id, values, changes)
}

test('what was sealed before the page was closed is asked for with the key of then', async () => {
  // A surprise: nobody is told.
  const asked = { key: 'la-cle-d-avant', wantsSealing: true, notifiesNow: false }
  storeDraft('2099-01-01', asked)
  const keys: unknown[] = []
  const revelation = anOwnRevelation({ id: 'deja-scellee', ...WORDS })
  const { handlers } = sealingDoor({ revelation })
  const user = renderPage('/create?vue=tout', {
    user: aUser(),
    api: [
      answer(getUser, refusal('not_found')),
      answer(createRevelation, ({ headers }) => {
        keys.push(headers.get(IDEMPOTENCY_HEADER))
        return { revelation }
      }),
      ...handlers,
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Relire avant de sceller' }))
  const recap = await findRecap()
  await user.click(recap.getByRole('button', { name: 'Sceller' }))
  await findSealed()
  expect(keys).toEqual(['la-cle-d-avant'])
  expect(savedDraft(aUser().id)).toBeUndefined()
})

test('a moment that went by while the network was away is said, and nothing is sent', async () => {
  storeDraft('2001-01-01')
  const user = renderPage('/create?vue=tout', { user: aUser() })
  expect(await screen.findByText(/La date choisie est passée depuis/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  expect(
    await screen.findByText('La date de révélation ne peut pas être dans le passé'),
  ).toBeTruthy()
  expect((screen.getByLabelText('Titre') as HTMLInputElement).value).toBe(WORDS.title)
})
