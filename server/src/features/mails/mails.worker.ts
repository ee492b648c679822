import { sql } from 'kysely'
import { type AppContext, inBatches, inTransaction } from '#server/context.ts'
import { lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { type Handler, handles, type Schedule } from '#server/platform/jobs/work.ts'
import { type Email, MailError } from '#server/platform/mail/mail.ts'
import { frameMail } from '#server/platform/mail/mail-frame.ts'
import {
  dropMail,
  holdMail,
  markMailSent,
  noteMailFailure,
  type QueuedMail,
  queueGroup,
  sendMail,
  takeHeldMails,
  takeMails,
} from '#server/platform/mail/mail-queue.ts'
import { asOne } from './mail-groups.presenter.ts'
import { takeMailRoom } from './mail-limits.service.ts'
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
const TOGETHER_AT_MOST = 25

type Templates = ReadonlyMap<string, MailTemplate>

function byName(templates: readonly MailTemplate[]): Templates {
  return new Map(templates.map((template) => [template.name, template]))
}

/** The one job all mails leave through, for these kinds of mail. */
export function mailHandler(templates: readonly MailTemplate[]): Handler<AppContext> {
  const named = byName(templates)
  return handles(sendMail, (ctx, { mailId }) => sendQueuedMails(ctx, named, mailId))
}

/** Lets go of the mails that waited long enough, those to one address as one. */
export function heldMailsSchedule(templates: readonly MailTemplate[]): Schedule<AppContext> {
  const named = byName(templates)
  return {
    name: 'release-held-mails',
    everyMs: 60_000,
    run: (ctx) => inBatches(ctx, 1, (tx) => releaseHeldMails(ctx, tx, named)),
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
    const mails = await takeMails(tx.db, id, tx.now())
    // The other run may yet fail: this job must come back and look.
    if (mails === 'busy') return new Error('This mail is already being sent')
    const isGroup = mails.length > 1
    const ready: ReadyMail[] = []
    for (const mail of mails) {
      const template = templateOf(templates, mail)
      const composed = await compose(tx, template, mail)
      if (composed instanceof Failed) {
        const again = await noteFailure(tx, template, mail, composed.cause)
        if (!isGroup) return again
        if (again) await holdFailed(tx, mail)
      } else if (composed === undefined) await dropMail(tx.db, mail.id)
      else if (composed.stops !== 'nothing' && (await isSuppressed(tx, composed.to)))
        await noteFailure(tx, template, mail, 'suppressed')
      else if (await mayLeave(ctx, tx, { mail, template, composed }, isGroup))
        ready.push({ mail, template, composed })
    }
    if (ready.length > 0) return send(ctx, tx, id, ready)
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

/** What failed is undone, and this try counts all the same, or it would be made for ever. */
async function compose(
  tx: AppContext,
  template: MailTemplate,
  mail: QueuedMail,
): Promise<ComposedMail | undefined | Failed> {
  await sql`savepoint before_composing`.execute(tx.db)
  try {
    return await template.compose(tx, mail)
  } catch (error) {
    if (error instanceof TooEarly) throw error
    await sql`rollback to savepoint before_composing`.execute(tx.db)
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
  const addressHash = hashOfAddress(tx, composed.to)
  if (isGroup) {
    if (mail.addressHash?.equals(addressHash)) return true
    await holdMail(tx.db, mail.id, { addressHash, heldUntil: tx.now() })
    return false
  }
  const held = await takeMailRoom(ctx, [mail], { addressHash, mailClass })
  const heldUntil = held.get(mail.id)
  if (!heldUntil) return true
  await holdMail(tx.db, mail.id, { addressHash, heldUntil })
  await template.noteHeld?.(tx, mail, heldUntil)
  return false
}

/** What fails alone does not keep back those it was to leave with: it leaves later, under another Message-ID. */
async function holdFailed(tx: AppContext, { id, addressHash }: QueuedMail): Promise<void> {
  if (!addressHash) throw new Error('What leaves with others has waited for them')
  const heldUntil = new Date(tx.now().getTime() + TRY_AGAIN_MS)
  await holdMail(tx.db, id, { addressHash, heldUntil })
}

/** The mails to one address that waited long enough; how many they were, 0 when there are none. */
async function releaseHeldMails(
  ctx: AppContext,
  tx: AppContext,
  templates: Templates,
): Promise<number> {
  const mails = await takeHeldMails(tx.db, tx.now(), TOGETHER_AT_MOST)
  const classOf = (mail: QueuedMail) => templateOf(templates, mail).mailClass ?? 'news'
  for (const [mailClass, ofClass] of Map.groupBy(mails, classOf)) {
    const addressHash = ofClass[0]?.addressHash
    if (!addressHash || mailClass === 'links') continue
    const held = await takeMailRoom(ctx, ofClass, { addressHash, mailClass })
    for (const [id, heldUntil] of held) await holdMail(tx.db, id, { addressHash, heldUntil })
    const leaving = ofClass.flatMap(({ id }) => (held.has(id) ? [] : [id]))
    if (leaving.length > 0) await queueGroup(tx, leaving)
  }
  return mails.length
}

async function send(
  ctx: AppContext,
  tx: AppContext,
  id: string,
  ready: readonly ReadyMail[],
): Promise<unknown> {
  try {
    await ctx.mail.send(await emailOf(tx, id, ready))
  } catch (error) {
    let retry: unknown
    for (const { mail, template } of ready)
      retry = (await noteFailure(tx, template, mail, error)) ?? retry
    return retry
  }
  const at = tx.now()
  for (const { mail, template } of ready) {
    await markMailSent(tx.db, mail, at)
    await noteOutcome(tx, template, mail, { state: 'sent', at })
  }
}

/** What its subject makes of it never undoes what became of the mail: a letter that left would leave again. */
async function noteOutcome(
  tx: AppContext,
  template: MailTemplate,
  mail: QueuedMail,
  outcome: MailOutcome,
): Promise<void> {
  if (!template.noteOutcome) return
  await sql`savepoint before_outcome`.execute(tx.db)
  try {
    await template.noteOutcome(tx, mail, outcome)
  } catch (error) {
    await sql`rollback to savepoint before_outcome`.execute(tx.db)
    tx.log.error(
      { mailId: mail.id, template: mail.template, state: outcome.state, err: error },
      'what became of a mail could not be noted',
    )
  }
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
    ...(await frameMail({
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
  await noteMailFailure(tx.db, mail, { isLast, failure, error: String(cause) })
  await noteOutcome(tx, template, mail, { state: isLast ? 'failed' : 'delayed', failure, at })
  if (!isLast) return cause
  if (failure !== 'suppressed')
    tx.log.error({ mailId: mail.id, template: mail.template, failure }, 'a mail could not be sent')
}
