import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  getRevelation,
  listRevelations,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { SessionProvider } from '#web/features/auth/session.tsx'
import { createQueryClient } from '#web/lib/query-client.ts'
import { answer, fakeServer } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, aPage } from '#web/test/samples.ts'
import { watchRenders } from '#web/test/watch-renders.ts'
import { Feed } from './feed.tsx'
import { FeedCard } from './feed-card.tsx'

afterEach(() => vi.useRealTimers())

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

function sealedFor(milliseconds: number): Revelation {
  return anEnvelope({ reveal_date: new Date(Date.now() + milliseconds).toISOString() })
}

function renderOnPage(children: ReactNode) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter>{children}</MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
}

describe('the countdowns of a feed', () => {
  test('render their own digits at each tick, and no card', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T12:00:00.000Z') })
    const soon = sealedFor(20 * MINUTE_MS)
    const later = Array.from({ length: 12 }, () => sealedFor(9 * DAY_MS))
    const rendered = watchRenders()
    renderOnPage([soon, ...later].map((r) => <FeedCard key={r.id} revelation={r} />))
    expect(rendered.filter((name) => name === 'FeedCard')).toHaveLength(13)
    await act(() => vi.advanceTimersByTimeAsync(1000))
    rendered.length = 0
    for (let second = 0; second < 10; second += 1) {
      await act(() => vi.advanceTimersByTimeAsync(1000))
    }
    expect(rendered.length).toBeGreaterThanOrEqual(10)
    expect(new Set(rendered)).toEqual(new Set(['CountdownText']))
  })
})

describe('a feed that grows', () => {
  test('does not render again the cards that are there', async () => {
    const first = Array.from({ length: 20 }, () => anEnvelope())
    fakeServer.use(
      answer(listRevelations, ({ query }) =>
        query.cursor
          ? aPage([anEnvelope({ title: 'De la seconde page' })])
          : aPage(first, 'second'),
      ),
    )
    const rendered = watchRenders()
    const filters = { q: '', visibility: 'all', status: 'all', kind: undefined } as const
    renderOnPage(<Feed filters={filters} onClear={() => undefined} />)
    const more = await screen.findByRole('button', { name: 'Afficher plus de révélations' })
    expect(rendered.filter((name) => name === 'FeedCard')).toHaveLength(20)
    rendered.length = 0
    await userEvent.click(more)
    await screen.findByText('De la seconde page')
    expect(rendered.filter((name) => name === 'FeedCard')).toHaveLength(1)
  })

  test('is still there, with all its pages, when one comes back from a revelation', async () => {
    const requests: unknown[] = []
    const there = anEnvelope({ title: 'De la première page' })
    const user = renderPage('/', {
      api: [
        answer(listRevelations, ({ query }) => {
          requests.push(query)
          return query.cursor
            ? aPage([anEnvelope({ title: 'De la seconde page' })])
            : aPage([there], 'second')
        }),
        answer(getRevelation, { revelation: there }),
        answer(recordView, { views_count: 8 }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Afficher plus de révélations' }))
    await screen.findByText('De la seconde page')
    await user.click(screen.getByRole('link', { name: 'De la première page' }))
    await screen.findByRole('heading', { name: 'Révélation en attente' })
    act(() => window.history.back())
    await screen.findByText('De la seconde page')
    expect(screen.getByRole('link', { name: 'De la première page' })).toBeTruthy()
    await waitFor(() => expect(screen.getByText('8')).toBeTruthy())
    expect(requests).toEqual([{}, { cursor: 'second' }])
  })
})
