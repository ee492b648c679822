import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listRevelations } from '#contract/revelations.ts'
import { answer } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const broken = vi.hoisted(() => vi.fn())
const Broken = vi.hoisted(() => () => {
  broken()
  throw new Error('This code could not be had')
})
vi.mock('./live/live-updates.tsx', () => ({ LiveUpdates: Broken }))
vi.mock('#web/features/account/verification-reminder.tsx', () => ({ VerificationReminder: Broken }))

test('a page goes on without what only accompanies it', async () => {
  const said = vi.mocked(console.error).mockImplementation(() => {})
  renderPage('/', {
    user: aUser({ email_verified: false }),
    api: [answer(listRevelations, aPage([]))],
  })
  expect(await screen.findByText('Aucune révélation trouvée')).toBeTruthy()
  await waitFor(() => expect(said.mock.calls.length).toBeGreaterThanOrEqual(2))
  expect(broken).toHaveBeenCalled()
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
  expect(screen.getByText('Aucune révélation trouvée')).toBeTruthy()
  // React tells of what an error boundary caught.
  said.mockClear()
})
