import { sql } from 'kysely'
import { type AppContext, inTransaction } from '#server/context.ts'
import { lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { type Handler, handles } from '#server/platform/jobs/work.ts'
import { type Email, MailError } from '#server/platform/mail/mail.ts'
import { frameMail } from '#server/platform/mail/mail-frame.ts'
import {
  dropMail,
  markMailSent,
  noteMailFailure,
  type QueuedMail,
  sendMail,
  takeMail,
} from '#server/platform/mail/mail-queue.ts'
import { wayOut } from './mail-links.service.ts'
import { type Failure, isLastTry } from './mails.rules.ts'
import {
  type ComposedMail,
  type MailOutcome,
  type MailTemplate,
  messageIdOf,
  TooEarly,
} from './mails.service.ts'
import { isSuppressed } from './suppression.service.ts'

/** The one job all mails leave through, for these kinds of mail. */
export function mailHandler(templates: readonly MailTemplate[]): Handler<AppContext> {
  const byName = new Map(templates.map((template) => [template.name, template]))
  return handles(sendMail, (ctx, { mailId }) => sendQueuedMail(ctx, byName, mailId))
}

/**
 * Sends a mail once, and marks it after: a crash in between sends it again under the same Message-ID, never
 * loses it (docs/decisions/0004-mail-outbox.md). Throws when it should be tried again.
 */
async function sendQueuedMail(
  ctx: AppContext,
  templates: ReadonlyMap<string, MailTemplate>,
  mailId: string,
): Promise<void> {
  let isComposing = false
  const run = inTransaction(ctx, async (tx) => {
    const mail = await takeMail(tx.db, mailId, tx.now())
    if (!mail) return
    // The other run may yet fail: this job must come back and look.
    if (mail === 'busy') return new Error('This mail is already being sent')
    const template = templates.get(mail.template)
    if (!template) throw new Error(`No mail is called ${mail.template}`)
    isComposing = true
    const composed = await template.compose(tx, mail)
    isComposing = false
    if (!composed) return dropMail(tx.db, mail.id)
    if (composed.stops !== 'nothing' && (await isSuppressed(tx, composed.to)))
      return noteFailure(tx, template, mail, 'suppressed')
    try {
      await ctx.mail.send(await emailOf(tx, mail, composed))
    } catch (error) {
      return noteFailure(tx, template, mail, error)
    }
    const at = tx.now()
    await markMailSent(tx.db, mail, at)
    await noteOutcome(tx, template, mail, { state: 'sent', at })
  })
  const retry = await run.catch((error) => {
    if (!isComposing || error instanceof TooEarly) throw error
    return noteComposeFailure(ctx, templates, mailId, error)
  })
  if (retry) throw retry
}

/** The transaction that failed is undone: this try counts in one of its own, or it would be made for ever. */
async function noteComposeFailure(
  ctx: AppContext,
  templates: ReadonlyMap<string, MailTemplate>,
  mailId: string,
  error: unknown,
): Promise<unknown> {
  return inTransaction(ctx, async (tx) => {
    const mail = await takeMail(tx.db, mailId, tx.now())
    const template = mail && mail !== 'busy' && templates.get(mail.template)
    return template ? noteFailure(tx, template, mail, error) : error
  })
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

async function emailOf(tx: AppContext, mail: QueuedMail, composed: ComposedMail): Promise<Email> {
  const { to, stops, revelationId, ...content } = composed
  const { publicUrl } = tx.config.http
  const { headers, links } = wayOut(tx, mail, composed)
  const checkpoint = (await lastCheckpoint(tx))?.note
  return {
    to,
    messageId: messageIdOf(tx, mail.id),
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
  await noteMailFailure(tx.db, mail, { isLast, error: String(cause) })
  await noteOutcome(tx, template, mail, { state: isLast ? 'failed' : 'delayed', failure, at })
  if (!isLast) return cause
  if (failure !== 'suppressed')
    tx.log.error({ mailId: mail.id, template: mail.template, failure }, 'a mail could not be sent')
}
