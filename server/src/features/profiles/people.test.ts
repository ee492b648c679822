import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import {
  AN_HOUR_MS,
  createRevelation,
  relate,
  revelationBody,
  verifiedPerson,
  verifyEmail,
} from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { findByEmailKey, searchByPseudo } from './profiles.repository.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function getPerson(id: string, as?: Person) {
  return server.call('GET', `/api/auth/user/${id}`, { as })
}

function block(as: Person, { id }: Person) {
  return server.call('PUT', `/api/relationships/blocks/${id}`, { as })
}

describe('GET /api/auth/user/:id', () => {
  it('shows what is public of them to everybody, and never their address', async () => {
    const [anna, bruno] = [await verifiedPerson(server), await signedIn(server)]
    await server.call('PUT', '/api/auth/profile', {
      as: anna,
      body: { bio: 'J’écris au futur.', location: 'Mons', website: 'https://exemple.test' },
    })
    for (const viewer of [undefined, bruno, anna]) {
      const { status, body, text } = await getPerson(anna.id, viewer)
      expect(status).toBe(200)
      expect(body.user).toEqual({
        id: anna.id,
        pseudo: anna.pseudo,
        avatar_url: null,
        bio: 'J’écris au futur.',
        location: 'Mons',
        website: 'https://exemple.test',
        email_verified: true,
        created_at: server.clock.now.toISOString(),
      })
      expect(text).not.toContain(anna.email)
    }
  })

  it('is the same 404 for an unknown id, a malformed one and a person whom a block hides', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    await block(anna, bruno)
    const absent = await getPerson(randomUUID(), bruno)
    expect(absent.status).toBe(404)
    expect((await getPerson('x', bruno)).status).toBe(404)
    for (const [viewer, hidden] of [
      [bruno, anna],
      [anna, bruno],
    ] as const) {
      const answer = await getPerson(hidden.id, viewer)
      expect([answer.status, answer.text]).toEqual([404, absent.text])
    }
    expect((await getPerson(anna.id)).status).toBe(200)
  })

  it('contains the relation of the viewer and the person', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    const standing = async (id: string, as?: Person) => (await getPerson(id, as)).body.standing
    expect(await standing(anna.id)).toBeNull()
    expect(await standing(anna.id, anna)).toBeNull()
    expect(await standing(anna.id, bruno)).toEqual({ relationship: null, request: null })
    const { request } = (
      await server.call('POST', '/api/relationships/request', {
        as: bruno,
        body: { receiver_id: anna.id, type: 'family' },
      })
    ).body
    const waiting = { id: request.id, type: 'family' }
    expect(await standing(anna.id, bruno)).toEqual({
      relationship: null,
      request: { ...waiting, direction: 'sent' },
    })
    expect(await standing(bruno.id, anna)).toEqual({
      relationship: null,
      request: { ...waiting, direction: 'received' },
    })
    const { relationship } = (
      await server.call('PUT', `/api/relationships/request/${request.id}`, {
        as: anna,
        body: { action: 'accept', confirm: true },
      })
    ).body
    expect(await standing(bruno.id, anna)).toEqual({
      relationship: { id: relationship.id, type: 'family' },
      request: null,
    })
  })
})

describe('the figures of a profile', () => {
  it('count all for oneself, and what is public and revealed for others', async () => {
    const [anna, bruno] = [await signedIn(server), await signedIn(server)]
    await relate(server, anna, bruno, 'family')
    const soon = new Date(server.clock.now.getTime() + AN_HOUR_MS).toISOString()
    const opened = await createRevelation(server, anna, { kind: 'prediction', reveal_date: soon })
    await createRevelation(server, anna, { kind: 'prediction' })
    await createRevelation(server, anna, { visibility: 'family', reveal_date: soon })
    await server.call('POST', `/api/revelations/${opened.id}/view`, { as: bruno })
    await setCounts(opened.id, { reactionsCount: 3, commentsCount: 2 })
    server.clock.advance(AN_HOUR_MS)
    const record = aRecord({ sealed: 2, revealed: 1, undeclared: 1 })
    expect((await getPerson(anna.id, anna)).body.stats).toEqual({
      total_revelations: 3,
      revealed_revelations: 2,
      pending_revelations: 1,
      total_reactions: 3,
      total_comments: 2,
      total_views: 1,
      record,
    })
    for (const viewer of [undefined, bruno]) {
      expect((await getPerson(anna.id, viewer)).body.stats).toEqual({
        total_revelations: 1,
        revealed_revelations: 1,
        pending_revelations: 0,
        total_reactions: 3,
        total_comments: 2,
        total_views: 1,
        record,
      })
    }
  })

  it('are zero for somebody who has sealed nothing', async () => {
    const anna = await signedIn(server)
    const { stats } = (await getPerson(anna.id)).body
    expect(stats).toEqual({
      total_revelations: 0,
      revealed_revelations: 0,
      pending_revelations: 0,
      total_reactions: 0,
      total_comments: 0,
      total_views: 0,
      record: aRecord({}),
    })
  })

  async function setCounts(id: string, counts: object): Promise<void> {
    await server.ctx.db.updateTable('revelations').set(counts).where('id', '=', id).execute()
  }
})

