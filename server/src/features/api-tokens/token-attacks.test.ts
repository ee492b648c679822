import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UPLOADS_URL } from '#contract/uploads.ts'
import { aProgram } from '#testing/api-tokens.ts'
import { A_DAY_MS, createRevelation, relate, verifiedPerson } from '#testing/factories.ts'
import { picture } from '#testing/media-files.ts'
import { PASSWORD, type Person, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { createVoiceMessage } from '#testing/voice-messages.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const get = (url: string, as?: Person) => server.call('GET', url, { as })

/** Every row of every table, but the notes of when a token was used. */
async function everyRow(): Promise<Record<string, string>> {
  const { pool } = server.ctx
  const { rows } = await pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'api_tokens'`,
  )
  const tables: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: found } = await pool.query(
      `select string_agg(row, E'\n' order by row) as rows from (select t::text as row from "${name}" t) r`,
    )
    tables[name] = found[0].rows
  }
  return tables
}

/** The calls of a scope, as the document of the API names them. */
async function callsOf(scope: string, as: Person): Promise<[method: string, path: string][]> {
  const { paths } = (await get('/api/docs', as)).body
  return Object.entries<Record<string, { security?: object[] }>>(paths).flatMap(([path, calls]) =>
    Object.entries(calls)
      .filter(([, { security = [] }]) =>
        JSON.stringify(security).includes(`{"token":["${scope}"]}`),
      )
      .map(([method]): [string, string] => [method.toUpperCase(), path]),
  )
}

/** The first address of a file in a letter. */
async function addressOfFile(as: Person, id: string): Promise<string> {
  const { text } = await get(`/api/revelations/${id}`, as)
  const [address] = /\/api\/secure-file\/[^"]+\?token=[^"]+/.exec(text) ?? []
  if (!address) throw new Error(`No file in ${text}`)
  return address
}

describe('a token that reads', () => {
  it('changes nothing: it opens no letter, counts no view and brings no calendar about', async () => {
    const [author, reader] = [await verifiedPerson(server), await verifiedPerson(server)]
    await relate(server, author, reader, 'family')
    const { url } = await uploadFile(server, author, { bytes: await picture('png') })
    const toReader = { visibility: 'private', target_email: reader.email } as const
    const opened = await createRevelation(server, author, { ...toReader, file_url: url })
    const own = await createRevelation(server, reader, { visibility: 'public' })
    const comment = { revelation_id: own.id, content: 'Enfin' }
    await server.call('POST', '/api/comments', { as: author, body: comment })
    const voice = await createVoiceMessage(server, author)
    server.clock.advance(A_DAY_MS)
    const tomorrow = new Date(server.clock.now.getTime() + A_DAY_MS).toISOString()
    const sealed = await createRevelation(server, author, { ...toReader, reveal_date: tomorrow })
    await server.runJobs()
    const program = await aProgram(server, reader, ['read'])
    const calls = await callsOf('read', program)
    const ids = [opened.id, own.id, sealed.id, voice.id, author.id, reader.id]
    const before = await everyRow()
    const reached = new Set<string>()
    for (const [method, path] of calls) {
      for (const id of path.includes('{') ? ids : ['']) {
        const body = method === 'POST' ? { jobIds: ids } : undefined
        const address = path.replaceAll(/\{[^}]+\}/g, id)
        const { status } = await server.call(method, address, { as: program, body })
        if (status === 200) reached.add(path)
      }
    }
    expect((await get(await addressOfFile(program, opened.id))).status).toBe(200)
    expect(await everyRow()).toEqual(before)
    expect(reached.size).toBeGreaterThan(20)
  })
})

describe('a token that writes', () => {
  it('learns how files are sent in parts, like a visitor', async () => {
    const program = await aProgram(server, await verifiedPerson(server), ['write'])
    for (const url of [UPLOADS_URL, `${UPLOADS_URL}/${randomUUID()}`]) {
      const { status, headers } = await server.call('OPTIONS', url, { as: program })
      expect([status, headers['tus-version']]).toEqual([204, '1.0.0'])
    }
  })
})

describe('a file address that a token was given just before the plan ended', () => {
  it('lives out its ten minutes, and no other follows', async () => {
    const person = await verifiedPerson(server)
    const program = await aProgram(server, person, ['write'])
    const { url } = await uploadFile(server, program, { bytes: await picture('png') })
    const { id } = await createRevelation(server, program, { file_url: url })
    const address = await addressOfFile(program, id)
    await server.call('POST', '/api/subscriptions/upgrade', { as: person, body: { plan: 'free' } })
    expect((await get(address)).status).toBe(200)
    expect((await get(`/api/revelations/${id}`, program)).body.code).toBe('feature_of_plan')
    server.clock.advance(10 * 60_000)
    expect((await get(address)).body.code).toBe('ticket_expired')
  })
})

describe('a token that is created while the password is replaced', () => {
  it('is refused, or revoked with the others', async () => {
    const person = await verifiedPerson(server)
    await aProgram(server, person, ['read'])
    const token = { name: 'Un', scopes: ['write'], password: PASSWORD }
    const passwords = { currentPassword: PASSWORD, newPassword: 'un tout autre mot' }
    const create = () => server.call('POST', '/api/auth/tokens', { as: person, body: token })
    const change = () =>
      server.call('PUT', '/api/auth/change-password', { as: person, body: passwords })
    const answers = await Promise.all([create(), create(), change(), create(), create()])
    expect(answers[2]?.status).toBe(200)
    expect((await get('/api/auth/tokens', person)).body.tokens).toEqual([])
  })
})
