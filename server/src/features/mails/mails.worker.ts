import { type AppContext, inTransaction } from '#server/context.ts'
import { type CheckpointRow, lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { inSavepoint } from '#server/platform/database/db.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'
import { type Email, MailError } from '#server/platform/mail/mail.ts'
import { renderMail } from '#server/platform/mail/mail-frame.ts'
import {
  deleteMail,
  enqueueGroup,
  isAnyQueued,
  listPostponedGroups,
  lockMails,
  lockPostponedMails,
  markMailSent,
  type PostponedGroup,
  postponeMail,
  type QueuedMail,
  recordMailFailure,
  sendMail,
} from '#server/platform/mail/mail-queue.ts'
import { consumeMailQuota, mailHashesOf } from './mail-limits.service.ts'
import { createMailLinks } from './mail-links.service.ts'
import {
  type Failure,
  firstPassedAt,
  isLastTry,
  type MailClass,
  type Postponement,
} from './mails.rules.ts'
import {
  type ComposedMail,
  type MailOutcome,
  type MailTemplate,
  mergeMails,
  messageIdOf,
  proofFile,
  TooEarly,
} from './mails.service.ts'
import { endTurn, setWaiting } from './slow-domains.repository.ts'
import { type Destination, findDestination, recordAnswer } from './slow-domains.service.ts'

const TRY_AGAIN_MS = 5 * 60_000
const GROUP_MAX = 40

type Templates = ReadonlyMap<string, MailTemplate>

function byName(templates: readonly MailTemplate[]): Templates {
  return new Map(templates.map((template) => [template.name, template]))
}

/** The handler of the one job that sends all mails of these templates. */
export function mailHandler(templates: readonly MailTemplate[]): Handler<AppContext> {
  const named = byName(templates)
  return handleJob(sendMail, (ctx, { mailId }) => sendQueuedMails(ctx, named, mailId))
}

/** Queues postponed mails once they are due, those to one address as one. */
export function postponedMailsSchedule(templates: readonly MailTemplate[]): Schedule<AppContext> {
  const named = byName(templates)
  return {
    name: 'release-held-mails',
    everyMs: 15_000,
    async run(ctx) {
      for (const group of await listPostponedGroups(ctx.db, ctx.now())) {
        if (ctx.stopping.aborted) return
        await inTransaction(ctx, (tx) => releaseGroup(ctx, tx, named, group))
      }
    },
  }
}

interface ReadyMail {
  mail: QueuedMail
  template: MailTemplate
  composed: ComposedMail
  destination: Destination
}

/**
 * Sends a mail, or a group as one, and marks it after: a crash in between sends it again under the same Message-ID, never
 * loses it (docs/decisions/0004-mail-outbox.md). Throws when it should be tried again.
 */
async function sendQueuedMails(ctx: AppContext, templates: Templates, id: string): Promise<void> {
  const retry = await inTransaction(ctx, async (tx) => {
    const mails = await lockMails(tx.db, id, tx.now())
    // The other run may yet fail: this job must run again.
    if (mails === 'busy') return new Error('This mail is already being sent')
    const isGroup = mails.some((mail) => mail.id !== id)
    const ready: ReadyMail[] = []
    for (const mail of mails) {
      const template = templateOf(templates, mail)
      // A try that fails is counted, or there would be no last one.
      const result = await tryInSavepoint(tx, () => template.compose(tx, mail))
      if ('error' in result) {
        const again = await recordFailure(tx, template, mail, result.error)
        if (!isGroup) return again
        if (again) await postponeFailed(tx, mail)
        continue
      }
      const composed = result.value
      if (composed === undefined) {
        await deleteMail(tx.db, mail.id)
        continue
      }
      const destination = await findDestination(tx, composed.to)
      const candidate = { mail, template, composed, destination }
      if (composed.stops !== 'nothing' && destination.isSuppressed)
        await recordFailure(tx, template, mail, 'suppressed')
      else if (await canLeave(ctx, tx, candidate, isGroup)) ready.push(candidate)
    }
    const failed = await sendMerged(ctx, tx, id, ready)
    if (failed) return failed
    // Another transaction locked one of them while the others left: it has no other job.
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

/** Runs work of a template: an error is returned, and rolls back nothing that was done before. */
async function tryInSavepoint<T>(
  tx: AppContext,
  work: () => Promise<T>,
): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await inSavepoint(tx.db, work) }
  } catch (error) {
    if (error instanceof TooEarly) throw error
    return { error }
  }
}

/**
 * Whether a mail may leave now; one that may not is postponed. A group was counted when it was released, but for a mail
 * whose address changed since.
 */
async function canLeave(
  ctx: AppContext,
  tx: AppContext,
  { mail, template, composed }: ReadyMail,
  isGroup: boolean,
): Promise<boolean> {
  const { mailClass = 'news' } = template
  if (mailClass === 'links') return true
  const group = { ...mailHashesOf(tx, composed.to), mailClass }
  if (isGroup) {
    if (mail.addressHash?.equals(group.addressHash)) return true
    await postponeMail(tx.db, mail.id, group, tx.now())
    return false
  }
  const isNew = mail.addressHash === null
  const postponed = await consumeMailQuota(ctx, [mail], { ...group, isNew })
  const postponement = postponed.get(mail.id)
  if (!postponement) return true
  await postpone(tx, template, mail, group, postponement)
  return false
}

async function postpone(
  tx: AppContext,
  template: MailTemplate | undefined,
  mail: QueuedMail,
  group: PostponedGroup,
  postponement: Postponement,
): Promise<void> {
  await postponeMail(tx.db, mail.id, group, postponement.until)
  await template?.onPostponed?.(tx, mail, postponement)
}

/** A mail that fails alone does not delay the others of its group: it leaves later, under another Message-ID. */
async function postponeFailed(tx: AppContext, mail: QueuedMail): Promise<void> {
  const { id, addressHash, mailboxHash, mailClass } = mail
  if (!addressHash || !mailboxHash || !mailClass)
    throw new Error('What leaves with others has waited for them')
  const until = new Date(tx.now().getTime() + TRY_AGAIN_MS)
  await postponeMail(tx.db, id, { addressHash, mailboxHash, mailClass }, until)
}

/** Queues as one the due postponed mails to an address; those over the limits are postponed again. */
async function releaseGroup(
  ctx: AppContext,
  tx: AppContext,
  templates: Templates,
  group: PostponedGroup,
): Promise<void> {
  const mails = await lockPostponedMails(tx.db, group, { now: tx.now(), limit: GROUP_MAX })
  const mailClass = group.mailClass as MailClass
  const { mailboxHash } = group
  const postponed = await consumeMailQuota(ctx, mails, { mailboxHash, mailClass, isNew: false })
  for (const mail of mails) {
    const postponement = postponed.get(mail.id)
    if (postponement) await postpone(tx, templates.get(mail.template), mail, group, postponement)
  }
  const leaving = mails.flatMap(({ id }) => (postponed.has(id) ? [] : [id]))
  if (leaving.length > 0) await enqueueGroup(tx, leaving)
}

/** Sends mails as one, unless their domain is slow and it is the turn of others; returns the error to try again after, if any. */
async function sendMerged(
  ctx: AppContext,
  tx: AppContext,
  id: string,
  ready: readonly ReadyMail[],
): Promise<unknown> {
  const [first] = ready
  // It may have had the turn of its domain.
  if (!first) return endTurn(tx.db, id)
  // One click in a mail stops one kind: kinds that are stopped apart leave apart.
  const alike = ready.filter(({ composed }) => composed.stops === first.composed.stops)
  const others = ready.filter((mail) => !alike.includes(mail))
  if (others.length > 0) await enqueueGroup(tx, idsOf(others))
  const { destination } = first
  const { domainHash, slow } = destination
  if (slow && slow.turnId !== id) return setWaiting(tx.db, idsOf(alike), domainHash)
  let last: CheckpointRow | undefined
  try {
    const isAnyWitness = alike.some(({ composed }) => composed.isWitness)
    last = isAnyWitness ? await lastCheckpoint(tx) : undefined
    await ctx.mail.send(await emailOf(tx, id, alike, last))
  } catch (error) {
    const isBusy = error instanceof MailError && error.failure === 'busy'
    await recordAnswer(tx, destination, id, isBusy ? 'busy' : 'other')
    // The content of one of them may be what no server accepts: the others leave without it.
    if (alike.length > 1 && error instanceof MailError && error.isPermanent) {
      const half = Math.ceil(alike.length / 2)
      await enqueueGroup(tx, idsOf(alike.slice(0, half)))
      await enqueueGroup(tx, idsOf(alike.slice(half)))
      return
    }
    const again: ReadyMail[] = []
    for (const ready of alike)
      if (await recordFailure(tx, ready.template, ready.mail, error)) again.push(ready)
    if (again.length === 0) return
    if (isBusy) return setWaiting(tx.db, idsOf(again), domainHash)
    return error
  }
  await recordAnswer(tx, destination, id, 'accepted')
  const at = tx.now()
  for (const { mail, template, composed } of alike) {
    await markMailSent(tx.db, mail, at)
    const size = checkpointWith(composed, last)?.size
    const witness = size === undefined ? undefined : { to: composed.to, size }
    await callOnOutcome(tx, template, mail, { state: 'sent', at, witness })
  }
}

function idsOf(mails: readonly ReadyMail[]): string[] {
  return mails.map(({ mail }) => mail.id)
}

/** An error of `onOutcome` never undoes the state of the mail: a letter that left would leave again. */
async function callOnOutcome(
  tx: AppContext,
  template: MailTemplate,
  mail: QueuedMail,
  outcome: MailOutcome,
): Promise<void> {
  const { onOutcome } = template
  if (!onOutcome) return
  const result = await tryInSavepoint(tx, () => onOutcome(tx, mail, outcome))
  if ('error' in result)
    tx.log.error(
      { mailId: mail.id, template: mail.template, state: outcome.state, err: result.error },
      'what became of a mail could not be noted',
    )
}

/** The checkpoint that goes with a mail. */
function checkpointWith(
  { isWitness, receipt }: ComposedMail,
  last: CheckpointRow | undefined,
): CheckpointRow | undefined {
  return receipt?.checkpoint ?? (isWitness ? last : undefined)
}

async function emailOf(
  tx: AppContext,
  id: string,
  ready: readonly ReadyMail[],
  last: CheckpointRow | undefined,
): Promise<Email> {
  const mails = ready.map(({ composed }) => composed)
  const { to, stops, reportable, person, ...content } = mergeMails(mails)
  const { publicUrl } = tx.config.http
  // The mails of a group go to one address, so that one account at most receives them.
  const userId = ready[0]?.mail.recipientId ?? null
  const facts = { mailId: id, address: to, stops, userId }
  const { headers, links } = createMailLinks(tx, facts, reportable)
  const checkpoints = new Map<number, CheckpointRow>()
  for (const mail of mails) {
    const checkpoint = checkpointWith(mail, last)
    if (checkpoint) checkpoints.set(checkpoint.size, checkpoint)
  }
  const rendered = await renderMail({
    ...content,
    links: [...(content.links ?? []), ...links],
    publicUrl,
  })
  return {
    to,
    messageId: messageIdOf(tx, id),
    headers,
    personName: person?.name,
    replyTo: person?.replyTo,
    ...rendered,
    attachments: [
      ...rendered.attachments,
      ...mails.flatMap(({ receipt }) => receipt?.file ?? []),
      ...(checkpoints.size > 0 ? [proofFile([...checkpoints.values()], publicUrl)] : []),
    ],
  }
}

/** Returns the error to try again after, or undefined when this was the last try. */
async function recordFailure(
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
  const isLate = failure !== 'busy' || mail.firstTriedAt <= firstPassedAt(at)
  if (isLast || isLate)
    await callOnOutcome(tx, template, mail, { state: isLast ? 'failed' : 'delayed', failure, at })
  if (!isLast) return cause
  if (failure !== 'suppressed')
    tx.log.error({ mailId: mail.id, template: mail.template, failure }, 'a mail could not be sent')
}
