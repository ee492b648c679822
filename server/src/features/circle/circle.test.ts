import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CircleWait } from '#contract/circle.ts'
import { A_DAY_MS, createRevelation, relate, verifiedPerson } from '#testing/factories.ts'
import { insertRows, type Row, rowOf } from '#testing/rows.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { createVoiceMessage } from '#testing/voice-messages.ts'

let server: TestApp
let me: Person
let mother: Person
let friend: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ;[me, mother, friend, stranger] = await Promise.all([
    signedIn(server),
    signedIn(server),
    signedIn(server),
    signedIn(server),
  ])
  await relate(server, me, mother, 'family')
  await relate(server, me, friend, 'friend')
})

async function membersOf(as: Person) {
  return (await server.call('GET', '/api/circle/members', { as })).body.members
}

async function statisticsOf(as: Person, query = '') {
  const { status, body } = await server.call('GET', `/api/circle/statistics${query}`, { as })
  expect(status).toBe(200)
  return body
}

function getReveals(as: Person, query: string) {
  return server.call('GET', `/api/circle/reveals?${query}`, { as })
}

async function revealsOf(as: Person) {
  return (await getReveals(as, 'from=2026-01-01&to=2027-12-31')).body
}

/** Seals what the factories would, at another instant. */
async function seal(values: Partial<Row> & { authorId: string }): Promise<string> {
  const row = rowOf(server, { visibility: 'family', ...values })
  await insertRows(server, [row])
  return row.id
}

function react(as: Person, id: string, emoji = '❤️') {
  return server.call('POST', '/api/reactions', { as, body: { revelation_id: id, emoji } })
}

function comment(as: Person, id: string) {
  return server.call('POST', '/api/comments', {
    as,
    body: { revelation_id: id, content: 'Un mot tendre' },
  })
}

/** Every figure and date that a person reads of their circle. */
async function allOf(as: Person): Promise<string> {
  const parts = [await membersOf(as), await statisticsOf(as), await revealsOf(as)]
  return JSON.stringify(parts)
}

test('members are one’s family, by pseudo, with what each shares with it', async () => {
  const aunt = await signedIn(server)
  await relate(server, aunt, me, 'family')
  await createRevelation(server, mother, { visibility: 'family' })
  await createRevelation(server, mother, { visibility: 'friends' })
  await createRevelation(server, mother, { visibility: 'private' })
  await createRevelation(server, me, { visibility: 'family' })
  await createVoiceMessage(server, mother)
  await createVoiceMessage(server, mother, { recipient_id: me.id, is_public: false })
  const members = await membersOf(me)
  expect(members.map(({ pseudo }: { pseudo: string }) => pseudo)).toEqual(
    [mother.pseudo, aunt.pseudo].toSorted(new Intl.Collator('fr').compare),
  )
  expect(members.find((member: { user_id: string }) => member.user_id === mother.id)).toEqual({
    id: expect.any(String),
    user_id: mother.id,
    pseudo: mother.pseudo,
    avatar_url: null,
    relationship_type: 'family',
    status: 'accepted',
    created_at: server.clock.now.toISOString(),
    deliveries_count: 1,
    sounds_count: 2,
  })
  expect(members.find((member: { user_id: string }) => member.user_id === aunt.id)).toMatchObject({
    deliveries_count: 0,
    sounds_count: 0,
  })
})

test('a voice for somebody else is in nobody’s figures but its author’s and theirs', async () => {
  const aunt = await signedIn(server)
  await relate(server, aunt, mother, 'family')
  await relate(server, aunt, me, 'family')
  const before = await allOf(me)
  await createVoiceMessage(server, mother, { recipient_id: aunt.id, is_public: false })
  expect(await allOf(me)).toBe(before)
  const [seenByAunt] = (await membersOf(aunt)).filter(
    (member: { user_id: string }) => member.user_id === mother.id,
  )
  expect(seenByAunt.sounds_count).toBe(1)
})

