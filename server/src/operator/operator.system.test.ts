import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownLogOf } from '#contract/proofs/known-log.ts'
import { MailError } from '#server/platform/mail/mail.ts'
import { A_DAY_MS, createRevelation, verifyEmail } from '#testing/factories.ts'
import { picture } from '#testing/media-files.ts'
import { bareEnvironment } from '#testing/program.ts'
import { storageEnvironment } from '#testing/s3-server.ts'
import {
  handleSendMail,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const NODE = path.resolve(import.meta.dirname, '../../../node_modules/.bin/node')

let server: TestApp
let author: Person
let reader: Person
let folder: string

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server, { pseudo: 'autrice' })
  reader = await signedIn(server)
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-operator-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

interface Output {
  code: number
  out: string
  stderr: string
}

/** One command, as an operator types it beside the running program. */
function run(
  command: 'reports' | 'open-letter' | 'resend-failed-mails' | 'grant-plan' | 'rotate-log-key',
  args: string[] = [],
  env = {},
): Promise<Output> {
  const { dataDir, databaseUrl = '' } = server.ctx.config
  const script = path.join(import.meta.dirname, `${command}.ts`)
  return new Promise((resolve) => {
    execFile(
      NODE,
      [script, ...args],
      {
        env: {
          ...bareEnvironment(),
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          ...storageEnvironment(dataDir),
          ...env,
        },
      },
      (error, out, stderr) => resolve({ code: error ? Number(error.code) : 0, out, stderr }),
    )
  })
}

async function report(id: string, message = ''): Promise<string> {
  const body = { target: 'revelation', target_id: id, reason: 'privacy', message }
  await server.call('POST', '/api/reports', { as: reader, body })
  const { rows } = await sql<{ id: string }>`
    select id from reports where target_id = ${id}`.execute(server.ctx.db)
  return rows[0]?.id.slice(0, 8) ?? ''
}

async function actsOn(id: string) {
  return server.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'action', 'reason'])
    .where('targetId', '=', id)
    .orderBy('id')
    .execute()
}

