import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS_MAX } from '#contract/calendar.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const EVENTS = '/api/calendar-events'
const BIRTHDAY = {
  title: 'Les vingt ans d’Inès',
  date: '2006-11-30',
  type: 'birthday',
  description: 'Un gâteau',
}

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function open(as: Person) {
  return server.call('GET', EVENTS, { as })
}

async function titlesOf(as: Person): Promise<string[]> {
  return (await open(as)).body.events.map(({ title }: { title: string }) => title)
}

function add(as: Person, overrides: object = {}) {
  return server.call('POST', EVENTS, { as, body: { ...BIRTHDAY, ...overrides } })
}

function importAll(as: Person, events: unknown) {
  return server.call('POST', `${EVENTS}/import`, { as, body: { events } })
}

/** Somebody whose calendar was opened and emptied. */
async function somebody(): Promise<Person> {
  const person = await signedIn(server)
  for (const { id } of (await open(person)).body.events) {
    await server.call('DELETE', `${EVENTS}/${id}`, { as: person })
  }
  return person
}

test('a new calendar has three samples, soon to come, that are marked as such', async () => {
  const { status, body } = await open(await signedIn(server))
  expect([status, body.imported]).toEqual([200, false])
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
    'birthday',
    'anniversary',
    'holiday',
  ])
  for (const { title, date } of body.events) {
    expect(title).toContain('(exemple)')
    expect(date > '2026-11-20' && date < '2027-02-01').toBe(true)
  }
})

test('samples that were deleted never come back', async () => {
  const person = await somebody()
  expect(await titlesOf(person)).toEqual([])
  await add(person)
  expect(await titlesOf(person)).toEqual([BIRTHDAY.title])
})

test('a first opening by two at once creates three samples, not six', async () => {
  const person = await signedIn(server)
  const answers = await Promise.all(Array.from({ length: 8 }, () => open(person)))
  for (const { body } of answers) expect(body.events).toHaveLength(3)
})

test('an event that is added is listed by its date, with the empty description it may have', async () => {
  const person = await somebody()
  const later = await add(person, { date: '2028-02-29', description: undefined })
  expect(later.status).toBe(201)
  expect(later.body.event).toMatchObject({ date: '2028-02-29', description: '' })
  const { event, ...bare } = (await add(person)).body
  expect(bare).toEqual(event)
  const { events } = (await open(person)).body
  expect(events.map(({ date }: { date: string }) => date)).toEqual(['2006-11-30', '2028-02-29'])
  expect(events[0]).toEqual({ ...BIRTHDAY, id: expect.any(String) })
})

test('an event has no description when null is sent', async () => {
  const { status, body } = await add(await somebody(), { description: null })
  expect([status, body.event.description]).toEqual([201, ''])
})

test('a day is the same wherever the machine is', async () => {
  const person = await somebody()
  await add(person, { date: '2027-03-28' })
  const { rows } = await server.ctx.pool.query(
    'select day::text as day from calendar_events where owner_id = $1',
    [person.id],
  )
  expect(rows).toEqual([{ day: '2027-03-28' }])
})

test.each([
  ['Le titre est requis', { title: '  ' }],
  ['Le titre ne peut pas dépasser 120 caractères', { title: 'x'.repeat(121) }],
  ['La date est requise', { date: '' }],
  ['Cette date n’est pas valide', { date: '2027-02-29' }],
  ['Cette date n’est pas valide', { date: '0000-01-01' }],
  ['Cette date n’est pas valide', { date: '2027-1-1' }],
  ['L’année doit être comprise entre 1000 et 2999', { date: '9999-12-31' }],
  ['Choisissez un type d’événement', { type: 'fête' }],
  ['La description ne peut pas dépasser 1\u00A0000 caractères', { description: 'x'.repeat(1_001) }],
])('a wrong event is refused: %s', async (sentence, overrides) => {
  const { status, body } = await add(await somebody(), overrides)
  expect([status, Object.values(body.fields)]).toEqual([400, [sentence]])
})

test('nobody sees or deletes the events of somebody else', async () => {
  const [owner, other] = [await somebody(), await somebody()]
  const { id } = (await add(owner)).body.event
  expect(await titlesOf(other)).toEqual([])
  const refused = await server.call('DELETE', `${EVENTS}/${id}`, { as: other })
  const absent = await server.call('DELETE', `${EVENTS}/${crypto.randomUUID()}`, { as: other })
  expect(refused.status).toBe(404)
  expect(refused.body).toEqual(absent.body)
  expect(await titlesOf(owner)).toEqual([BIRTHDAY.title])
  for (const [method, url] of [
    ['GET', EVENTS],
    ['POST', `${EVENTS}/import`],
    ['POST', EVENTS],
    ['DELETE', `${EVENTS}/${id}`],
    ['GET', '/api/calendar-feed'],
    ['POST', '/api/calendar-feed'],
    ['DELETE', '/api/calendar-feed'],
  ] as const) {
    expect((await server.call(method, url)).status).toBe(401)
  }
})