test('the figures are those of the specification', async () => {
  const own = await seal({ authorId: me.id, revealAt: new Date('2027-01-01T00:00:00Z') })
  const hers = await seal({ authorId: mother.id })
  await seal({ authorId: mother.id, createdAt: new Date('2026-10-05T10:00:00Z') })
  await react(mother, own)
  await react(me, hers)
  await react(me, hers, '🎉')
  await comment(mother, hers)
  await comment(me, hers)
  const statistics = await statisticsOf(me)
  expect(statistics).toMatchObject({
    total_members: 1,
    total_revelations: 3,
    upcoming_revelations: 1,
    revealed_revelations: 2,
    total_interactions: 5,
    monthly_growth: 100,
    average_engagement: 17,
    family_score: 59,
    score_label: 'Moyenne',
    top_contributor: { user_id: mother.id, pseudo: mother.pseudo, deliveries: 1, period: 'month' },
  })
  expect(statistics.achievements.filter((one: { is_reached: boolean }) => one.is_reached)).toEqual([
    { id: 'first_revelation', is_reached: true },
  ])
  expect(statistics.months).toHaveLength(12)
  expect(statistics.months.at(-1)).toEqual({
    month: '2026-11',
    deliveries: 2,
    sounds: 0,
    interactions: 5,
  })
  expect(statistics.months.at(-2)).toMatchObject({ month: '2026-10', deliveries: 1 })
})

test('alone, without anything shared, one leads under one’s own pseudo with nothing', async () => {
  const loner = await signedIn(server)
  expect(await statisticsOf(loner)).toMatchObject({
    total_members: 0,
    total_revelations: 0,
    monthly_growth: 0,
    average_engagement: 0,
    family_score: 0,
    score_label: 'À améliorer',
    top_contributor: { user_id: loner.id, pseudo: loner.pseudo, deliveries: 0, period: 'none' },
  })
})

test('when this month has nothing, who leads over all time leads', async () => {
  await seal({ authorId: mother.id, createdAt: new Date('2024-03-05T10:00:00Z') })
  const { top_contributor, months } = await statisticsOf(me)
  expect(top_contributor).toMatchObject({ user_id: mother.id, deliveries: 1, period: 'all' })
  expect(months.every(({ deliveries }: { deliveries: number }) => deliveries === 0)).toBe(true)
})

test('a month begins in the requested zone, and late words belong to their own month', async () => {
  const id = await seal({ authorId: mother.id, createdAt: new Date('2026-10-31T22:30:00Z') })
  await seal({ authorId: mother.id, createdAt: new Date('2026-10-31T23:30:00Z') })
  await react(me, id)
  const monthsIn = async (zone: string) => {
    const { months } = await statisticsOf(me, `?time_zone=${encodeURIComponent(zone)}`)
    return months.slice(-2).map((month: object) => Object.values(month).slice(0, 2))
  }
  expect(await monthsIn('Europe/Brussels')).toEqual([
    ['2026-10', 1],
    ['2026-11', 1],
  ])
  expect(await monthsIn('UTC')).toEqual([
    ['2026-10', 2],
    ['2026-11', 0],
  ])
  expect(await monthsIn('Asia/Tokyo')).toEqual([
    ['2026-10', 0],
    ['2026-11', 2],
  ])
  const { months } = await statisticsOf(me)
  expect(months.slice(-2).map((month: { interactions: number }) => month.interactions)).toEqual([
    0, 1,
  ])
})

test('nothing of strangers, friends, of private, public or hidden letters is in any figure', async () => {
  const before = await allOf(me)
  const hidden = await seal({ authorId: mother.id })
  await react(mother, hidden)
  await comment(mother, hidden)
  await server.ctx.pool.query(
    `update revelations set hidden_at = now(), visibility_before_hiding = visibility, visibility = 'private'
     where id = $1`,
    [hidden],
  )
  for (const authorId of [stranger.id, friend.id]) {
    const id = await seal({ authorId, revealAt: new Date('2027-02-01T00:00:00Z') })
    await react(authorId === friend.id ? friend : stranger, id)
  }
  await seal({ authorId: friend.id, visibility: 'friends' })
  for (const visibility of ['private', 'public', 'friends'] as const) {
    await react(mother, await seal({ authorId: mother.id, visibility }))
  }
  await createVoiceMessage(server, stranger)
  await createVoiceMessage(server, friend)
  expect(await allOf(me)).toBe(before)
})