describe('npm run reports', () => {
  it('lists, shows, hides, restores and closes, and the worker tells', async () => {
    const { id } = await createRevelation(server, author, { title: 'Mon adresse' })
    await server.runJobs()
    const start = await report(id, 'Regardez\u202E bien\nle titre')
    const why = ['--reason', 'Une adresse privée', '--operator', 'claire']

    const list = await run('reports', ['list'])
    expect(list.out).toContain(start)
    expect(list.out).toMatch(/open {2}.*revelation {2}@autrice {2}.*Regardez bien le titre/)
    const shown = (await run('reports', ['show', start])).out
    expect(shown).toContain('Mon adresse')
    expect(shown).toMatch(/^says {5}Regardez {2}bien\n {9}le titre$/m)

    // What a visitor was answered is remembered, by another process than the one that hides it.
    expect((await server.call('GET', `/api/revelations/${id}`)).status).toBe(200)
    expect((await run('reports', ['hide', start, ...why])).code).toBe(0)
    expect((await server.call('GET', `/api/revelations/${id}`)).status).toBe(404)
    await server.runJobs()
    expect(server.mailbox.lastTo(author.email)?.text).toContain('Une adresse privée')
    expect((await run('reports', ['restore', start, ...why])).code).toBe(0)
    expect((await server.call('GET', `/api/revelations/${id}`)).status).toBe(200)
    expect((await run('reports', ['close', start, ...why])).out).toContain('closed (kept)')
    expect((await run('reports', ['list'])).out).not.toContain(start)
    expect((await run('reports', ['list', '--all'])).out).toMatch(new RegExp(`${start}.*closed`))
    const acts = await actsOn(id)
    expect(acts.map(({ action, operator }) => `${action} by ${operator}`)).toEqual([
      'hide by claire',
      'restore by claire',
    ])
  })

  it.each([
    [['delete'], 'There is no command « delete »'],
    [['hide', 'ffffffff'], 'Say why'],
    [['hide', 'ffffffff', '--reason', '  '], 'Say why'],
    [['show', 'ffffffff'], 'No report has an id that begins with ffffffff.'],
    [['show', '%'], 'is not the beginning'],
    [['show'], 'Say which report'],
    [['list', '--everything'], '--everything'],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const { code, out, stderr } = await run('reports', args)
    expect([code, out]).toEqual([1, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })

  it('says to start the program when none runs', async () => {
    const { code, stderr } = await run('reports', ['list'], { DATABASE_URL: '', DATA_DIR: folder })
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(stderr).toContain('start it first')
  })
})

describe('npm run resend-failed-mails', () => {
  const journalOf = async (id: string) => {
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const { delivery } = body.revelation
    return {
      state: delivery.state,
      steps: delivery.journal.map(({ step }: { step: string }) => step),
    }
  }

  it('sends what could not leave for three days, and nothing to addresses that do not exist', async () => {
    const target = 'dest@exemple.fr'
    const letter = await createRevelation(server, author, { target_email: target })
    const lost = await createRevelation(server, author, { target_email: 'nul.part@exemple.fr' })
    await server.runJobs()
    const { send } = server.mailbox.transport
    server.mailbox.transport.send = async ({ to }) => {
      const failure = to.startsWith('nul.part') ? 'bad_address' : 'unreachable'
      throw new MailError(failure, 'no')
    }
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    server.clock.advance(3 * A_DAY_MS)
    await tryQueuedMails()
    server.mailbox.transport.send = send
    expect((await journalOf(letter.id)).state).toBe('failed')

    const { code, out } = await run('resend-failed-mails')
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ mails? (is|are) queued again/)])
    expect(await run('resend-failed-mails')).toMatchObject({ out: expect.stringMatching(/^0 /) })
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === target)).toHaveLength(1)
    expect(await journalOf(letter.id)).toEqual({
      state: 'sent',
      steps: ['planned', 'delayed', 'failed', 'resent', 'sent'],
    })
    expect(await journalOf(lost.id)).toEqual({ state: 'failed', steps: ['planned', 'failed'] })
    expect(server.mailbox.lastTo('nul.part@exemple.fr')).toBeUndefined()
    // That it could not be delivered is no news any more.
    const mails = server.mailbox.all.filter(({ to }) => to === author.email)
    expect(mails.map(({ subject }) => subject)).toContain('Votre lettre a été remise')
  })

  /** What the queue does by itself, later than a test waits. */
  async function tryQueuedMails(): Promise<void> {
    const mails = await server.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('state', '=', 'queued')
      .where('firstTriedAt', 'is not', null)
      .execute()
    for (const { id } of mails) await handleSendMail(server.ctx, { mailId: id })
  }
})

describe('npm run open-letter', () => {
  const why = ['--reason', 'Réquisition nº 12', '--operator', 'claire']

  it('prints a sealed letter and saves its file, once it is written down', async () => {
    const bytes = await picture('png')
    const { url } = await uploadFile(server, author, { bytes, name: 'bague.png' })
    const { id } = await createRevelation(server, author, { file_url: url })
    const target = path.join(folder, 'piece.png')
    const { code, out } = await run('open-letter', [id, ...why, '--file', target])
    expect(out).toContain('Il fera beau toute la journée.')
    expect(out).toContain('bague.png')
    expect(code).toBe(0)
    expect((await readFile(target)).equals(bytes)).toBe(true)
    expect(await actsOn(id)).toEqual([
      { operator: 'claire', action: 'open_letter', reason: 'Réquisition nº 12' },
    ])
  })

  it('opens nothing without a reason, over a file that is there, or that cannot be written down', async () => {
    const { id } = await createRevelation(server, author)
    const existing = path.join(folder, 'deja-la')
    await writeFile(existing, 'à garder')
    const bare = await run('open-letter', [id])
    const over = await run('open-letter', [id, ...why, '--file', existing])
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''full''; end'`.execute(
      server.ctx.db,
    )
    await sql`create trigger refusing before insert on audit_log execute function refuse()`.execute(
      server.ctx.db,
    )
    const unwritten = await run('open-letter', [id, ...why])
    await sql`drop trigger refusing on audit_log`.execute(server.ctx.db)
    for (const { code, out } of [bare, over, unwritten]) expect([code, out]).toEqual([1, ''])
    expect(bare.stderr).toContain('Say why')
    expect(over.stderr).toContain('is there already')
    expect(await readFile(existing, 'utf8')).toBe('à garder')
    expect(await actsOn(id)).toEqual([])
  })
})

