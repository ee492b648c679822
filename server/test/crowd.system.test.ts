import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EMOJIS } from '#contract/reactions.ts'
import { A_DAY_MS, createRevelation, verifiedPerson } from '#testing/factories.ts'
import { type Answer, type Person, startTestServer, type TestApp } from '#testing/test-server.ts'

const PEOPLE = 200

let server: TestApp
let author: Person
let crowd: Person[]

beforeAll(async () => {
  server = await startTestServer()
  author = await verifiedPerson(server)
  crowd = await gatherCrowd(server, PEOPLE)
})
afterAll(() => server.close())

/** Accounts with a session, without the slow hashing of that many passwords. */
async function gatherCrowd({ ctx }: TestApp, size: number): Promise<Person[]> {
  const people = Array.from({ length: size }, (_, number) => ({
    id: randomUUID(),
    pseudo: `foule_${number}`,
    email: `foule.${number}@exemple.test`,
    token: randomBytes(32).toString('base64url'),
  }))
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + 30 * A_DAY_MS)
  const keyed = people.map(({ id, pseudo, email }) => {
    return { id, pseudo, email, pseudoKey: pseudo, emailKey: email, passwordHash: '', createdAt }
  })
  const sessions = people.map(({ id, token }) => {
    const tokenHash = createHash('sha256').update(token).digest()
    return { userId: id, tokenHash, device: '', createdAt, lastSeenAt: createdAt, expiresAt }
  })
  await ctx.db.insertInto('users').values(keyed).execute()
  await ctx.db.insertInto('sessions').values(sessions).execute()
  return people
}

interface Request {
  as: Person
  method: string
  url: string
  body?: object
}

function send({ as, method, url, body }: Request): Promise<Answer> {
  return server.call(method, url, { as, body })
}

/** All at once; the answers are of these statuses only. */
async function sendAll(requests: readonly Request[], statuses: readonly number[]): Promise<void> {
  const answers = await Promise.all(requests.map(send))
  const wrong = answers.filter(({ status }) => !statuses.includes(status))
  expect(wrong.map(({ status, text }) => `${status} ${text}`)).toEqual([])
}

/** One reaction and one comment of each; every other comment brings its own id. */
function talkAbout(id: string): Request[] {
  return crowd.flatMap((as, number) => {
    const reaction = { revelation_id: id, emoji: EMOJIS[number % 8] }
    const words = { revelation_id: id, content: `Je suis le numéro ${number}` }
    const comment = number % 2 ? words : { ...words, id: randomUUID() }
    return [
      { as, method: 'POST', url: '/api/reactions', body: reaction },
      { as, method: 'POST', url: '/api/comments', body: comment },
    ]
  })
}

/** The counters, and the rows they count. */
async function countsOf(id: string) {
  const { rows } = await sql<Record<string, number>>`
    select reactions_count, comments_count,
      (select count(*) from reactions where revelation_id = ${id}) as reactions,
      (select count(*) from comments where revelation_id = ${id}) as comments
    from revelations where id = ${id}`.execute(server.ctx.db)
  const { reactionsCount, commentsCount, reactions, comments } = rows[0] ?? {}
  expect({ reactionsCount, commentsCount }).toEqual({
    reactionsCount: reactions,
    commentsCount: comments,
  })
  return { reactions, comments }
}

it('counts and notifies 200 people at once, each once, and ignores repeated requests', async () => {
  const { id } = await createRevelation(server, author)
  const talk = talkAbout(id)
  // Each twice, side by side: a page that was impatient.
  await sendAll(
    talk.flatMap((request) => [request, request]),
    [200, 201],
  )
  const everything = { reactions: PEOPLE, comments: PEOPLE }
  expect(await countsOf(id)).toEqual(everything)
  await sendAll(talk, [200, 201])
  expect(await countsOf(id)).toEqual(everything)
  const written = await server.ctx.db.selectFrom('comments').selectAll().execute()
  const half = crowd.slice(0, PEOPLE / 2)
  const removals = half.flatMap((as): Request[] => {
    const mine = written.find(({ authorId }) => authorId === as.id)
    return [
      { as, method: 'DELETE', url: `/api/reactions/${id}` },
      { as, method: 'DELETE', url: `/api/comments/${mine?.id}` },
    ]
  })
  // Others go on while some take back.
  const rest = talk.filter(({ as }) => !half.includes(as))
  const left = { reactions: PEOPLE / 2, comments: PEOPLE / 2 }
  const impatient = removals.flatMap((request) => [request, request])
  await sendAll([...impatient, ...rest], [200, 201, 404])
  expect(await countsOf(id)).toEqual(left)
  await server.runJobs()
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  const mails = server.mailbox.all.filter(({ subject }) =>
    subject.includes('sous votre révélation'),
  )
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [
      author.email,
      `${PEOPLE / 2} nouveaux commentaires et ${PEOPLE / 2} nouvelles réactions sous votre révélation`,
    ],
  ])
})

it('a revelation is deleted while people talk under it', async () => {
  const { id } = await createRevelation(server, author)
  const before = talkAbout(id)
  await sendAll(before.slice(0, PEOPLE), [200, 201])
  const undo = crowd.map((as) => ({ as, method: 'DELETE', url: `/api/reactions/${id}` }))
  const talking = [...undo, ...before]
  const middle = talking.length / 2
  const end: Request = { as: author, method: 'DELETE', url: `/api/revelations/${id}` }
  await sendAll([...talking.slice(0, middle), end, ...talking.slice(middle)], [200, 201, 404])
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from reactions where revelation_id = ${id})
      + (select count(*) from comments where revelation_id = ${id}) as left`.execute(server.ctx.db)
  expect(rows[0]?.left).toBe(0)
})

it('whoever takes something back and whoever deletes the revelation never wait for each other', async () => {
  const [as] = crowd as [Person]
  for (const what of ['reactions', 'comments']) {
    const { id } = await createRevelation(server, author)
    const reaction = { revelation_id: id, emoji: EMOJIS[0] }
    const words = { revelation_id: id, content: 'Bientôt effacé' }
    await send({ as, method: 'POST', url: '/api/reactions', body: reaction })
    const { body } = await send({ as, method: 'POST', url: '/api/comments', body: words })
    const url = what === 'reactions' ? `/api/reactions/${id}` : `/api/comments/${body.id}`
    const client = await server.ctx.pool.connect()
    try {
      // What deleting does, stopped in the middle.
      await client.query('begin')
      await client.query('select from revelations where id = $1 for update', [id])
      const answer = send({ as, method: 'DELETE', url })
      await expect.poll(countWaiting).toBe(1)
      await client.query('delete from revelations where id = $1', [id])
      await client.query('commit')
      expect((await answer).status).toBeLessThan(500)
    } finally {
      client.release()
    }
  }
})

async function countWaiting(): Promise<number | undefined> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.ctx.db)
  return rows[0]?.waiting
}
