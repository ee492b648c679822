import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { createReport } from '#contract/reports.ts'
import { listRevelationsOfUser } from '#contract/revelations.ts'
import { answer } from '#web/test/fake-api.ts'
import { aPerson, aProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./profile-page.tsx'))

test('somebody is reported from their profile', async () => {
  const received: unknown[] = []
  const user = renderPage(`/profile/${aPerson().id}`, {
    user: aUser(),
    api: [
      answer(getUser, aProfile()),
      answer(listRevelationsOfUser, aPage([])),
      answer(createReport, ({ body }) => {
        received.push(body)
        return { success: true as const }
      }),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Plus d’actions pour @noemie' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Signaler' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Signaler @noemie' }))
  await user.click(dialog.getByRole('radio', { name: 'Usurpation d’identité' }))
  await user.click(dialog.getByRole('button', { name: 'Signaler' }))
  expect(await screen.findByText('Merci, votre signalement est arrivé.')).toBeTruthy()
  expect(received).toEqual([
    { target: 'profile', target_id: aPerson().id, reason: 'impersonation' },
  ])
})