describe('granting a plan', () => {
  const planOf = async (person: Person) =>
    (await server.call('GET', '/api/subscriptions/me', { as: person })).body

  it('puts the account of an address on a plan, with or without an end, and is written down', async () => {
    const person = await signedIn(server)
    const email = ` ${person.email.toUpperCase()}`
    const granted = await run('grant-plan', ['--email', email, '--plan', 'pro'])
    expect([granted.code, granted.stderr]).toEqual([0, ''])
    expect(granted.out).toContain(`@${person.pseudo} is on the plan pro, without an end.`)
    expect(granted.out).toContain('100 MB')
    expect(await planOf(person)).toMatchObject({
      subscription_type: 'pro',
      subscription_expires: null,
      total_storage: 100,
    })
    await verifyEmail(server, person)
    const until = ['--until', '2099-02-28', '--operator', 'Odile', '--reason', 'chorale']
    const ended = await run('grant-plan', ['--email', person.email, '--plan', 'standard', ...until])
    expect(ended.out).toBe(`@${person.pseudo} is on the plan standard, until 2099-02-28.\n`)
    expect(await planOf(person)).toMatchObject({
      subscription_type: 'standard',
      subscription_expires: '2099-02-28T23:59:59.999Z',
      total_storage: 5120,
    })
    expect(await actsOn(person.id)).toEqual([
      expect.objectContaining({ action: 'grant_plan', reason: 'npm run grant-plan: pro' }),
      { operator: 'Odile', action: 'grant_plan', reason: 'chorale' },
    ])
  })

  it('refuses what it does not know in one sentence, and changes nothing', async () => {
    const person = await signedIn(server)
    const email = ['--email', person.email]
    for (const [args, stderr] of [
      [['--email', 'personne@exemple.test', '--plan', 'pro'], 'No account has the address'],
      [[...email, '--plan', 'gold'], 'There is no plan « gold »'],
      [[...email, '--plan', 'pro', '--until', '2099-02-30'], 'is no day'],
      [[...email, '--plan', 'pro', '--until', '2020-01-01'], 'is over already'],
    ] as const) {
      const { code, stderr: sentence } = await run('grant-plan', [...args])
      expect([code, sentence]).toEqual([1, expect.stringContaining(stderr)])
    }
    expect(await planOf(person)).toMatchObject({ subscription_type: 'free' })
  })
})

describe('npm run rotate-log-key', () => {
  it('replaces the key of the log for a reason, and tells the new one', async () => {
    const why = ['--reason', 'Le disque a été volé', '--operator', 'claire']
    await createRevelation(server, await signedIn(server))
    server.clock.advance(60_000)
    await server.runJobs()
    const former = (await server.call('GET', '/api/proofs/keys')).body
    const { code, out } = await run('rotate-log-key', why)
    const { body } = await server.call('GET', '/api/proofs/keys')
    expect([code, out.split('\n')[1]]).toEqual([0, body.key])
    expect(knownLogOf(body.key, body.statement)?.former.at(-1)?.key).toBe(former.key)
  })

  it('replaces nothing without a reason', async () => {
    const { code, out } = await run('rotate-log-key')
    expect([code, out]).toEqual([1, expect.stringContaining('--reason')])
  })
})
