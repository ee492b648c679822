import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#server/context.ts'
import type { MailTemplate } from '#server/features/mails/mails.service.ts'
import { mailHandler } from '#server/features/mails/mails.worker.ts'
import type { MailTransport } from '#server/platform/mail/mail.ts'
import { openSmtp } from '#server/platform/mail/mail-transports.ts'
import { A_DAY_MS, AN_HOUR_MS, createRevelation } from '#testing/factories.ts'
import { startTestSmtp, type TestSmtp } from '#testing/mailbox.ts'
import { untilWaiting } from '#testing/statements.ts'
import {
  handleSendMail,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { deliveryMails, queueDueDeliveries } from './deliveries.worker.ts'
import { recordBounce } from './delivery-outcomes.service.ts'

let server: TestApp
let smtp: TestSmtp
let transport: MailTransport
let ctx: AppContext
let author: Person

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

beforeEach(async () => {
  author = await signedIn(server)
  smtp = await startTestSmtp()
  transport = openSmtp(smtp.url, 'bonjour@revelations.test')
  ctx = { ...server.ctx, mail: transport }
})

afterEach(async () => {
  await transport.close()
  await smtp.stop()
})

/** A revelation whose instant has come. */
async function sealPlanned(): Promise<{ id: string; target: string }> {
  const target = `dest.${randomUUID()}@exemple.fr`
  const { id } = await createRevelation(server, author, { target_email: target })
  server.clock.advance(A_DAY_MS)
  return { id, target }
}

/** The same, and its mail waits in the queue. */
async function sealDue(): Promise<{ id: string; target: string; mailId: string }> {
  const { id, target } = await sealPlanned()
  await queueDueDeliveries(ctx)
  return { id, target, mailId: await mailIdOf(id) }
}

async function mailIdOf(revelationId: string): Promise<string> {
  const { mailId } = await deliveryRow(revelationId)
  if (!mailId) throw new Error('No mail is queued')
  return mailId
}

async function stepsOf(revelationId: string): Promise<string[]> {
  const { id } = await deliveryRow(revelationId)
  const rows = await ctx.db
    .selectFrom('deliveryEvents')
    .select('step')
    .where('deliveryId', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ step }) => step)
}

function deliveryRow(revelationId: string) {
  return ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('revelationId', '=', revelationId)
    .executeTakeFirstOrThrow()
}

