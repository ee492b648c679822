import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { domainToASCII } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailAddress } from '#contract/text.ts'
import { isSuppressed, suppressAddress } from '#server/features/mails/mail-preferences.service.ts'
import { MIGRATIONS_FOLDER } from '#server/platform/database/migrations.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { A_DAY_MS, createRevelation, verifyEmail } from '#testing/factories.ts'
import { PASSWORD, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const schema = emailAddress('Une adresse est requise')

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('an address', () => {
  it.each([
    ['a@élan.fr', 'a@xn--lan-9la.fr'],
    ['A@ÉLAN.FR', 'a@xn--lan-9la.fr'],
    ['a@e\u0301lan.fr', 'a@xn--lan-9la.fr'],
    ['a@xn--lan-9la.fr', 'a@xn--lan-9la.fr'],
    ['a@XN--LAN-9LA.fr', 'a@xn--lan-9la.fr'],
    ['a@sous.élan.fr', 'a@sous.xn--lan-9la.fr'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@elan.fr', 'a@elan.fr'],
    ['Prénom@exemple.fr', 'prénom@exemple.fr'],
    ['n’importe quoi', 'n’importe quoi'],
    ['a@exemple.fr/x', 'a@exemple.fr/x'],
    ['a@exemple.fr:80', 'a@exemple.fr:80'],
  ])('%s has the key %s', (address, key) => {
    expect(emailKeyOf(address)).toBe(key)
  })

  it.each([
    'a@exemple.fr',
    ' a@élan.fr ',
    'a@e\u0301lan.fr',
    'a+b@xn--lan-9la.fr',
    `${'x'.repeat(64)}@exemple.fr`,
  ])('accepts %j', (address) => {
    expect(schema.safeParse(address).data).toBe(address.trim().normalize('NFC'))
  })

  it.each([
    'a@x.fr,b@y.fr',
    'a@x.fr;b@y.fr',
    'a@x.fr b@y.fr',
    '"a"@x.fr',
    'a(b)@x.fr',
    '<a@x.fr>',
    'Nom <a@x.fr>',
    'groupe:a@x.fr;',
    'a@x.fr\r\nBcc: b@y.fr',
    'a@x.fr\0',
    'a@b@x.fr',
    'é@x.fr',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@localhost',
    'a@x..fr',
    'a@.fr',
    'a@-x.fr',
    'a.@x.fr',
    `a@${'é'.repeat(62)}.fr`,
    `a@${'x'.repeat(64)}.fr`,
    'a@xn--é.fr',
    `${'x'.repeat(65)}@exemple.fr`,
    `a@${'exemple.'.repeat(40)}fr`,
  ])('rejects %j', (address) => {
    expect(schema.safeParse(address).success).toBe(false)
  })
})

describe('the two forms of one address', () => {
  it('are one account, one recipient and one suppression', async () => {
    const name = randomUUID().slice(0, 8)
    const [letters, ascii] = [`${name}@élan.fr`, `${name}@xn--lan-9la.fr`]
    const person = await signedIn(server, { email: letters })
    const again = await server.call('POST', '/api/auth/login', {
      body: { email: ascii, password: PASSWORD },
    })
    expect([again.status, again.body.user?.id]).toEqual([200, person.id])
    await verifyEmail(server, person)
    const author = await signedIn(server)
    const sealed = { visibility: 'private', target_email: ascii } as const
    const { id } = await createRevelation(server, author, sealed)
    server.clock.advance(A_DAY_MS)
    const seen = await server.call('GET', `/api/revelations/${id}`, { as: person })
    expect(seen.status).toBe(200)
    await suppressAddress(server.ctx, ascii, 'unsubscribed')
    expect(await isSuppressed(server.ctx, letters)).toBe(true)
  })

  it('are both deleted from reports of visitors with their account', async () => {
    const author = await signedIn(server)
    const { id } = await createRevelation(server, author)
    const name = randomUUID().slice(0, 8)
    const forms = [`${name}@Élan.fr`, `${name}@xn--lan-9la.fr`]
    for (const email of forms) {
      const body = { target: 'revelation', target_id: id, reason: 'spam', email }
      expect((await server.call('POST', '/api/reports', { body })).status).toBe(201)
    }
    const as = await signedIn(server, { email: `${name}@élan.fr` })
    const reported = () =>
      server.ctx.db
        .selectFrom('reports')
        .select(['reporterEmail', 'reporterEmailKey'])
        .where('targetId', '=', id)
        .execute()
    expect(await reported()).toHaveLength(2)
    const body = { password: PASSWORD }
    expect((await server.call('DELETE', '/api/auth/account', { as, body })).status).toBe(200)
    const forgotten = { reporterEmail: null, reporterEmailKey: null }
    expect(await reported()).toEqual([forgotten, forgotten])
  })
})

describe('the migration of stored keys', () => {
  it('rewrites keys, and leaves those in ASCII', async () => {
    const sql = await readFile(path.join(MIGRATIONS_FOLDER, '0017_one_key_per_domain.sql'), 'utf8')
    const domains = [
      'élan.fr',
      'sous.élan.fr',
      'bücher.example',
      '例え.テスト',
      'мой-домен.рф',
      'ελλάδα.gr',
      'aéaéaéaéaéaéaéaéa.fr',
      'ümlaut-und-noch-ein-ziemlich-langer-name.de',
      'مثال.إختبار',
      '𐍈𐍉.fr',
      'elan.fr',
    ]
    const client = await server.ctx.pool.connect()
    try {
      await client.query('begin')
      const people = domains.map((domain) => ({ id: randomUUID(), domain }))
      for (const { id, domain } of people) {
        await client.query(
          `insert into users (id, email, email_key, pseudo, pseudo_key, password_hash, created_at)
            values ($1::uuid, $2, $2, left($1::text, 20), left($1::text, 20), '', now())`,
          [id, `avant@${domain}`],
        )
      }
      // Whoever has an account under each form keeps both.
      await client.query(
        `insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
          values ('a', 'deux@élan.fr', 'deux_a', 'deux_a', '', now()),
            ('b', 'deux@xn--lan-9la.fr', 'deux_b', 'deux_b', '', now())`,
      )
      // It was written for a table whose addresses lie in deliveries since.
      await client.query(
        'alter table revelations add target_email_key text, add second_email_key text',
      )
      await client.query(sql)
      const { rows } = await client.query('select id, email_key from users where email like $1', [
        'avant@%',
      ])
      const keys = new Map(rows.map((row) => [row.id, row.email_key]))
      for (const { id, domain } of people) {
        expect(keys.get(id)).toBe(`avant@${domainToASCII(domain)}`)
        expect(keys.get(id)).toBe(emailKeyOf(`avant@${domain}`))
      }
      const both = await client.query(
        `select email_key from users where email in ('a', 'b') order by email`,
      )
      expect(both.rows.map((row) => row.email_key)).toEqual(['deux@élan.fr', 'deux@xn--lan-9la.fr'])
    } finally {
      client.release(true)
    }
  })
})
