import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { createCalendarEvent } from '#contract/calendar.ts'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { fakeServer } from '#web/test/fake-api.ts'
import { callOnce } from './call-once.ts'

const body = { title: 'Noël', date: '2026-12-25', type: 'holiday' } as const
const event = { id: 'un', ...body, description: '', created_at: '2026-11-20T12:00:00.000Z' }

/** A site that answers the calls one after the other; with their keys. */
function answering(...answers: (() => Response)[]): (string | null)[] {
  const keys: (string | null)[] = []
  fakeServer.use(
    http.post(`${window.location.origin}${createCalendarEvent.url}`, ({ request }) => {
      keys.push(request.headers.get(IDEMPOTENCY_HEADER))
      return (answers[keys.length - 1] as () => Response)()
    }),
  )
  return keys
}

const lost = () => HttpResponse.error()
const refused = (code: string, status: number) => () =>
  HttpResponse.json({ error: 'Non', code }, { status })
const made = () => HttpResponse.json({ ...event, event }, { status: 201 })

const call = (input: { body: typeof body | { title: string; date: string; type: 'holiday' } }) =>
  callOnce(createCalendarEvent, input).catch(() => undefined)

test('a call has the key of the one before as long as no answer has come', async () => {
  const busy = refused('in_progress', 409)
  const unwell = refused('unavailable', 503)
  const keys = answering(lost, busy, unwell, made, made)
  for (let n = 0; n < 5; n += 1) await call({ body })
  expect(new Set(keys.slice(0, 4)).size).toBe(1)
  expect(keys[4]).not.toBe(keys[3])
})

test('another call, or one after a refusal, has a key of its own', async () => {
  const keys = answering(lost, lost, refused('calendar_full', 409), made)
  await call({ body })
  await call({ body: { ...body, title: 'Pâques' } })
  await call({ body })
  await call({ body })
  expect(keys[2]).toBe(keys[0])
  expect(new Set(keys).size).toBe(3)
})