describe('the public record', () => {
  const recordOf = async (person: Person) => (await getPerson(person.id)).body.stats.record

  it('counts what was withdrawn after being public from its sealing on, however narrow meanwhile', async () => {
    const anna = await signedIn(server)
    const withdraw = (id: string) => server.call('DELETE', `/api/revelations/${id}`, { as: anna })
    const edit = (id: string, body: object) =>
      server.call('PUT', `/api/revelations/${id}`, { as: anna, body })
    const hidden = await createRevelation(server, anna, {
      kind: 'prediction',
      visibility: 'private',
    })
    const narrowed = await createRevelation(server, anna, { kind: 'prediction' })
    const widened = await createRevelation(server, anna, {
      kind: 'prediction',
      visibility: 'friends',
    })
    expect(await recordOf(anna)).toEqual(aRecord({ sealed: 1 }))
    await edit(narrowed.id, { visibility: 'private' })
    await edit(widened.id, { visibility: 'public' })
    expect(await recordOf(anna)).toEqual(aRecord({ sealed: 1 }))
    for (const { id } of [hidden, narrowed, widened]) expect((await withdraw(id)).status).toBe(200)
    expect(await recordOf(anna)).toEqual(aRecord({ sealed: 1, withdrawn: 1 }))
    expect((await withdraw(narrowed.id)).status).toBe(404)
    expect(await recordOf(anna)).toEqual(aRecord({ sealed: 1, withdrawn: 1 }))
  })

  it('stays right when sealing and withdrawing race', async () => {
    const anna = await signedIn(server)
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1)
      ids.push((await createRevelation(server, anna, { kind: 'prediction' })).id)
    const answers = await Promise.all([
      ...ids.flatMap((id) => [
        server.call('DELETE', `/api/revelations/${id}`, { as: anna }),
        server.call('DELETE', `/api/revelations/${id}`, { as: anna }),
      ]),
      ...ids.map(() =>
        server.call('POST', '/api/revelations', {
          as: anna,
          body: { ...revelationBody(server), kind: 'prediction' },
        }),
      ),
    ])
    const withdrawn = answers.filter(({ status }) => status === 200).length
    const sealed = answers.filter(({ status }) => status === 201).length
    expect(withdrawn).toBe(5)
    expect(answers.filter(({ status }) => ![200, 201, 403, 404].includes(status))).toEqual([])
    expect(await recordOf(anna)).toEqual(aRecord({ sealed: 5 + sealed, withdrawn: 5 }))
  })
})

