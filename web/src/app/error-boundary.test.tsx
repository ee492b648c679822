import { render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { answer, fakeServer } from '#web/test/fake-api.ts'
import { ErrorBoundary } from './error-boundary.tsx'

// Whether the network is to blame is asked of the server.
beforeEach(() => fakeServer.use(answer(getHealth, { status: 'ok', disk: 'ok' })))

const onCaughtError = vi.fn()

/** For whoever looks for the cause. */
const errorMessages = () => onCaughtError.mock.calls.map(([error]) => error.message)

afterEach(() => onCaughtError.mockClear())

function Broken({ message }: { message: string }): never {
  throw new Error(message)
}

test('a page that breaks says whom to write to, and comes back with the next address', () => {
  const page = (resetKey: string, isBroken: boolean) => (
    <ErrorBoundary resetKey={resetKey}>
      {isBroken ? <Broken message="undefined is not a function" /> : <p>La page suivante</p>}
    </ErrorBoundary>
  )
  const { rerender } = render(page('/create', true), { onCaughtError })
  expect(screen.getByRole('heading').textContent).toBe('Cette page ne s’est pas ouverte')
  expect(screen.getByRole('button', { name: 'Recharger la page' })).toBeTruthy()
  expect(errorMessages()).toEqual(['undefined is not a function'])
  expect(screen.getByText(/^licence@/).getAttribute('href')).toMatch(/^mailto:/)
  rerender(page('/legal', false))
  expect(screen.getByText('La page suivante')).toBeTruthy()
})

test.each([
  'Failed to fetch dynamically imported module: https://r.test/assets/legal-page-abc.js',
  'error loading dynamically imported module: https://r.test/assets/legal-page-abc.js',
  'Importing a module script failed.',
])('code that is not to be had is a page to be loaded again: « %s »', async (message) => {
  const Later = lazy(() => Promise.reject(new TypeError(message)))
  render(
    <ErrorBoundary>
      <Suspense>
        <Later />
      </Suspense>
    </ErrorBoundary>,
    { onCaughtError },
  )
  expect(
    await screen.findByRole('heading', { name: 'Cette page n’a pas pu se charger' }),
  ).toBeTruthy()
  expect(errorMessages()).toEqual([message])
  expect(screen.getByText(/nouvelle version/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Recharger la page' })).toBeTruthy()
})
