import { screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { getRevelation, listRevelationsOfUser } from '#contract/revelations.ts'
import { createRevelation } from '#contract/sealing.ts'
import { storedDeferredSeal, storedDraft } from '#web/features/revelations/draft-storage.ts'
import { storedPendingSeal } from '#web/features/revelations/use-sealing.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOwnRevelation, aPage, aUser } from '#web/test/samples.ts'

const WORDS = { title: 'Une lettre du train', content: 'Beaucoup à dire entre deux vallées.' }

beforeAll(() => import('./create-page.tsx'))

function storeDraft(day: string) {
  storedDraft.write(aUser().id, {
    ...WORDS,
    ...{ recipients: [{ email: 'ami@exemple.test', name: '' }], recipients_see_each_other: false },
    ...{ day, time: '' },
    ...{ category: 'general', visibility: 'public', file_words: '', seal_voice_words: '' },
    ...{ paper: 'wove', ink: 'black' },
    ...{ announcement_note: '', opening_note: '' },
  })
}

test('what was sealed before the page was closed is not sealed again', async () => {
  storeDraft('2099-01-01')
  storedPendingSeal.write(aUser().id, { ...WORDS, sinceMs: Date.now() - 60_000 })
  // A surprise: nobody is told.
  storedDeferredSeal.write(aUser().id, { notifiesNow: false })
  const sealed = anOwnRevelation({
    id: 'deja-scellee',
    ...WORDS,
    created_at: new Date().toISOString(),
  })
  renderPage('/create', {
    user: aUser(),
    api: [
      answer(getUser, refusal('not_found')),
      answer(createRevelation, () => {
        throw new Error('It was sealed twice')
      }),
      answer(listRevelationsOfUser, aPage([sealed])),
      answer(getRevelation, refusal('not_found')),
    ],
  })
  await waitFor(() => expect(window.location.pathname).toBe('/revelation/deja-scellee'))
  expect([storedPendingSeal.read(aUser().id), storedDeferredSeal.read(aUser().id)]).toEqual([
    undefined,
    undefined,
  ])
})

test('a moment that went by while the network was away is said, and nothing is sent', async () => {
  storeDraft('2001-01-01')
  const user = renderPage('/create', { user: aUser() })
  expect(await screen.findByText(/La date choisie est passée depuis/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  expect(
    await screen.findByText('La date de révélation ne peut pas être dans le passé'),
  ).toBeTruthy()
  expect((screen.getByLabelText('Titre') as HTMLInputElement).value).toBe(WORDS.title)
})
