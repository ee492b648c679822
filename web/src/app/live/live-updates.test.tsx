import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { listComments } from '#contract/comments.ts'
import { listReactions } from '#contract/reactions.ts'
import { listRequests } from '#contract/relationships.ts'
import {
  getRevelation,
  listRevelations,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aPage, aUser } from '#web/test/samples.ts'

beforeAll(() =>
  Promise.all([import('./live-updates.tsx'), import('#web/pages/detail/detail-page.tsx')]),
)
afterEach(() => vi.useRealTimers())

/** The detail page of somebody signed in, on a server whose revelation may change. */
function openDetail(first: Revelation) {
  const events = eventStream()
  const server = {
    revelation: first as Revelation | undefined,
    requestCount: 0,
    /** What an answer waits for once it is made. */
    pending: undefined as Promise<void> | undefined,
  }
  renderPage(`/revelation/${first.id}`, {
    user: aUser(),
    api: [
      events.handler,
      answer(getRevelation, async () => {
        server.requestCount += 1
        const { revelation } = server
        await server.pending
        return revelation ? { revelation } : refusal('not_found')
      }),
      answer(recordView, { views_count: 1 }),
      answer(listReactions, { reactions: [], summary: [] }),
      answer(listComments, { comments: [], total: 0, next_cursor: null }),
    ],
  })
  return { ...events, server }
}

test('a page watches what it shows, with the session of its person', async () => {
  const revelation = anEnvelope()
  const { streams } = openDetail(revelation)
  await screen.findByRole('heading', { level: 1, name: revelation.title })
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([revelation.id]))
  expect(streams.at(-1)?.authorization).toMatch(/^Bearer ./)
})

test('counts move as others react and comment', async () => {
  const revelation = anEnvelope({ reactions_count: 1, comments_count: 2 })
  const { streams } = openDetail(revelation)
  await screen.findByRole('heading', { level: 1, name: revelation.title })
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([revelation.id]))
  streams.at(-1)?.send('revelation', {
    id: revelation.id,
    changed: ['reactions', 'comments'],
    reactions_count: 41,
    comments_count: 57,
  })
  expect(await screen.findAllByText(/57/)).not.toHaveLength(0)
  expect(screen.getAllByText(/41/)).not.toHaveLength(0)
})

test('a letter that opens elsewhere opens here, and one that is withdrawn leaves', async () => {
  const revelation = anEnvelope()
  const { streams, server } = openDetail(revelation)
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([revelation.id]))
  const reveal_date = new Date().toISOString()
  const letter = anOpenLetter({ content: 'Ce sera Jeanne.', reveal_date })
  server.revelation = { ...letter, id: revelation.id }
  streams.at(-1)?.send('revelation', { id: revelation.id, changed: ['state'] })
  expect(await screen.findByText('Ce sera Jeanne.')).toBeTruthy()
  server.revelation = undefined
  streams.at(-1)?.send('revelation', { id: revelation.id, changed: ['state'] })
  await waitFor(() => expect(screen.queryByText('Ce sera Jeanne.')).toBeNull())
})

test('after a cut the page follows again, and asks for what it missed', async () => {
  const revelation = anEnvelope({ title: 'Avant la coupure' })
  const { streams, server } = openDetail(revelation)
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([revelation.id]))
  streams.at(-1)?.send('ready')
  await waitFor(() => expect(server.requestCount).toBeGreaterThan(1))
  server.revelation = { ...revelation, title: 'Après la coupure' }
  const before = streams.length
  streams.at(-1)?.cut()
  await waitFor(() => expect(streams.length).toBeGreaterThan(before))
  streams.at(-1)?.send('ready')
  expect(await screen.findByRole('heading', { name: 'Après la coupure' })).toBeTruthy()
})

test.each(['revelation', 'ready'] as const)(
  'what is told (%s) while the first answer is on its way is not missed',
  async (name) => {
    const revelation = anEnvelope({ title: 'Avant' })
    const { streams, server } = openDetail(revelation)
    const first = Promise.withResolvers<void>()
    server.pending = first.promise
    await waitFor(() => expect([streams.length, server.requestCount]).toEqual([1, 1]))
    server.revelation = { ...revelation, title: 'Après' }
    streams[0]?.send(name, { id: revelation.id, changed: ['state'] })
    await waitFor(() => expect(streams[0]?.isOpen()).toBe(true))
    first.resolve()
    expect(await screen.findByRole('heading', { name: 'Après' })).toBeTruthy()
  },
)

test('what happens before a page’s own stream stands is not missed', async () => {
  const revelation = anEnvelope({ title: 'Avant' })
  const { streams, server } = openDetail(revelation)
  const first = Promise.withResolvers<void>()
  server.pending = first.promise
  await waitFor(() => expect(streams).toHaveLength(1))
  first.resolve()
  await screen.findByRole('heading', { level: 1, name: 'Avant' })
  streams[0]?.send('ready')
  await waitFor(() => expect(server.requestCount).toBe(2))
  server.revelation = { ...revelation, title: 'Après' }
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([revelation.id]))
  streams.at(-1)?.send('ready')
  expect(await screen.findByRole('heading', { level: 1, name: 'Après' })).toBeTruthy()
})

test('a request that arrives is seen in the navigation', async () => {
  const events = eventStream()
  let received = 0
  const sender = { id: 'b', pseudo: 'bruno', email: null, email_verified: false, avatar_url: null }
  renderPage('/', {
    user: aUser(),
    api: [
      events.handler,
      answer(listRevelations, aPage([])),
      answer(listRequests, () => ({
        requests: Array.from({ length: received }, (_, index) => ({
          ...{ id: `r${index}`, sender_id: 'b', receiver_id: 'a', type: 'friend' as const },
          ...{
            status: 'pending' as const,
            message: '',
            created_at: new Date().toISOString(),
            sender,
          },
        })),
        sent: [],
      })),
    ],
  })
  await waitFor(() => expect(events.streams).toHaveLength(1))
  received = 1
  events.streams[0]?.send('relationships')
  expect(await screen.findAllByText(/demande reçue/)).not.toHaveLength(0)
})

test('a hidden page follows nothing, and a visitor’s neither', async () => {
  const revelation = anEnvelope()
  const { streams } = openDetail(revelation)
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([revelation.id]))
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const before = streams.length
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  visibility.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(streams.length).toBe(before + 1))
  visibility.mockRestore()
})
