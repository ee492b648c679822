import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, Link } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listRevelations } from '#contract/revelations.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { answer } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'
import { Providers } from './app.tsx'
import { Layout } from './layout.tsx'

/** What the reminder of the address and the live updates each read before anything else. */
const READ_BY_WHAT_ACCOMPANIES = ['verification-put-off', 'push_told']

test('a page goes on without what only accompanies it', async () => {
  const consoleError = vi.mocked(console.error).mockImplementation(() => {})
  const { getItem } = Storage.prototype
  const broken = new Set<string>()
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(function (this: Storage, key) {
    if (!READ_BY_WHAT_ACCOMPANIES.includes(key)) return getItem.call(this, key)
    broken.add(key)
    throw new Error('This code could not be had')
  })
  renderPage('/', {
    user: aUser({ email_verified: false }),
    api: [answer(listRevelations, aPage([]))],
  })
  expect(await screen.findByText('Aucune révélation trouvée')).toBeTruthy()
  await waitFor(() => expect(consoleError.mock.calls.length).toBeGreaterThanOrEqual(2))
  expect([...broken].sort()).toEqual([...READ_BY_WHAT_ACCOMPANIES].sort())
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
  expect(screen.getByText('Aucune révélation trouvée')).toBeTruthy()
  // React tells of what an error boundary caught.
  consoleError.mockClear()
})

test('a page whose code is on its way says so', async () => {
  const router = createMemoryRouter([
    {
      Component: Layout,
      children: [
        { index: true, element: <Link to="/suite">La suite</Link> },
        { path: '/suite', lazy: () => new Promise(() => {}) },
      ],
    },
  ])
  onTestFinished(() => router.dispose())
  render(
    <Providers queryClient={createQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  )
  await userEvent.click(screen.getByRole('link', { name: 'La suite' }))
  expect((await screen.findByRole('status')).textContent).toBe('Chargement de la page')
  expect(screen.getByRole('link', { name: 'La suite' })).toBeTruthy()
})