test('a member who is removed, or blocks, is gone at once with all they shared', async () => {
  const end = () =>
    server.ctx.pool.query('delete from relationships where $1 in (low_user_id, high_user_id)', [
      mother.id,
    ])
  await end()
  const without = await allOf(me)
  await relate(server, me, mother, 'family')
  const id = await seal({ authorId: mother.id, revealAt: new Date('2027-02-01T00:00:00Z') })
  await react(mother, id)
  expect((await revealsOf(me)).upcoming).toBe(1)
  const [{ id: relationshipId }] = await membersOf(me)
  await server.call('DELETE', `/api/relationships/${relationshipId}`, { as: mother })
  expect(await allOf(me)).toBe(without)
  await relate(server, me, mother, 'family')
  expect((await statisticsOf(me)).total_revelations).toBe(1)
  await server.ctx.pool.query('insert into blocks values ($1, $2, now())', [mother.id, me.id])
  expect(await allOf(me)).toBe(without)
})

test('what a blocked person or an operator’s decision hides is no interaction; one’s own words are', async () => {
  const father = await signedIn(server)
  await relate(server, mother, father, 'family')
  await relate(server, me, father, 'family')
  const id = await seal({ authorId: mother.id })
  await comment(father, id)
  await react(father, id)
  const mine = await comment(me, id)
  expect((await statisticsOf(me)).total_interactions).toBe(3)
  await server.ctx.pool.query('insert into blocks values ($1, $2, now())', [mother.id, father.id])
  expect((await statisticsOf(me)).total_interactions).toBe(1)
  expect((await statisticsOf(father)).total_interactions).toBe(0)
  await server.ctx.pool.query('update comments set hidden_at = now() where id = $1', [
    mine.body.comment.id,
  ])
  expect((await statisticsOf(me)).total_interactions).toBe(0)
})

test('the year counts what opens in each of its months, and what did apart', async () => {
  await seal({ authorId: mother.id, revealAt: new Date('2026-03-01T10:00:00Z') })
  await seal({ authorId: me.id, revealAt: new Date('2026-12-24T10:00:00Z') })
  await seal({ authorId: mother.id, revealAt: new Date('2026-12-31T22:59:59.999Z') })
  // In Brussels it is the new year already.
  await seal({ authorId: mother.id, revealAt: new Date('2026-12-31T23:00:00Z') })
  await seal({ authorId: friend.id, revealAt: new Date('2026-12-24T10:00:00Z') })
  const { year } = await statisticsOf(me)
  expect(year).toHaveLength(12)
  expect(year[2]).toEqual({ month: '2026-03', sealed: 0, opened: 1 })
  expect(year[11]).toEqual({ month: '2026-12', sealed: 2, opened: 0 })
})

test('who waits is named to the author and to whom the author lets know; to others nobody is', async () => {
  const aunt = await verifiedPerson(server)
  await relate(server, aunt, mother, 'family')
  await relate(server, me, aunt, 'family')
  const recipients = [
    { email: aunt.email, name: 'Tatie' },
    { email: 'papa@exemple.test', name: null },
  ]
  const common = { visibility: 'family' as const, target_email: undefined, recipients }
  const told = await createRevelation(server, mother, {
    ...common,
    reveal_date: '2026-12-24T10:00:00.000Z',
    recipients_see_each_other: true,
  })
  const untold = await createRevelation(server, mother, {
    ...common,
    reveal_date: '2026-12-25T10:00:00.000Z',
  })
  const waitingFor = async (as: Person) =>
    (await statisticsOf(as)).waiting.map(
      ({ id, is_for_me, recipients, unnamed_recipients }: CircleWait) => ({
        id,
        who: [is_for_me, recipients, unnamed_recipients],
      }),
    )
  const [first, second] = [told.id, untold.id]
  expect(await waitingFor(mother)).toEqual([
    { id: first, who: [false, ['Tatie', 'papa@exemple.test'], 0] },
    { id: second, who: [false, ['Tatie', 'papa@exemple.test'], 0] },
  ])
  expect(await waitingFor(aunt)).toEqual([
    { id: first, who: [true, [], 1] },
    { id: second, who: [true, [], 0] },
  ])
  expect(await waitingFor(me)).toEqual([
    { id: first, who: [false, [], 0] },
    { id: second, who: [false, [], 0] },
  ])
  expect(await waitingFor(stranger)).toEqual([])
})

