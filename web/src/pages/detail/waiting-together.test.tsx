import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { announcePresence, type Presence } from '#contract/presence.ts'
import { getRevelation, recordView } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

const KEY = 'n_orl3Ypvrc47VXXcm7Y'
/** Longer than any page waits between two calls. */
const NEXT_CALL_MS = 24_000

interface Call {
  body: { page: string; leaving?: boolean }
  key: string | null
}

/** A sealed page, and what it says of itself; the server answers who waits. */
function open({ inMs = 3_600_000, answers }: { inMs?: number; answers?: () => Presence } = {}) {
  const calls: Call[] = []
  const revelation = anEnvelope({ reveal_date: new Date(Date.now() + inMs).toISOString() })
  renderPage(`/revelation/${revelation.id}#cle=${KEY}`, {
    api: [
      answer(announcePresence, ({ params, body, headers }) => {
        // The page of the test before may still be leaving.
        if (params.id !== revelation.id) return { waiting: 0, people: [] }
        calls.push({ body: body as Call['body'], key: headers.get(DELIVERY_KEY_HEADER) })
        return answers?.() ?? { waiting: 0, people: [] }
      }),
      answer(getRevelation, { revelation }),
      answer(recordView, { views_count: 1 }),
    ],
  })
  return calls
}

function people(...pseudos: string[]): Presence['people'] {
  return pseudos.map((pseudo) => ({ id: `user-${pseudo}`, pseudo }))
}

function turn(visibility: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

test('names who waits too, in a place of its own, as they come and go', async () => {
  let presence: Presence = { waiting: 4, people: [] }
  open({ answers: () => presence })
  const line = await screen.findByText('4 personnes attendent avec vous')
  for (const [next, words] of [
    [{ waiting: 1, people: [] }, 'Une personne attend avec vous'],
    [{ waiting: 2000, people: [] }, '2\u202F000\u00A0personnes attendent avec vous'],
    [{ waiting: 1, people: people('alice') }, '@alice attend avec vous'],
    [{ waiting: 2, people: people('alice', 'bob') }, '@alice et @bob attendent avec vous'],
    [
      { waiting: 4, people: people('alice') },
      '@alice et 3\u00A0autres personnes attendent avec vous',
    ],
    [{ waiting: 2, people: people('alice') }, '@alice et une autre personne attendent avec vous'],
    [
      { waiting: 3, people: people('alice', 'bob', 'cleo') },
      '@alice, @bob et une autre personne attendent avec vous',
    ],
    [{ waiting: 0, people: [] }, ''],
  ] as const) {
    presence = { ...next, people: [...next.people] }
    await act(() => vi.advanceTimersByTimeAsync(NEXT_CALL_MS))
    await waitFor(() => expect(line.textContent).toBe(words))
  }
  expect(line.isConnected).toBe(true)
  // Nobody is interrupted each time.
  expect(line.closest('[role="status"], [aria-live]')).toBeNull()
})

test('announces its reader with the key of the letter while the page is visible, and that they leave', async () => {
  const calls = open()
  await waitFor(() => expect(calls).toHaveLength(1))
  const [first] = calls as [Call]
  expect(first).toEqual({ key: KEY, body: { page: expect.stringMatching(/^[\da-f-]{36}$/) } })
  turn('hidden')
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]).toEqual({ key: KEY, body: { ...first.body, leaving: true } })
  await act(() => vi.advanceTimersByTimeAsync(3 * NEXT_CALL_MS))
  expect(calls).toHaveLength(2)
  turn('visible')
  await waitFor(() => expect(calls).toHaveLength(3))
  expect(calls[2]).toEqual(first)
  act(() => void window.dispatchEvent(new Event('pagehide')))
  await waitFor(() => expect(calls).toHaveLength(4))
  expect(calls[3]?.body.leaving).toBe(true)
  turn('hidden')
  await act(() => vi.advanceTimersByTimeAsync(NEXT_CALL_MS))
  expect(calls).toHaveLength(4)
})

test('announces nobody in the last ten seconds', async () => {
  const calls = open({ inMs: 32_000 })
  await waitFor(() => expect(calls).toHaveLength(1))
  await act(() => vi.advanceTimersByTimeAsync(23_500))
  const early = calls.length
  turn('hidden')
  turn('visible')
  await act(() => vi.advanceTimersByTimeAsync(7_000))
  expect(calls.slice(early)).toEqual([])
  // It has not left either.
  expect(calls.filter(({ body }) => body.leaving)).toEqual([])
})

test('shows nobody when the server does not answer', async () => {
  const calls = open({ answers: () => refusal('too_many_requests') as never })
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(await screen.findByText('Révélation en attente')).toBeTruthy()
  expect(screen.queryByText(/avec vous/)).toBeNull()
  expect(screen.queryByText(/Trop de demandes/)).toBeNull()
})