function mailRow(id: string) {
  return ctx.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function reachedMailboxes(): string[] {
  return smtp.received.flatMap(({ to }) => to)
}

describe('a mail', () => {
  it('leaves once, however often its job runs', async () => {
    const { target, mailId, id } = await sealDue()
    await handleSendMail(ctx, { mailId })
    await handleSendMail(ctx, { mailId })
    expect(reachedMailboxes()).toEqual([target])
    expect(smtp.received[0]?.messageId).toBe(`<${mailId}@localhost>`)
    expect(await mailRow(mailId)).toMatchObject({ state: 'sent', attempts: 1, lastError: null })
    expect(await deliveryRow(id)).toMatchObject({ state: 'sent', error: null })
  })

  it('leaves once when two workers have its job at the same moment', async () => {
    const { target, mailId } = await sealDue()
    const runs = await Promise.allSettled(
      Array.from({ length: 6 }, () => handleSendMail(ctx, { mailId })),
    )
    expect(reachedMailboxes()).toEqual([target])
    const rejected = runs.filter(({ status }) => status === 'rejected')
    await Promise.all(rejected.map(() => handleSendMail(ctx, { mailId })))
    expect(reachedMailboxes()).toEqual([target])
  })

  it('is sent to the ASCII name of a domain with accents', async () => {
    const local = `a.${randomUUID()}`
    await createRevelation(server, author, { target_email: `${local}@élan.fr` })
    server.clock.advance(A_DAY_MS)
    await queueDueDeliveries(ctx)
    await drainQueue(ctx)
    const mails = smtp.received.filter(({ to }) => to[0]?.startsWith(local))
    // The test server decodes the envelope; the header shows what was sent.
    expect(mails.map(({ to }) => to)).toEqual([[`${local}@élan.fr`]])
    expect(mails[0]?.headers.get('to')).toContain(`${local}@xn--lan-9la.fr`)
  })

  it('with line breaks in its title reaches one mailbox, its subject on one line', async () => {
    const { id, target } = await sealPlanned()
    await ctx.db
      .updateTable('revelations')
      .set({ title: 'Titre\r\nBcc: intrus@exemple.fr\n\nCorps' })
      .where('id', '=', id)
      .execute()
    await queueDueDeliveries(ctx)
    await handleSendMail(ctx, { mailId: await mailIdOf(id) })
    expect(reachedMailboxes()).toEqual([target])
    expect([...(smtp.received[0]?.headers.keys() ?? [])]).not.toContain('bcc')
    expect(smtp.received[0]?.text).toContain('Titre Bcc: intrus@exemple.fr Corps')
  })

  it('waits for a server that is down, shows the author why, and leaves when it is back', async () => {
    const { id, target, mailId } = await sealDue()
    await smtp.stop()
    await expect(handleSendMail(ctx, { mailId })).rejects.toThrow()
    server.clock.advance(AN_HOUR_MS)
    await expect(handleSendMail(ctx, { mailId })).rejects.toThrow()
    expect(await stepsOf(id)).toEqual(['planned', 'delayed'])
    expect(await mailRow(mailId)).toMatchObject({ state: 'queued', attempts: 2 })
    expect(await deliveryRow(id)).toMatchObject({
      state: 'queued',
      error: 'La messagerie n’a pas répondu. Un nouvel essai suivra.',
    })
    await smtp.start()
    await handleSendMail(ctx, { mailId })
    expect(reachedMailboxes()).toEqual([target])
    expect(await deliveryRow(id)).toMatchObject({ state: 'sent', error: null })
  })

  it('is sent again under the same Message-ID when the connection died', async () => {
    const { target, mailId } = await sealDue()
    smtp.behaviour = 'vanish'
    await expect(handleSendMail(ctx, { mailId })).rejects.toThrow()
    smtp.behaviour = 'accept'
    await handleSendMail(ctx, { mailId })
    await handleSendMail(ctx, { mailId })
    expect(reachedMailboxes()).toEqual([target, target])
    const [first, second] = smtp.received
    expect(second?.messageId).toBe(first?.messageId)
    expect(second?.text).toBe(first?.text)
  })

  it('to an address that does not exist fails at once, and the author reads why', async () => {
    const { id, mailId } = await sealDue()
    smtp.behaviour = 'no such address'
    await handleSendMail(ctx, { mailId })
    await handleSendMail(ctx, { mailId })
    expect(smtp.attempts).toBe(1)
    expect(await deliveryRow(id)).toMatchObject({
      state: 'failed',
      error: 'L’adresse du destinataire n’existe pas ou n’existe plus.',
    })
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    expect(body.revelation.delivery).toMatchObject({ state: 'failed' })
  })

  it('refused for three days fails, and the author reads why', async () => {
    const { id, mailId } = await sealDue()
    smtp.behaviour = 'refuse'
    await expect(handleSendMail(ctx, { mailId })).rejects.toThrow()
    server.clock.advance(3 * A_DAY_MS - 1)
    await expect(handleSendMail(ctx, { mailId })).rejects.toThrow()
    server.clock.advance(1)
    await handleSendMail(ctx, { mailId })
    expect(await deliveryRow(id)).toMatchObject({
      state: 'failed',
      error: 'La messagerie a refusé l’e-mail. Trois jours d’essais n’y ont rien changé.',
    })
    const { lastError } = await mailRow(mailId)
    expect(lastError).toContain('554 5.7.1')
  })

  it('does not fail because no worker ran for a week', async () => {
    const { mailId } = await sealDue()
    server.clock.advance(7 * A_DAY_MS)
    smtp.behaviour = 'full mailbox'
    await expect(handleSendMail(ctx, { mailId })).rejects.toThrow()
    expect(await mailRow(mailId)).toMatchObject({ state: 'queued' })
  })
})

describe('a mail', () => {
  /** Sends with templates whose functions are replaced by broken ones. */
  function sendsWith(broken: Partial<MailTemplate>) {
    const templates = deliveryMails.map((template) => ({ ...template, ...broken }))
    const { handle } = mailHandler(templates)
    return (mailId: string) => handle(ctx, { mailId } as never)
  }

  it('queued by a worker whose clock is ahead waits for the clock of the sending one', async () => {
    const { id, target, mailId } = await sealDue()
    const behind = { ...ctx, now: () => new Date(server.clock.now.getTime() - 1_000) }
    await expect(handleSendMail(behind, { mailId })).rejects.toThrow()
    expect(reachedMailboxes()).toEqual([])
    expect(await mailRow(mailId)).toMatchObject({ state: 'queued', attempts: 0 })
    await handleSendMail(ctx, { mailId })
    expect(reachedMailboxes()).toEqual([target])
    expect(await stepsOf(id)).toEqual(['planned', 'sent'])
  })

  it('that cannot be composed is tried for three days, and the author reads why', async () => {
    const { id, mailId } = await sealDue()
    const send = sendsWith({
      compose: async (tx) => {
        await sql`select 1 / 0`.execute(tx.db)
        return undefined
      },
    })
    await expect(send(mailId)).rejects.toThrow('division by zero')
    expect(await mailRow(mailId)).toMatchObject({ state: 'queued', attempts: 1 })
    expect(await stepsOf(id)).toEqual(['planned', 'delayed'])
    server.clock.advance(3 * A_DAY_MS)
    await send(mailId)
    expect(await mailRow(mailId)).toMatchObject({ state: 'failed', attempts: 2 })
    expect(await deliveryRow(id)).toMatchObject({
      state: 'failed',
      error: 'L’e-mail n’a pas pu être envoyé. Trois jours d’essais n’y ont rien changé.',
    })
    expect(reachedMailboxes()).toEqual([])
  })

  /** What happens while its author gives the delivery another address, and is not done yet. */
  async function whileReaddressed(id: string, happen: () => Promise<unknown>): Promise<unknown> {
    const editor = await ctx.pool.connect()
    try {
      await editor.query('begin')
      await editor.query('select from revelations where id = $1 for update', [id])
      const planned = `update deliveries set state = 'planned', mail_id = null where revelation_id = $1`
      await editor.query(planned, [id])
      const happening = happen()
      await untilWaiting(ctx.pool)
      await editor.query('commit')
      return await happening
    } finally {
      await editor.query('rollback')
      editor.release()
    }
  }

  it.each(['accept', 'no such address', 'refuse'] as const)(
    'that a former address answers with « %s » says nothing of the next one',
    async (behaviour) => {
      const { id, mailId } = await sealDue()
      smtp.behaviour = behaviour
      await whileReaddressed(id, () => handleSendMail(ctx, { mailId }).catch(() => undefined))
      expect(await mailRow(mailId)).toMatchObject({ attempts: 1 })
      expect(await deliveryRow(id)).toMatchObject({ state: 'planned', sentAt: null, error: null })
      expect(await stepsOf(id)).toEqual(['planned'])
    },
  )

  it('carries no link that its author revoked while it was leaving', async () => {
    const { id, target, mailId } = await sealDue()
    const { id: deliveryId } = await deliveryRow(id)
    const revoke = () => server.call('POST', `/api/deliveries/${deliveryId}/revoke`, { as: author })
    await server.call('POST', `/api/deliveries/${deliveryId}/link`, { as: author })
    const answers: unknown[] = []
    const revokingTransport: MailTransport = {
      ...transport,
      async send(email) {
        answers.push((await revoke()).body.code)
        await transport.send(email)
      },
    }
    await handleSendMail({ ...ctx, mail: revokingTransport }, { mailId })
    expect(answers).toEqual(['in_progress'])
    expect(reachedMailboxes()).toEqual([target])
    expect((await revoke()).status).toBe(200)
    expect(await deliveryRow(id)).toMatchObject({ state: 'sent', revokedAt: expect.any(Date) })
  })

  it('that comes back from a former address says nothing of the next one', async () => {
    const { id, mailId } = await sealDue()
    await handleSendMail(ctx, { mailId })
    const bounce = { messageId: `<${mailId}@localhost>`, kind: 'permanent', reason: '' } as const
    expect(await whileReaddressed(id, () => recordBounce(ctx, bounce))).toBe(false)
    expect(await deliveryRow(id)).toMatchObject({ state: 'planned', error: null })
  })

  it('that left does not leave again when its outcome cannot be recorded', async () => {
    const { target, mailId } = await sealDue()
    const send = sendsWith({
      onOutcome: async (tx) => {
        await sql`select 1 / 0`.execute(tx.db)
      },
    })
    await send(mailId)
    await send(mailId)
    expect(reachedMailboxes()).toEqual([target])
    expect(await mailRow(mailId)).toMatchObject({ state: 'sent', attempts: 1 })
  })
})

describe('a letter that comes due while it is withdrawn', () => {
  it('is not waited for, and is withdrawn', async () => {
    const { id } = await sealPlanned()
    await ctx.db.transaction().execute(async (tx) => {
      await tx.selectFrom('revelations').where('id', '=', id).select('id').forUpdate().execute()
      await queueDueDeliveries(ctx)
      expect(await deliveryRow(id)).toMatchObject({ state: 'planned' })
      await tx.deleteFrom('revelations').where('id', '=', id).execute()
    })
  })

  it('is queued once its author has let it go', async () => {
    const { id } = await sealPlanned()
    await ctx.db.transaction().execute(async (tx) => {
      await tx.selectFrom('revelations').where('id', '=', id).select('id').forUpdate().execute()
      await queueDueDeliveries(ctx)
    })
    await queueDueDeliveries(ctx)
    expect(await deliveryRow(id)).toMatchObject({ state: 'queued' })
  })
})

describe('a worker that is killed', () => {
  /** The server ends the connections that hold a transaction open: nothing tells this from a kill -9. */
  async function killWorkers(): Promise<void> {
    await ctx.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`)
  }

  /** A context whose worker dies before or after the mail server has the mail. */
  function dying(when: 'before' | 'after'): AppContext {
    return {
      ...ctx,
      mail: {
        ...transport,
        async send(email) {
          if (when === 'after') await transport.send(email)
          await killWorkers()
          throw new Error('killed')
        },
      },
    }
  }

  it.each([
    ['before', 1],
    ['after', 2],
  ] as const)('%s the server has the mail sends the same one again', async (when, times) => {
    const { id, target, mailId } = await sealDue()
    await expect(handleSendMail(dying(when), { mailId })).rejects.toThrow()
    expect(await mailRow(mailId)).toMatchObject({ state: 'queued', attempts: 0 })
    await handleSendMail(ctx, { mailId })
    await handleSendMail(ctx, { mailId })
    expect(reachedMailboxes()).toEqual(Array(times).fill(target))
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1)
    expect(new Set(smtp.received.map(({ text }) => text)).size).toBe(1)
    expect(await stepsOf(id)).toEqual(['planned', 'sent'])
  })

  it('while it queues due deliveries has queued none, or all', async () => {
    const { id, target } = await sealPlanned()
    const { boss } = ctx
    const insert = boss.insert.bind(boss)
    boss.insert = async (...job) => {
      await killWorkers()
      return insert(...job)
    }
    await expect(queueDueDeliveries(ctx)).rejects.toThrow()
    boss.insert = insert
    expect(await deliveryRow(id)).toMatchObject({ state: 'planned', mailId: null })
    await queueDueDeliveries(ctx)
    await handleSendMail(ctx, { mailId: await mailIdOf(id) })
    expect(reachedMailboxes()).toEqual([target])
  })
})

it('sends a letter that opens before mails queued earlier', async () => {
  await drainQueue(server.ctx)
  const { id, target } = await sealPlanned()
  for (let n = 0; n < 3; n += 1) {
    await createRevelation(server, author, { target_email: 'autre@exemple.fr' })
  }
  await queueDueDeliveries(ctx)
  const mailId = await mailIdOf(id)
  const [job] = await ctx.boss.fetch<{ mailId: string }>('send-mail')
  expect(job?.data.mailId).toBe(mailId)
  await handleSendMail(ctx, { mailId })
  expect(reachedMailboxes()).toEqual([target])
})

it('loses nothing when every job runs twice, over a server that is down, refuses and drops connections', async () => {
  const targets = await plantDueRevelations(30)
  await queueDueDeliveries(ctx)
  const { rows } = await ctx.pool.query<{ mail_id: string }>(
    `select mail_id from deliveries join revelations on revelations.id = revelation_id
     where address = any($1)`,
    [targets],
  )
  const jobs = rows.flatMap(({ mail_id }) => [mail_id, mail_id])
  const run = async () => {
    for (let from = 0; from < jobs.length; from += 6) {
      const some = jobs.slice(from, from + 6)
      await Promise.allSettled(some.map((mailId) => handleSendMail(ctx, { mailId })))
    }
  }
  await smtp.stop()
  await run()
  server.clock.advance(AN_HOUR_MS)
  await smtp.start()
  smtp.behaviour = 'full mailbox'
  await run()
  expect(smtp.received).toEqual([])
  const [dropped = ''] = jobs
  smtp.behaviour = 'vanish'
  await handleSendMail(ctx, { mailId: dropped }).catch(() => undefined)
  const drops = smtp.received.length
  smtp.behaviour = 'accept'
  await run()
  await run()
  const reached = reachedMailboxes()
  expect([...new Set(reached)].sort()).toEqual(targets)
  expect(reached.length).toBe(targets.length + drops)
  const byId = Map.groupBy(smtp.received, ({ messageId }) => messageId)
  expect(byId.size).toBe(targets.length)
})

it('queues one mail for each due delivery when workers race for them', async () => {
  const targets = await plantDueRevelations(120)
  const counts = await Promise.all(Array.from({ length: 8 }, () => queueDueDeliveries(ctx)))
  expect(counts.reduce((sum, count) => sum + count)).toBe(targets.length)
  await drainQueue(ctx)
  expect(among(targets, reachedMailboxes())).toEqual(targets)
})

it('queues many due letters at once, and all arrive', async () => {
  const targets = await plantDueRevelations(150)
  expect(await queueDueDeliveries(ctx)).toBe(targets.length)
  await drainQueue(server.ctx)
  const arrived = server.mailbox.all.map(({ to }) => to)
  expect(among(targets, arrived)).toEqual(targets)
})

/** The mails to these targets, repetitions included; other tests leave mails in the queue. */
function among(targets: string[], reached: string[]): string[] {
  const ours = new Set(targets)
  return reached.filter((target) => ours.has(target)).sort()
}

/** Copies one sealed revelation: sealing so many by calls would be slow. */
async function plantDueRevelations(count: number): Promise<string[]> {
  const { id } = await createRevelation(server, author, { target_email: author.email })
  // What PostgreSQL computes by itself cannot be copied.
  const { titleForm: _, ...model } = await ctx.db
    .selectFrom('revelations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, () => {
    const target = `foule.${randomUUID()}@exemple.fr`
    const revealAt = new Date(server.clock.now.getTime() - AN_HOUR_MS)
    return { target, row: { ...model, id: randomUUID(), revealAt } }
  })
  await ctx.db
    .insertInto('revelations')
    .values(copies.map(({ row }) => row))
    .execute()
  await ctx.db
    .insertInto('deliveries')
    .values(
      copies.map(({ target, row }) => ({
        revelationId: row.id,
        position: 0,
        address: target,
        addressKey: target,
        dueAt: row.revealAt,
        state: 'planned',
        keyHash: Buffer.from(row.id),
      })),
    )
    .execute()
  return copies.map(({ target }) => target).sort()
}

/** Runs the queued jobs as five workers would. */
async function drainQueue(ctx: AppContext): Promise<void> {
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (;;) {
        const jobs = await ctx.boss.fetch<{ mailId: string }>('send-mail', { batchSize: 10 })
        if (jobs.length === 0) return
        for (const { data } of jobs) await handleSendMail(ctx, data)
        await ctx.boss.complete(
          'send-mail',
          jobs.map(({ id }) => id),
        )
      }
    }),
  )
}
