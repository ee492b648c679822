import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const AT = '/api/relationships'

function sendRequest(as: Person, receiver: Person, type: string): Promise<Answer> {
  return server.call('POST', `${AT}/request`, {
    as,
    body: { receiver_id: receiver.id, type, confirm: true },
  })
}

async function get(as: Person, path = '') {
  return (await server.call('GET', AT + path, { as })).body
}

async function endAll(as: Person): Promise<void> {
  for (const { id } of (await get(as)).relationships) {
    await server.call('DELETE', `${AT}/${id}`, { as })
  }
}

it('makes one relationship of two people who request each other at the same instant', async () => {
  const [anna, bruno] = [await signedIn(server), await signedIn(server)]
  for (let round = 0; round < 50; round += 1) {
    const type = round % 2 === 0 ? 'family' : 'friend'
    const answers = await Promise.all([
      sendRequest(anna, bruno, 'family'),
      sendRequest(bruno, anna, type),
      sendRequest(anna, bruno, 'family'),
      sendRequest(bruno, anna, type),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 409, 409])
    for (const person of [anna, bruno]) {
      expect((await get(person)).relationships).toEqual([
        expect.objectContaining({ relationship_type: type }),
      ])
      expect(await get(person, '/requests')).toEqual({ requests: [], sent: [] })
    }
    await endAll(anna)
  }
})

it('does one thing when a request is accepted, declined and withdrawn at once', async () => {
  const [anna, bruno] = [await signedIn(server), await signedIn(server)]
  for (let round = 0; round < 30; round += 1) {
    const { id } = (await sendRequest(anna, bruno, 'friend')).body.request
    const request = `${AT}/request/${id}`
    const answers = await Promise.all([
      server.call('PUT', request, { as: bruno, body: { action: 'accept' } }),
      server.call('PUT', request, { as: bruno, body: { action: 'accept' } }),
      server.call('PUT', request, { as: bruno, body: { action: 'decline' } }),
      server.call('DELETE', request, { as: anna }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    const isAccepted = answers.slice(0, 2).some(({ status }) => status === 200)
    for (const person of [anna, bruno]) {
      expect((await get(person)).relationships).toHaveLength(isAccepted ? 1 : 0)
      expect(await get(person, '/requests')).toEqual({ requests: [], sent: [] })
    }
    await endAll(anna)
  }
})

it('is consistent after 200 things were done at once among six people', async () => {
  const people: Person[] = []
  while (people.length < 6) people.push(await signedIn(server))
  const dice = diceOf(20_261_120)
  const known = { requests: [] as string[], relationships: [] as string[] }
  const doSomething = async (): Promise<Answer> => {
    const as = dice(people)
    const other = dice(people.filter((person) => person !== as))
    const request = `${AT}/request/${dice(known.requests)}`
    switch (
      dice([
        'request',
        'request',
        'request',
        'accept',
        'accept',
        'decline',
        'withdraw',
        'end',
        'block',
        'unblock',
        'unblock',
      ])
    ) {
      case 'request': {
        const answer = await sendRequest(as, other, dice(['friend', 'family']))
        if (answer.body.request) known.requests.push(answer.body.request.id)
        if (answer.body.relationship) known.relationships.push(answer.body.relationship.id)
        return answer
      }
      case 'accept': {
        const answer = await server.call('PUT', request, {
          as,
          body: { action: 'accept', confirm: true },
        })
        if (answer.body.relationship) known.relationships.push(answer.body.relationship.id)
        return answer
      }
      case 'decline':
        return server.call('PUT', request, { as, body: { action: 'decline' } })
      case 'withdraw':
        return server.call('DELETE', request, { as })
      case 'end':
        return server.call('DELETE', `${AT}/${dice(known.relationships)}`, { as })
      case 'block':
        return server.call('PUT', `${AT}/blocks/${other.id}`, { as })
      default:
        return server.call('DELETE', `${AT}/blocks/${other.id}`, { as })
    }
  }
  const statuses = new Set<number>()
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: 200 }, doSomething))
    for (const { status } of answers) statuses.add(status)
    await expectConsistent(people)
  }
  expect([...statuses].sort()).toEqual([200, 201, 404, 409])
})

/** A pair has a relationship, a request or a block, never two of them; and both sides see the same. */
async function expectConsistent(people: readonly Person[]): Promise<void> {
  const { rows } = await sql`
    select least(a, b), greatest(a, b) from (
      select low_user_id as a, high_user_id as b from relationships
      union all
      select sender_id, receiver_id from relationship_requests
      union all
      select distinct least(blocker_id, blocked_id), greatest(blocker_id, blocked_id) from blocks
    ) as ties
    group by 1, 2 having count(*) > 1`.execute(server.ctx.db)
  expect(rows).toEqual([])
  const seen = await Promise.all(people.map(async (person) => (await get(person)).relationships))
  const ends = new Map<string, number>()
  for (const { id } of seen.flat()) ends.set(id, (ends.get(id) ?? 0) + 1)
  expect([...ends.values()].every((count) => count === 2)).toBe(true)
}

function diceOf(seed: number) {
  let state = seed
  return <T>(choices: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return choices[Math.floor((state / 2 ** 32) * choices.length)] as T
  }
}
