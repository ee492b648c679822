import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, Link } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from '#web/lib/query-client.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { Providers } from './app.tsx'
import { Layout } from './layout.tsx'

test('a page goes on without what only accompanies it', async () => {
  const consoleError = vi.mocked(console.error).mockImplementation(() => {})
  const { getItem } = Storage.prototype
  const broken = new Set<string>()
  const breakWhatReads = (name: string): never => {
    broken.add(name)
    throw new Error('This code could not be had')
  }
  // Read before anything else by the reminder of the address and by the live updates, and by nothing of this page.
  vi.spyOn(Date.prototype, 'toDateString').mockImplementation(() => breakWhatReads('today'))
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(function (this: Storage, key) {
    return key === 'push_told' ? breakWhatReads(key) : getItem.call(this, key)
  })
  renderPage('/conditions', { user: aUser({ email_verified: false }) })
  const title = { level: 1, name: 'Conditions d’utilisation' }
  expect(await screen.findByRole('heading', title)).toBeTruthy()
  await waitFor(() => expect(consoleError.mock.calls.length).toBeGreaterThanOrEqual(2))
  expect([...broken].sort()).toEqual(['push_told', 'today'])
  expect(screen.getByRole('heading', title)).toBeTruthy()
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
