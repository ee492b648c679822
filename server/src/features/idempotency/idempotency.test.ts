import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IDEMPOTENCY_KEPT_MS } from '#contract/idempotency.ts'
import { UPLOAD_EXPIRES_AFTER_MS } from '#contract/uploads.ts'
import { aProgram } from '#testing/api-tokens.ts'
import { formsOfText, search, tablesOf } from '#testing/canary.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  relate,
  revelationBody,
  sealDelivered,
  verifiedPerson,
} from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { type Answer, type Person, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { uploadVoice } from '#testing/voice-messages.ts'

let server: TestApp
/** Another program on the same database. */
let second: TestApp

beforeAll(async () => {
  server = await startTestServer()
  const { databaseUrl, dataDir } = server.ctx.config
  second = await startTestServer({ config: { databaseUrl, dataDir } })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

interface Call {
  url: string
  body: Record<string, unknown>
  as?: Person
  /** The key of a personal link. */
  linkKey?: string
}

function send(
  { url, body, as, linkKey }: Call,
  key: string | undefined,
  on: Pick<TestApp, 'call'> = server,
): Promise<Answer> {
  second.clock.now = server.clock.now
  const headers = { ...keyHeaders(linkKey), ...(key !== undefined && { 'idempotency-key': key }) }
  return on.call('POST', url, { as, body, headers })
}

const newKey = () => randomUUID()

async function count(table: string): Promise<number> {
  const { rows } = await server.ctx.pool.query(`select count(*)::integer as count from ${table}`)
  return rows[0].count
}

/** An answer without the tickets of its files, which are new each time. */
const withoutTickets = ({ text }: Answer) => text.replaceAll(/\?token=[^"]+/g, '')

interface Creating extends Call {
  table: string
  /** Another body that would be accepted too. */
  other: Record<string, unknown>
  /** Deletes what was made; undefined for what nobody can delete. */
  remove?: (made: Answer['body']) => Promise<Answer>
}

const remove = (url: string, as: Person) => server.call('DELETE', url, { as })

/** Everything that creates, each with what it needs. */
const CREATING: Record<string, () => Promise<Creating>> = {
  async 'a letter'() {
    const as = await verifiedPerson(server)
    const { url } = await uploadFile(server, as, { bytes: pdf(), name: 'acte.pdf' })
    const body = revelationBody(server, { file_url: url })
    const other = { ...body, content: 'Il pleuvra toute la journée.' }
    return {
      ...{ url: '/api/revelations', as, body, other, table: 'revelations' },
      remove: ({ revelation }) => remove(`/api/revelations/${revelation.id}`, as),
    }
  },
  async 'a comment'() {
    const as = await verifiedPerson(server)
    const { id } = await createRevelation(server, as)
    const body = { revelation_id: id, content: 'Enfin' }
    return {
      ...{ url: '/api/comments', as, body, table: 'comments' },
      other: { ...body, content: 'Enfin !' },
      remove: (made) => remove(`/api/comments/${made.id}`, as),
    }
  },
  async 'a voice message'() {
    const as = await verifiedPerson(server)
    const body = { title: 'Un bonjour de loin', file_url: await uploadVoice(server, as) }
    return {
      ...{ url: '/api/family-sounds', as, body, table: 'sounds' },
      other: { ...body, title: 'Un autre bonjour' },
      remove: ({ sound }) => remove(`/api/family-sounds/${sound.id}`, as),
    }
  },
  async 'a reply by a personal link'() {
    const author = await verifiedPerson(server)
    const { id, key = '' } = await sealDelivered(server, author)
    const body = { content: 'Merci' }
    return {
      ...{ url: `/api/revelations/${id}/replies`, linkKey: key, body, table: 'replies' },
      other: { content: 'Merci beaucoup' },
      remove: ({ reply }) => remove(`/api/revelations/${id}/replies/${reply.id}`, author),
    }
  },
  async 'an answer to a reply'() {
    const as = await verifiedPerson(server)
    const { id, key } = await sealDelivered(server, as)
    const headers = keyHeaders(key)
    const url = `/api/revelations/${id}/replies`
    const { body } = await server.call('POST', url, { headers, body: { content: 'Merci' } })
    const replyUrl = `${url}/${body.reply.id}`
    return {
      ...{ url: `${replyUrl}/answer`, as, body: { content: 'De rien' } },
      table: 'replies where answered_at is not null',
      other: { content: 'De rien du tout' },
      remove: () => remove(replyUrl, as),
    }
  },
  async 'a day of the calendar'() {
    const as = await verifiedPerson(server)
    await server.call('GET', '/api/calendar-events', { as })
    const body = { title: 'Noël', date: '2026-12-25', type: 'holiday' }
    return {
      ...{ url: '/api/calendar-events', as, body, table: 'calendar_events' },
      other: { ...body, title: 'Noëls' },
      remove: (made) => remove(`/api/calendar-events/${made.id}`, as),
    }
  },
  async 'a request'() {
    const as = await verifiedPerson(server)
    const { id } = await verifiedPerson(server)
    const body = { receiver_id: id, type: 'friend' }
    return {
      ...{ url: '/api/relationships/request', as, body, table: 'relationship_requests' },
      other: { ...body, type: 'family' },
      remove: ({ request }) => remove(`/api/relationships/request/${request.id}`, as),
    }
  },
  async 'a report'() {
    const { id } = await createRevelation(server, await verifiedPerson(server))
    const body = { target: 'revelation', target_id: id, reason: 'spam' }
    return {
      ...{ url: '/api/reports', as: await verifiedPerson(server), body, table: 'reports' },
      other: { ...body, reason: 'other' },
    }
  },
}

/** Every other call that answers 201, and why it takes no key. */
const EXCEPTIONS: Record<string, string> = {
  '/api/auth/register': 'the second is refused: the address is taken',
  '/api/auth/tokens': 'a secret is shown once, and kept nowhere',
  '/api/calendar-feed': 'a secret is shown once, and kept nowhere',
  '/api/reports/mail': 'nobody to bind a key to; a second report changes the first',
  '/api/revelations/{id}/replies/{replyId}/block': 'is idempotent by itself',
  '/api/upload': 'its bytes are the body: what may be cut goes in parts',
  '/api/uploads/{id}/file': 'answers the same file however often',
}

it('every call that answers 201 takes a key, or says why not', async () => {
  const { body } = await server.call('GET', '/api/docs')
  type Post = { responses: object; parameters?: { name: string }[] }
  const creating = Object.entries<{ post?: Post }>(body.paths).filter(
    ([, { post }]) => post && '201' in post.responses,
  )
  const keyless = creating.filter(
    ([, { post }]) => !post?.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  )
  expect(keyless.map(([path]) => path).sort()).toEqual(Object.keys(EXCEPTIONS).sort())
})

describe.each(Object.entries(CREATING))('%s', (_name, prepare) => {
  it('is made once for one key, whatever program is asked, and the next is made anew', async () => {
    const call = await prepare()
    const before = await count(call.table)
    const key = newKey()
    const first = await send(call, key)
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined])
    for (const program of [server, second]) {
      const again = await send(call, key, program)
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
      expect(withoutTickets(again)).toBe(withoutTickets(first))
    }
    expect(await count(call.table)).toBe(before + 1)

    const mismatch = await send({ ...call, body: call.other }, key)
    expect(mismatch).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
    const { id } = mismatch.body
    if (call.remove) expect(first.text).toContain(id)
    expect(await count(call.table)).toBe(before + 1)

    if (!call.remove) return
    expect((await call.remove(first.body)).status).toBe(200)
    expect(await send(call, key)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await count(call.table)).toBe(before)
  })

  it('leaves the key of a refused call free', async () => {
    const call = await prepare()
    const key = newKey()
    const wrong = { ...call, body: Object.fromEntries(Object.keys(call.body).map((n) => [n, 7])) }
    expect((await send(wrong, key)).status).toBe(400)
    const made = await send(call, key)
    expect([made.status, made.headers['idempotency-replayed']]).toEqual([201, undefined])
  })
})

describe('a key', () => {
  const calendarDay = (as: Person, title = 'Noël'): Call => ({
    url: '/api/calendar-events',
    body: { title, date: '2026-12-25', type: 'holiday' },
    as,
  })

  it.each([
    ['empty', ''],
    ['of a space', ' '],
    ['of two words', 'a b'],
    ['sent twice', 'a, b'],
    ['of 256 signs', 'k'.repeat(256)],
    ['beyond ASCII', 'clé'],
  ])('%s is refused, with its sentence', async (_name, key) => {
    const answer = await send(calendarDay(await verifiedPerson(server)), key)
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({
      'Idempotency-Key': 'La clé Idempotency-Key compte de 1 à 255 signes ASCII visibles',
    })
  })

  it('of 255 signs is a key', async () => {
    const call = calendarDay(await verifiedPerson(server))
    const key = '~'.repeat(255)
    expect((await send(call, key)).body.id).toBe((await send(call, key)).body.id)
  })

  it('is another key in the hands of another person', async () => {
    const [one, other] = [await verifiedPerson(server), await verifiedPerson(server)]
    const key = newKey()
    const made = await send(calendarDay(one), key)
    const others = await send(calendarDay(other), key)
    expect([made.status, others.status]).toEqual([201, 201])
    expect(others.headers['idempotency-replayed']).toBeUndefined()
    expect(others.body.id).not.toBe(made.body.id)
  })

  it('is one key by session and by token of the API', async () => {
    const as = await verifiedPerson(server)
    const program = await aProgram(server, as, ['write'])
    const key = newKey()
    const { body } = await send(calendarDay(as), key)
    const again = await send(calendarDay(program), key)
    expect([again.body.id, again.headers['idempotency-replayed']]).toEqual([body.id, 'true'])
  })

  it('of one call is refused to another, which learns what the first made', async () => {
    const as = await verifiedPerson(server)
    const key = newKey()
    const { body } = await send(calendarDay(as), key)
    const letter = { url: '/api/revelations', body: revelationBody(server), as }
    expect(await send(letter, key)).toMatchObject({
      status: 422,
      body: {
        code: 'idempotency_mismatch',
        error: 'Cette clé a déjà servi pour un autre envoi. Choisissez-en une nouvelle.',
        id: body.id,
      },
    })
  })

  it('of one letter is no key of a reply to another', async () => {
    const author = await verifiedPerson(server)
    const key = newKey()
    const replyTo = async () => {
      const { id, key: linkKey = '' } = await sealDelivered(server, author)
      const body = { content: 'Merci' }
      return send({ url: `/api/revelations/${id}/replies`, linkKey, body }, key)
    }
    const [one, other] = [await replyTo(), await replyTo()]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.body.reply.id).not.toBe(one.body.reply.id)
  })

  it('stands for its input: another ticket, order or alias is the same, another word is not', async () => {
    const as = await verifiedPerson(server)
    const { url } = await uploadFile(server, as, { bytes: pdf(), name: 'acte.pdf' })
    const { reveal_date, target_email, title, content } = revelationBody(server)
    const words = { title, content, file_url: url }
    const key = newKey()
    const seal = (body: Record<string, unknown>) => send({ url: '/api/revelations', as, body }, key)
    const { body } = await seal({ ...words, reveal_date, target_email, unknown: 1 })
    for (const same of [
      { targetEmail: target_email, revealDate: reveal_date, content, title, fileUrl: url },
      { ...words, title: `  ${title} `, reveal_date, target_email },
      { ...words, reveal_date, target_email, file_url: `${url.split('?')[0]}?token=un.autre` },
      { ...words, reveal_date, target_email, file_url: url.split('?')[0] },
    ]) {
      const again = await seal(same)
      expect([again.status, again.body.revelation?.id]).toEqual([201, body.revelation.id])
    }
    for (const other of [
      { ...words, reveal_date, target_email, file_url: null },
      { ...words, reveal_date, target_email, visibility: 'private' },
      { ...words, reveal_date, target_email: 'autre@exemple.test' },
    ]) {
      expect((await seal(other)).body.id).toBe(body.revelation.id)
    }
  })

  it('is free again after seven days, and forgotten', async () => {
    const as = await verifiedPerson(server)
    const key = newKey()
    const { body } = await send(calendarDay(as), key)
    server.clock.advance(IDEMPOTENCY_KEPT_MS - 1)
    expect((await send(calendarDay(as), key)).body.id).toBe(body.id)
    server.clock.advance(1)
    const anew = await send(calendarDay(as, 'Un autre'), key)
    expect([anew.status, anew.headers['idempotency-replayed']]).toEqual([201, undefined])
    expect((await send(calendarDay(as, 'Un autre'), key)).body.id).toBe(anew.body.id)
    expect(await count('idempotency_keys')).toBeGreaterThan(1)
    await server.runJobs()
    expect(await count('idempotency_keys')).toBe(1)
  })

  it('binds nothing of a visitor', async () => {
    const { id } = await createRevelation(server, await verifiedPerson(server))
    const body = { target: 'revelation', target_id: id, reason: 'spam' }
    const key = newKey()
    const answers = [
      await send({ url: '/api/reports', body }, key),
      await send({ url: '/api/reports', body: { ...body, reason: 'other' } }, key),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1]?.headers['idempotency-replayed']).toBeUndefined()
  })

  it('answers nothing that its owner may not see any more', async () => {
    const [author, reader] = [await verifiedPerson(server), await verifiedPerson(server)]
    await relate(server, author, reader, 'friend')
    const { id } = await createRevelation(server, author, { visibility: 'friends' })
    const call = {
      ...{ url: '/api/comments', as: reader },
      body: { revelation_id: id, content: 'Enfin' },
    }
    const key = newKey()
    expect((await send(call, key)).status).toBe(201)
    await server.call('PUT', `/api/relationships/blocks/${reader.id}`, { as: author })
    expect(await send(call, key)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('of a request answers what became of it', async () => {
    const [sender, receiver] = [await verifiedPerson(server), await verifiedPerson(server)]
    const call = {
      url: '/api/relationships/request',
      ...{ as: sender, body: { receiver_id: receiver.id, type: 'friend', message: 'Bonjour' } },
    }
    const key = newKey()
    const { request } = (await send(call, key)).body
    await server.call('PUT', `/api/relationships/request/${request.id}`, {
      ...{ as: receiver, body: { action: 'accept' } },
    })
    expect(await send(call, key)).toMatchObject({
      status: 201,
      body: {
        request: { id: request.id, status: 'accepted', message: 'Bonjour' },
        relationship: { related_user_id: receiver.id, relationship_type: 'friend' },
      },
    })
  })

  it('goes with its account', async () => {
    const as = await verifiedPerson(server)
    await send(calendarDay(as), newKey())
    const kept = await count(`idempotency_keys where user_id = '${as.id}'`)
    await server.ctx.pool.query('delete from users where id = $1', [as.id])
    expect([kept, await count(`idempotency_keys where user_id = '${as.id}'`)]).toEqual([1, 0])
  })

  it('is in no dump, neither its words nor those of the letter', async () => {
    const as = await verifiedPerson(server)
    const [key, content] = [newKey(), 'Des mots que personne ne lira avant leur date.']
    await send({ url: '/api/revelations', as, body: revelationBody(server, { content }) }, key)
    expect(await count(`idempotency_keys where user_id = '${as.id}'`)).toBe(1)
    const dump = await tablesOf(server.ctx.db)
    const guesses = [key, JSON.stringify(['key', { userId: as.id }, key])].map((text) => ({
      name: `an unkeyed hash of ${text}`,
      bytes: createHash('sha256').update(text).digest(),
    }))
    expect(search(dump, [...formsOfText(key), ...formsOfText(content), ...guesses])).toEqual([])
  })
})

describe('an upload in parts', () => {
  const begin = (as: Person, key: string, size: number, on: TestApp = server) => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(size) }
    return on.call('POST', '/api/uploads', { as, headers: { ...headers, 'idempotency-key': key } })
  }

  it('is begun once for one key, at once or later, and reserves its room once', async () => {
    const as = await verifiedPerson(server)
    const key = newKey()
    second.clock.now = server.clock.now
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_, n) => begin(as, key, 5_000, n % 2 ? second : server)),
    )
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(begun.map(({ headers }) => headers.location)).size).toBe(1)
    const first = begun.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
    expect(first).toHaveLength(1)
    expect(await count(`uploads where owner_id = '${as.id}'`)).toBe(1)
    const [, id] = /([^/]+)$/.exec(String(begun[0]?.headers.location)) ?? []
    expect(await begin(as, key, 5_001)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch', id },
    })
    const other = await begin(await verifiedPerson(server), key, 5_000)
    expect(other.headers.location).not.toBe(begun[0]?.headers.location)
  })

  it('that expired leaves its key free, before anything is swept', async () => {
    const as = await verifiedPerson(server)
    const key = newKey()
    const { headers } = await begin(as, key, 5_000)
    server.clock.advance(UPLOAD_EXPIRES_AFTER_MS)
    const anew = await begin(as, key, 6_000)
    expect(anew.status).toBe(201)
    expect(anew.headers.location).not.toBe(headers.location)
  })
})

describe('forty calls at once with one key, on two programs', () => {
  it('make one letter, and the others are told to wait or get it', async () => {
    const as = await verifiedPerson(server)
    const body = revelationBody(server, { reveal_date: inADay() })
    const call = { url: '/api/revelations', as, body }
    const key = newKey()
    // The first letter of a program asks for its queues, on another connection.
    await send({ ...call, as: await verifiedPerson(server) }, newKey(), second)
    const [letters, deliveries] = [await count('revelations'), await count('deliveries')]
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(call, key, n % 2 ? second : server)),
    )
    const made = answers.filter(({ status }) => status === 201)
    const ids = new Set(made.map(({ body }) => body.revelation.id))
    const first = made.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
    expect([ids.size, first.length]).toEqual([1, 1])
    for (const { status, headers, body } of answers.filter((answer) => !made.includes(answer))) {
      expect([status, body.code, headers['retry-after']]).toEqual([409, 'in_progress', '1'])
    }
    expect(await count('revelations')).toBe(letters + 1)
    expect(await count('deliveries')).toBe(deliveries + 1)
  })
})

const inADay = () => new Date(server.clock.now.getTime() + A_DAY_MS).toISOString()