describe('GET /api/auth/search', () => {
  const search = (q: string, as?: Person) =>
    server.call('GET', `/api/auth/search?q=${encodeURIComponent(q)}`, { as })
  const found = async (q: string, as?: Person): Promise<string[]> =>
    (await search(q, as)).body.users.map(({ pseudo }: { pseudo: string }) => pseudo)

  it('finds a part of a pseudo, whatever its accents and case, the best first', async () => {
    for (const pseudo of ['zoé', 'Zoéline', 'la_zoe', 'ZOE2', 'Azoe-zoe']) {
      await signedIn(server, { pseudo })
    }
    expect(await found('zoe')).toEqual(['zoé', 'ZOE2', 'Zoéline', 'Azoe-zoe', 'la_zoe'])
    expect(await found('ZÖÉ')).toEqual(await found('zoe'))
    expect(await found('@zoé')).toEqual(await found('zoe'))
    expect(await found('ZOEL')).toEqual(['Zoéline'])
    expect(await found('zoex')).toEqual([])
  })

  it('finds by one or two letters, and by signs that are no letters', async () => {
    for (const pseudo of ['qx_y-z', 'xqx.w', 'Œdipe']) await signedIn(server, { pseudo })
    expect(await found('q')).toEqual(['qx_y-z', 'xqx.w'])
    expect(await found('qx')).toEqual(['qx_y-z', 'xqx.w'])
    expect(await found('_y-')).toEqual(['qx_y-z'])
    expect(await found('x.')).toEqual(['xqx.w'])
    expect((await found('œ'))[0]).toBe('Œdipe')
    expect(await found('œd')).toEqual(['Œdipe'])
    expect(await found('%')).toEqual([])
    expect(await found('％')).toEqual([])
    expect(await found('qx%z')).toEqual([])
    expect(await found('\\')).toEqual([])
  })

  it('answers the public facts of a person and nothing of their address', async () => {
    const anna = await signedIn(server, { pseudo: 'recherchée' })
    const { status, body, text } = await search('recherchée')
    expect(status).toBe(200)
    expect(body.users).toEqual([(await getPerson(anna.id)).body.user])
    expect(text).not.toContain(anna.email)
  })

  it('finds an address only when it is proved, and whole', async () => {
    const anna = await signedIn(server, { email: 'Entiere.Adresse@exemple.test' })
    // Anybody may have entered it.
    expect(await found('entiere.adresse@exemple.test')).toEqual([])
    await verifyEmail(server, anna)
    expect(await found('entiere.adresse@EXEMPLE.test')).toEqual([anna.pseudo])
    for (const part of [
      'entiere.adresse',
      'entiere.adresse@',
      'entiere.adresse@exemple',
      '@exemple.test',
      'exemple.test',
      'adresse@exemple.test',
      'entiere_adresse@exemple.test',
      '%@exemple.test',
    ]) {
      expect([part, await found(part)]).toEqual([part, []])
    }
  })

  it('leaves out oneself and people whom a block hides, both ways', async () => {
    const [one, two] = [
      await verifiedPerson(server, { pseudo: 'cachecache1' }),
      await verifiedPerson(server, { pseudo: 'cachecache2' }),
    ]
    expect(await found('cachecache')).toEqual(['cachecache1', 'cachecache2'])
    expect(await found('cachecache', one)).toEqual(['cachecache2'])
    expect(await found('chec', one)).toEqual(['cachecache2'])
    expect(await found(one.email, one)).toEqual([])
    await block(one, two)
    for (const person of [one, two]) {
      for (const q of ['cachecache', 'chec', one.email, two.email]) {
        expect([q, await found(q, person)]).toEqual([q, []])
      }
    }
    expect(await found('cachecache')).toEqual(['cachecache1', 'cachecache2'])
  })

  it('answers at most twenty', async () => {
    const { db, now } = server.ctx
    const row = (pseudo: string) => ({
      ...{ email: pseudo, emailKey: pseudo, pseudo, pseudoKey: pseudo },
      ...{ passwordHash: '', createdAt: now() },
    })
    const many = Array.from({ length: 50 }, (_, n) => row(n < 15 ? `kkk${n}` : `n${n}kkk`))
    await db.insertInto('users').values(many).execute()
    const names = await found('kkk')
    expect(names).toHaveLength(20)
    expect(names.slice(0, 15).every((name) => name.startsWith('kkk'))).toBe(true)
    expect(new Set(names).size).toBe(20)
    expect(await found('k')).toHaveLength(20)
  })

  it('reads an index, however short the text', async () => {
    const { connectionString } = server.ctx.pool.options
    // One connection, so that its statistics are flushed before they are read.
    const one = { connectionString, max: 1, statement_timeout: 0 }
    const { pool, db, close } = openDatabase(one, server.ctx.log)
    const countSequentialScans = async () => {
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await pool.query(
        `select seq_scan from pg_stat_user_tables where relname = 'users'`,
      )
      return rows[0].seq_scan
    }
    await pool.query(`
      insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
      select name, name, name, name, '', now()
      from (select 'foule_' || to_hex(n * 7919) as name from generate_series(1, 5000) as n) as names`)
    await pool.query('analyze users')
    const before = await countSequentialScans()
    for (const text of ['e', 'z', '9', '_', 'ou', 'le_', 'foule', 'foule_a', '0e1', 'zzz', '-']) {
      for (const seekerId of [null, randomUUID()]) {
        await searchByPseudo(db, { text, seekerId, limit: 20 })
        await findByEmailKey(db, text, seekerId)
      }
    }
    expect(await countSequentialScans()).toBe(before)
    await close()
  })

  it('answers nobody to an empty text, and rejects one that is too long', async () => {
    for (const q of ['', '   ', '@', '\0', 'a\0b']) expect(await found(q)).toEqual([])
    expect((await server.call('GET', '/api/auth/search')).body).toEqual({ users: [] })
    const tooLong = await search('a'.repeat(255))
    expect([tooLong.status, tooLong.body.fields]).toEqual([
      400,
      { q: 'Cette recherche est trop longue' },
    ])
    const twice = await server.call('GET', '/api/auth/search?q=a&q=b')
    expect([twice.status, twice.body.fields]).toEqual([
      400,
      { q: 'Cette recherche n’est pas valide' },
    ])
  })

  it('rejects an ended session', async () => {
    const dead = { id: '', pseudo: '', email: '', token: 'a'.repeat(43) }
    expect((await search('a', dead)).status).toBe(401)
    expect((await getPerson(randomUUID(), dead)).status).toBe(401)
  })

  it('limits addresses to twenty an hour, and searches', async () => {
    const limited = await startTestServer({ rateLimits: true })
    const statusOf = async (q: string) =>
      (await limited.call('GET', `/api/auth/search?q=${encodeURIComponent(q)}`)).status
    try {
      for (let n = 0; n < 20; n += 1) expect(await statusOf(`essai${n}@exemple.test`)).toBe(200)
      expect(await statusOf('essai@exemple.test')).toBe(429)
      // The sign of kelvins, which NFC turns into a letter.
      expect(await statusOf('\u212Aarl@exemple.test')).toBe(429)
      for (let n = 0; n < 8; n += 1) expect(await statusOf('lettre')).toBe(200)
      expect(await statusOf('lettre')).toBe(429)
    } finally {
      await limited.close()
    }
  })
})

function aRecord(counted: object) {
  const outcomes = { fulfilled: 0, partly: 0, failed: 0, undecidable: 0 }
  return {
    sealed: 0,
    revealed: 0,
    withdrawn: 0,
    outcomes,
    undeclared: 0,
    narrowed: 0,
    unattested: 0,
    ...counted,
  }
}