test('six letters are the next ones, without those that are open', async () => {
  await seal({ authorId: mother.id, revealAt: new Date('2026-01-01T00:00:00Z') })
  const ids = await Promise.all(
    [7, 6, 5, 4, 3, 2, 1].map((day) =>
      seal({ authorId: mother.id, revealAt: new Date(Date.UTC(2027, 1, day)) }),
    ),
  )
  const { waiting } = await statisticsOf(me)
  expect(waiting.map(({ id }: CircleWait) => id)).toEqual(ids.toReversed().slice(0, 6))
})

test('reveals are those of the circle between two days, both included, in the requested zone', async () => {
  const atMidnight = await seal({
    authorId: mother.id,
    title: 'À minuit',
    revealAt: new Date('2027-03-28T22:00:00Z'),
  })
  const before = await seal({ authorId: me.id, revealAt: new Date('2027-03-28T21:59:59.999Z') })
  await seal({ authorId: me.id, visibility: 'private', revealAt: new Date('2027-03-28T12:00:00Z') })
  const day = await getReveals(me, 'from=2027-03-29&to=2027-03-29')
  expect(day.body.reveals).toEqual([
    {
      kind: 'revelation',
      id: atMidnight,
      title: 'À minuit',
      author_id: mother.id,
      author_pseudo: mother.pseudo,
      reveal_date: '2027-03-28T22:00:00.000Z',
      time_zone: 'Europe/Brussels',
      is_revealed: false,
    },
  ])
  const inUtc = await getReveals(me, 'from=2027-03-28&to=2027-03-28&time_zone=UTC')
  expect(inUtc.body.reveals.map(({ id }: { id: string }) => id)).toEqual([before, atMidnight])
  expect(inUtc.body.upcoming).toBe(2)
})

test('a voice that waits is among the reveals, and what was never scheduled is not', async () => {
  const sound = await createVoiceMessage(server, mother, {
    reveal_date: '2026-12-24T23:00:00.000Z',
  })
  await createVoiceMessage(server, mother)
  const { reveals, upcoming } = await revealsOf(me)
  expect(reveals).toHaveLength(1)
  expect(reveals[0]).toMatchObject({ kind: 'sound', id: sound.id, is_revealed: false })
  expect(upcoming).toBe(1)
})

test('a reveal is revealed by the clock, and no longer to come', async () => {
  const later = new Date(server.clock.now.getTime() + A_DAY_MS)
  await seal({ authorId: mother.id, revealAt: later })
  expect((await revealsOf(me)).upcoming).toBe(1)
  server.clock.advance(A_DAY_MS)
  const { reveals, upcoming } = await revealsOf(me)
  expect([reveals[0].is_revealed, upcoming]).toEqual([true, 0])
  server.clock.advance(-A_DAY_MS)
})

test('invalid days are rejected with a sentence', async () => {
  for (const [query, sentence] of [
    ['from=2027-02-01&to=2027-01-01', 'La fin de la période doit suivre son début'],
    ['from=2026-01-01&to=2028-03-11', 'La période ne peut pas dépasser 800\u00A0jours'],
    ['from=2027-02-30&to=2027-03-01', 'Cette date n’est pas valide'],
    ['from=2027-02-01', 'La date est requise'],
    ['from=2027-02-01&to=2027-02-01&time_zone=Lune', 'Ce fuseau horaire n’existe pas'],
  ] as const) {
    const { status, body } = await getReveals(me, query)
    expect([status, Object.values(body.fields)]).toEqual([400, [sentence]])
  }
})

test('a visitor has no circle', async () => {
  for (const path of ['members', 'statistics', 'reveals?from=2027-01-01&to=2027-01-02']) {
    expect((await server.call('GET', `/api/circle/${path}`)).status).toBe(401)
  }
})