test('events of a browser are imported once, without other entries and repetitions', async () => {
  const person = await somebody()
  await add(person)
  const entries = [
    BIRTHDAY,
    { id: 7, title: ' Noël ', date: '2026-12-25', type: 'holiday' },
    { id: 8, title: 'Noël', date: '2026-12-25', type: 'holiday', description: '' },
    { title: 'Noël', date: '2026-12-24', type: 'holiday' },
    { title: 'Pas un jour', date: '2026-02-30', type: 'other' },
    { title: 'Dans un autre temps', date: '3026-02-03', type: 'other' },
    { title: '', date: '2026-02-03', type: 'other' },
    { title: 'Illisible\u0000', date: '2026-02-03', type: 'other' },
    null,
    'Noël',
    12,
    [],
    {},
  ]
  const { status, body } = await importAll(person, entries)
  expect(status).toBe(200)
  expect(body.events.map(({ title }: { title: string }) => title)).toEqual([
    BIRTHDAY.title,
    'Noël',
    'Noël',
  ])
  expect((await open(person)).body.imported).toBe(true)
  const again = await importAll(person, [{ title: 'Autre', date: '2026-01-01', type: 'other' }])
  expect(again.body.events).toEqual(body.events)
})

test('events in the format of an older page are imported', async () => {
  const person = await somebody()
  const date = '2026-02-03'
  const { body } = await importAll(person, [
    { title: 'À', date: `${date}T23:30:00.000Z`, type: 'birthday', description: null },
    { title: 'B', date, type: 'party' },
    { title: `C${'🎂'.repeat(80)}`, date, type: 'other', description: ` ${'x'.repeat(1_200)}` },
  ])
  const events = body.events.toSorted((one: { title: string }, other: { title: string }) =>
    one.title.localeCompare(other.title, 'fr'),
  )
  expect(events).toMatchObject([
    { title: 'À', date, type: 'birthday', description: '' },
    { title: 'B', date, type: 'other', description: '' },
    { title: `C${'🎂'.repeat(59)}`, date, type: 'other', description: 'x'.repeat(1_000) },
  ])
})

test('the most events at once, each of the longest, are imported', async () => {
  const person = await somebody()
  const entries = Array.from({ length: 500 }, (_, at) => ({
    title: `Un jour ${at}`,
    date: '2026-02-03',
    type: 'other',
    description: 'é'.repeat(1_000),
  }))
  expect((await importAll(person, entries)).body.events).toHaveLength(500)
})

test('a simultaneous import by two pages imports once', async () => {
  const person = await signedIn(server)
  const entries = [{ title: 'Noël', date: '2026-12-25', type: 'holiday' }]
  await Promise.all(Array.from({ length: 6 }, () => importAll(person, entries)))
  expect((await titlesOf(person)).filter((title) => title === 'Noël')).toHaveLength(1)
  expect(await titlesOf(person)).toHaveLength(4)
})

test('an import of no list, or of too long a one, is rejected', async () => {
  const person = await somebody()
  expect((await importAll(person, 'Noël')).status).toBe(400)
  expect(
    (
      await importAll(
        person,
        Array.from({ length: 501 }, () => null),
      )
    ).status,
  ).toBe(400)
  expect((await open(person)).body.imported).toBe(false)
})

test('a full calendar rejects events, even of two calls at once, and imports no more', async () => {
  const person = await somebody()
  await server.ctx.pool.query(
    `insert into calendar_events (owner_id, title, day, type, description, created_at)
     select $1, 'Un jour', date '2020-01-01' + n, 'other', '', now() from generate_series(1, $2::integer) as n`,
    [person.id, EVENTS_MAX - 1],
  )
  const answers = await Promise.all([add(person), add(person), add(person)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    code: 'calendar_full',
    error: expect.stringContaining('2\u00A0000 événements'),
  })
  await importAll(person, [{ title: 'Noël', date: '2026-12-25', type: 'holiday' }])
  expect(await titlesOf(person)).toHaveLength(EVENTS_MAX)
})
