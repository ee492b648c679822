import { sql } from 'kysely'
import { type AppContext, inTransaction } from '#server/context.ts'
import { lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'
import { type Email, MailError } from '#server/platform/mail/mail.ts'
import { renderMail } from '#server/platform/mail/mail-frame.ts'
import {
  type DelayedGroup,
  delayMail,
  deleteMail,
  enqueueGroup,
  isAnyQueued,
  listDelayedGroups,
  lockDelayedMails,
  lockMails,
  markMailSent,
  type QueuedMail,
  recordMailFailure,
  sendMail,
} from '#server/platform/mail/mail-queue.ts'
import { asOne } from './mail-groups.presenter.ts'
import type { MailClass, Wait } from './mail-limits.rules.ts'
import { hashOfMailbox, takeMailRoom } from './mail-limits.service.ts'
import { wayOut } from './mail-links.service.ts'
import { type Failure, isLastTry } from './mails.rules.ts'
import {
  type ComposedMail,
  type MailOutcome,
  type MailTemplate,
  messageIdOf,
  TooEarly,
} from './mails.service.ts'
import { hashOfAddress, isSuppressed } from './suppression.service.ts'

const TRY_AGAIN_MS = 5 * 60_000
const TOGETHER_AT_MOST = 40

type Templates = ReadonlyMap<string, MailTemplate>

function byName(templates: readonly MailTemplate[]): Templates {
  return new Map(templates.map((template) => [template.name, template]))
}

/** The one job all mails leave through, for these kinds of mail. */
export function mailHandler(templates: readonly MailTemplate[]): Handler<AppContext> {
  const named = byName(templates)
  return handleJob(sendMail, (ctx, { mailId }) => sendQueuedMails(ctx, named, mailId))
}

/** Lets go of the mails that waited long enough, those to one address as one. */
export function heldMailsSchedule(templates: readonly MailTemplate[]): Schedule<AppContext> {
  const named = byName(templates)
  return {
    name: 'release-held-mails',
    everyMs: 15_000,
    async run(ctx) {
      for (const held of await listDelayedGroups(ctx.db, ctx.now())) {
        if (ctx.stopping.aborted) return
        await inTransaction(ctx, (tx) => releaseHeldMails(ctx, tx, named, held))
      }
    },
  }
}

interface ReadyMail {
  mail: QueuedMail
  template: MailTemplate
  composed: ComposedMail
}

/**
 * Sends a mail, or a group as one, and marks it after: a crash in between sends it again under the same Message-ID, never
 * loses it (docs/decisions/0004-mail-outbox.md). Throws when it should be tried again.
 */
async function sendQueuedMails(ctx: AppContext, templates: Templates, id: string): Promise<void> {
  const retry = await inTransaction(ctx, async (tx) => {
    const mails = await lockMails(tx.db, id, tx.now())
    // The other run may yet fail: this job must come back and look.
    if (mails === 'busy') return new Error('This mail is already being sent')
    const isGroup = mails.some((mail) => mail.id !== id)
    const ready: ReadyMail[] = []
    for (const mail of mails) {
      const template = templateOf(templates, mail)
      // A try that fails counts, or it would be made for ever.
      const composed = await undoingFailure(tx, () => template.compose(tx, mail))
      if (composed instanceof Failed) {
        const again = await noteFailure(tx, template, mail, composed.cause)
        if (!isGroup) return again
        if (again) await holdFailed(tx, mail)
      } else if (composed === undefined) await deleteMail(tx.db, mail.id)
      else if (composed.stops !== 'nothing' && (await isSuppressed(tx, composed.to)))
        await noteFailure(tx, template, mail, 'suppressed')
      else if (await mayLeave(ctx, tx, { mail, template, composed }, isGroup))
        ready.push({ mail, template, composed })
    }
    const failed = await sendAsOne(ctx, tx, id, ready)
    if (failed) return failed
    // Somebody held one of them while the others left: it has no other job.
    if (isGroup && (await isAnyQueued(tx.db, id)))
      return new Error('A mail of this group is held by another')
  })
  if (retry) throw retry
}

function templateOf(templates: Templates, { template: name }: QueuedMail): MailTemplate {
  const template = templates.get(name)
  if (!template) throw new Error(`No mail is called ${name}`)
  return template
}

class Failed {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** What fails is undone, and nothing that was done before it. */
async function undoingFailure<T>(tx: AppContext, work: () => Promise<T>): Promise<T | Failed> {
  await sql`savepoint before_work`.execute(tx.db)
  try {
    return await work()
  } catch (error) {
    if (error instanceof TooEarly) throw error
    await sql`rollback to savepoint before_work`.execute(tx.db)
    return new Failed(error)
  }
}

/**
 * Whether an address takes one more mail of this class now; one that it does not waits for others. A group was counted when
 * it was made, but for a mail whose address became another since.
 */
async function mayLeave(
  ctx: AppContext,
  tx: AppContext,
  { mail, template, composed }: ReadyMail,
  isGroup: boolean,
): Promise<boolean> {
  const { mailClass = 'news' } = template
  if (mailClass === 'links') return true
  const to: DelayedGroup = {
    addressHash: hashOfAddress(tx, composed.to),
    mailboxHash: hashOfMailbox(tx, composed.to),
    heldClass: mailClass,
  }
  if (isGroup) {
    if (mail.addressHash?.equals(to.addressHash)) return true
    await delayMail(tx.db, mail.id, { ...to, heldUntil: tx.now() })
    return false
  }
  const { mailboxHash } = to
  const isNew = mail.addressHash === null
  const held = await takeMailRoom(ctx, [mail], { mailboxHash, mailClass, isNew })
  const wait = held.get(mail.id)
  if (!wait) return true
  await hold(tx, template, mail, to, wait)
  return false
}

/** Its journal says until when, and why. */
async function hold(
  tx: AppContext,
  template: MailTemplate | undefined,
  mail: QueuedMail,
  to: DelayedGroup,
  wait: Wait,
): Promise<void> {
  await delayMail(tx.db, mail.id, { ...to, heldUntil: wait.until })
  await template?.noteHeld?.(tx, mail, wait)
}

/** What fails alone does not keep back those it was to leave with: it leaves later, under another Message-ID. */
async function holdFailed(tx: AppContext, mail: QueuedMail): Promise<void> {
  const { id, addressHash, mailboxHash, heldClass } = mail
  if (!addressHash || !mailboxHash || !heldClass)
    throw new Error('What leaves with others has waited for them')
  const heldUntil = new Date(tx.now().getTime() + TRY_AGAIN_MS)
  await delayMail(tx.db, id, { addressHash, mailboxHash, heldClass, heldUntil })
}

/** Queues as one the mails to an address that waited long enough; those that may not leave yet wait on. */
async function releaseHeldMails(
  ctx: AppContext,
  tx: AppContext,
  templates: Templates,
  to: DelayedGroup,
): Promise<void> {
  const limits = { now: tx.now(), limit: TOGETHER_AT_MOST }
  const mails = await lockDelayedMails(tx.db, to, limits)
  const mailClass = to.heldClass as MailClass
  const { mailboxHash } = to
  const held = await takeMailRoom(ctx, mails, { mailboxHash, mailClass, isNew: false })
  for (const mail of mails) {
    const wait = held.get(mail.id)
    if (wait) await hold(tx, templates.get(mail.template), mail, to, wait)
  }
  const leaving = mails.flatMap(({ id }) => (held.has(id) ? [] : [id]))
  if (leaving.length > 0) await enqueueGroup(tx, leaving)
}

/** Sends them as one; the error to try again after, if any. */
async function sendAsOne(
  ctx: AppContext,
  tx: AppContext,
  id: string,
  ready: readonly ReadyMail[],
): Promise<unknown> {
  const [first] = ready
  if (!first) return
  // One click in a mail stops one kind: kinds that are stopped apart leave apart.
  const alike = ready.filter(({ composed }) => composed.stops === first.composed.stops)
  const others = ready.filter((mail) => !alike.includes(mail))
  if (others.length > 0) await enqueueGroup(tx, idsOf(others))
  try {
    await ctx.mail.send(await emailOf(tx, id, alike))
  } catch (error) {
    // It may be the words of one of them that no server takes: the others do not stand for it.
    if (alike.length > 1 && error instanceof MailError && error.isPermanent) {
      const half = Math.ceil(alike.length / 2)
      await enqueueGroup(tx, idsOf(alike.slice(0, half)))
      await enqueueGroup(tx, idsOf(alike.slice(half)))
      return
    }
    let retry: unknown
    for (const { mail, template } of alike)
      retry = (await noteFailure(tx, template, mail, error)) ?? retry
    return retry
  }
  const at = tx.now()
  for (const { mail, template } of alike) {
    await markMailSent(tx.db, mail, at)
    await noteOutcome(tx, template, mail, { state: 'sent', at })
  }
}

function idsOf(mails: readonly ReadyMail[]): string[] {
  return mails.map(({ mail }) => mail.id)
}

/** What its subject makes of it never undoes what became of the mail: a letter that left would leave again. */
async function noteOutcome(
  tx: AppContext,
  template: MailTemplate,
  mail: QueuedMail,
  outcome: MailOutcome,
): Promise<void> {
  const { noteOutcome: note } = template
  if (!note) return
  const noted = await undoingFailure(tx, () => note(tx, mail, outcome))
  if (noted instanceof Failed)
    tx.log.error(
      { mailId: mail.id, template: mail.template, state: outcome.state, err: noted.cause },
      'what became of a mail could not be noted',
    )
}

async function emailOf(tx: AppContext, id: string, ready: readonly ReadyMail[]): Promise<Email> {
  const { to, stops, reportable, ...content } = asOne(ready.map(({ composed }) => composed))
  const { publicUrl } = tx.config.http
  // Those of a group go to one address, whose account, if any, is that of each.
  const userId = ready[0]?.mail.recipientId ?? null
  const { headers, links } = wayOut(tx, { mailId: id, address: to, stops, userId }, reportable)
  const checkpoint = (await lastCheckpoint(tx))?.note
  return {
    to,
    messageId: messageIdOf(tx, id),
    headers,
    ...(await renderMail({
      ...content,
      links: [...(content.links ?? []), ...links],
      publicUrl,
      checkpoint,
    })),
  }
}

/** The error to try again after, or nothing when this was the last try. */
async function noteFailure(
  tx: AppContext,
  template: MailTemplate,
  mail: QueuedMail,
  cause: unknown,
): Promise<unknown> {
  const failure: Failure =
    cause === 'suppressed' ? cause : cause instanceof MailError ? cause.failure : 'unexpected'
  const at = tx.now()
  const isLast = isLastTry(failure, mail.firstTriedAt, at)
  await recordMailFailure(tx.db, mail, { isLast, failure, error: String(cause) })
  await noteOutcome(tx, template, mail, { state: isLast ? 'failed' : 'delayed', failure, at })
  if (!isLast) return cause
  if (failure !== 'suppressed')
    tx.log.error({ mailId: mail.id, template: mail.template, failure }, 'a mail could not be sent')
}
