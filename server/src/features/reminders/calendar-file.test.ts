import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { A_DAY_MS, createRevelation, keyHeaders } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const LETTER = 'Personne ne doit lire ceci avant la date.'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
})
afterAll(() => server.close())

function fileOf(id: string, options: Parameters<TestApp['call']>[2] = {}) {
  return server.call('GET', `/api/revelations/${id}/calendar.ics`, options)
}

/** The properties of the event, unfolded (RFC 5545 §3.1), and those of its alarm. */
function propertiesOf(text: string): Record<string, string> {
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  const pairs = lines.map((line) => [line.split(/[:;]/)[0], line.slice(line.indexOf(':') + 1)])
  return Object.fromEntries(pairs)
}

describe('GET /api/revelations/:id/calendar.ics', () => {
  it('answers an event at the reveal, in UTC, which replaces the former one after an edit', async () => {
    const { id } = await createRevelation(server, author, {
      title: 'La fin des temps ; ou, au moins, « de l’année »',
      content: LETTER,
      reveal_date: '2027-03-28T01:30:00.000Z',
    })
    const { status, headers, text } = await fileOf(id)
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'attachment; filename="revelation.ics"',
    ])
    expect(headers['cache-control']).toContain('no-store')
    expect(propertiesOf(text)).toMatchObject({
      UID: `${id}@localhost`,
      SEQUENCE: '1',
      DTSTART: '20270328T013000Z',
      DTEND: '20270328T020000Z',
      SUMMARY: 'Révélation\u202F: La fin des temps \\; ou\\, au moins\\, « de l’année »',
      URL: expect.stringContaining(`/revelation/${id}`),
      ACTION: 'DISPLAY',
      TRIGGER: '-P1D',
    })
    expect(text).not.toContain(LETTER.slice(0, 12))
    const body = { reveal_date: '2027-04-01T00:00:00.000Z' }
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
    const moved = propertiesOf((await fileOf(id)).text)
    expect(moved).toMatchObject({
      UID: `${id}@localhost`,
      SEQUENCE: '2',
      DTSTART: '20270401T000000Z',
    })
  })

  it('answers that event alone, whatever the title', async () => {
    const title = `Fin\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:${'é'.repeat(80)}`
    const { id } = await createRevelation(server, author, { title })
    const { text } = await fileOf(id)
    const lines = text.split('\r\n')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('SUMMARY'))).toHaveLength(1)
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  })

  it('answers others than those who may see the envelope as for what does not exist', async () => {
    const stranger = await signedIn(server)
    const target_email = 'porteur@exemple.test'
    const { id } = await createRevelation(server, author, { visibility: 'private', target_email })
    const absent = await fileOf('5b3d0a52-8f0a-4d0e-9a3c-0f2b7c1d9e11')
    expect(absent.status).toBe(404)
    const answers = [await fileOf(id), await fileOf(id, { as: stranger })]
    for (const { status, text } of answers) expect([status, text]).toEqual([404, absent.text])
    expect((await fileOf(id, { as: author })).status).toBe(200)
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const key = server.mailbox.lastKeyTo(target_email)
    expect((await fileOf(id, { headers: keyHeaders(key) })).status).toBe(200)
  })
})
