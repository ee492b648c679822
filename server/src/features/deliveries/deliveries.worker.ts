import type { NoteKind } from '#contract/sealing.ts'
import { type AppContext, inBatches, runHooks } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import { personalLinkOf } from '#server/features/access/personal-keys.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { type MailTemplate, TooEarly } from '#server/features/mails/mails.service.ts'
import { getSender } from '#server/features/mails/senders.service.ts'
import { findMailNote } from '#server/features/notes/notes.service.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  calledName,
  deliveredEmail,
  deliveryEmail,
  failedEmail,
  noticeEmail,
  sealedEmail,
} from './deliveries.emails.ts'
import {
  findDeliveryFacts,
  listAddressed,
  lockCarried,
  lockDueDeliveries,
  setNotified,
  setPlanned,
  setQueued,
} from './deliveries.repository.ts'
import { type DeliveryFacts, formatFailure, formatPostponement } from './deliveries.rules.ts'
import { recordDelay, recordFailure, recordSent } from './delivery-outcomes.service.ts'
import { insertDelay, insertSuspensions } from './journal.repository.ts'
import { recordMailedToAddressee, recordMailedToAuthor } from './mailed-checkpoints.service.ts'

const BATCH_SIZE = 100

/** A letter waits for no confirmation nor notification, however many there are, and its first mail for no other letter’s second. */
const FIRST_PRIORITY = 2
const PRIORITY = 1

export const dueDeliveriesSchedule = {
  name: 'queue-due-deliveries',
  everyMs: 5_000,
  run: queueDueDeliveries,
}

/** Queues the mail of every due delivery, a batch per transaction; returns how many. */
export async function queueDueDeliveries(ctx: AppContext): Promise<number> {
  const total = await inBatches(ctx, BATCH_SIZE, queueBatch)
  await insertSuspensions(ctx.db, ctx.now())
  return total
}

async function queueBatch(tx: AppContext): Promise<number> {
  const due = await lockDueDeliveries(tx.db, tx.now(), BATCH_SIZE)
  if (due.length === 0) return 0
  const mailIds = await enqueueMails(
    tx,
    'delivery',
    due.map(({ id, authorId, position }) => ({
      subjectId: id,
      senderId: authorId,
      priority: position === 0 ? FIRST_PRIORITY : PRIORITY,
    })),
  )
  await setQueued(tx.db, new Map(due.map(({ id }, index) => [id, mailIds[index] ?? ''])))
  await runHooks(tx, 'onRevealed', {
    deliveryIds: due.map(({ id }) => id),
    revelationIds: due.map(({ revelationId }) => revelationId),
  })
  return due.length
}

type Compose = MailTemplate['compose']

/** Undefined when the delivery was deleted, moved to another date, or is carried by another mail. */
const composeDelivery: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (facts?.mailId !== mail.id) return undefined
  if (!isRevealed(facts, tx.now())) throw new TooEarly()
  if (facts.hiddenAt !== null) {
    await setPlanned(tx.db, facts.id)
    return undefined
  }
  return deliveryEmail(facts, {
    personalLink: personalLinkOf(tx, facts),
    ...(await findWords(tx, 'opening', facts)),
  })
}

const composeNotice: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (!facts?.notifiedAt || isRevealed(facts, tx.now())) return undefined
  // The address changed since: this notice was for the former one.
  if (mail.createdAt.getTime() < facts.notifiedAt.getTime()) return undefined
  if (facts.hiddenAt !== null) {
    // Once the revelation is restored, its author may send the notice after all.
    await setNotified(tx.db, facts.id, null)
    return undefined
  }
  const publicPage =
    facts.visibility === 'public' ? pageOf(tx.config.http, facts.revelationId) : undefined
  return noticeEmail(facts, { publicPage, ...(await findWords(tx, 'announcement', facts)) })
}

/** The author as the sender of a mail to an addressee, with their note for it. */
async function findWords(tx: AppContext, kind: NoteKind, facts: DeliveryFacts) {
  const { person, isVerified } = await getSender(tx, facts)
  return { person, note: isVerified ? await findMailNote(tx, kind, facts) : null }
}

const recordOutcome: MailTemplate['onOutcome'] = async (tx, mail, outcome) => {
  const carried = await lockCarried(tx.db, mail.id)
  if (!carried) return
  if (outcome.state === 'sent') return recordSent(tx, carried, mail.id, outcome)
  const facts = await findDeliveryFacts(tx.db, { mailId: mail.id })
  if (!facts) return
  const isLast = outcome.state === 'failed'
  const reason = formatFailure(outcome.failure, isLast)
  if (isLast) await recordFailure(tx, facts, reason)
  else await recordDelay(tx, facts, reason)
}

/** The journal shows that the letter is not lost, so that its author does not send it again. */
const recordPostponement: MailTemplate['onPostponed'] = async (tx, mail, postponement) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  const isOfFormerAddress = mail.template === 'delivery' && facts?.mailId !== mail.id
  if (!facts || isOfFormerAddress) return
  const reason = formatPostponement(postponement, facts.timeZone)
  await insertDelay(tx.db, facts.id, { at: tx.now(), reason })
  publishDeliveryChanged(tx, facts)
}

/** Undefined once it is revealed: the mail about its delivery says more. */
const composeSealed: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { revelationId: mail.subjectId })
  if (!facts || isRevealed(facts, tx.now()) || !(await wantsConfirmations(tx, facts))) return
  const recipients = await listAddressed(tx.db, facts.revelationId)
  return sealedEmail(facts, {
    page: pageOf(tx.config.http, facts.revelationId),
    recipients: recipients.map(calledName),
  })
}

const composeDelivered: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (!facts?.sentAt || isToAuthor(facts)) return
  if (!(await wantsConfirmations(tx, facts))) return
  const recipients = await listAddressed(tx.db, facts.revelationId)
  return deliveredEmail(facts, {
    page: pageOf(tx.config.http, facts.revelationId),
    recipients: recipients.filter(({ sentAt }) => sentAt !== null).map(calledName),
    sentAt: facts.sentAt,
  })
}

/** Undefined when the letter was sent to another address meanwhile, or when the author reads the address that failed. */
const composeFailed: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (facts?.state !== 'failed' || isToAuthor(facts)) return
  return failedEmail(facts, {
    page: pageOf(tx.config.http, facts.revelationId),
    recipient: calledName(facts),
    reason: facts.error ?? '',
  })
}

function isToAuthor({ addressKey, authorEmailKey }: DeliveryFacts): boolean {
  return addressKey === authorEmailKey
}

async function wantsConfirmations(tx: AppContext, { authorId }: DeliveryFacts): Promise<boolean> {
  return (await getPreferences(tx, authorId)).emailNotifications
}

export const deliveryMails: readonly MailTemplate[] = [
  {
    name: 'delivery',
    mailClass: 'letters',
    compose: composeDelivery,
    onOutcome: recordOutcome,
    onPostponed: recordPostponement,
  },
  {
    name: 'notice',
    mailClass: 'letters',
    compose: composeNotice,
    onOutcome: (tx, mail, outcome) => recordMailedToAddressee(tx, mail.subjectId, outcome),
    onPostponed: recordPostponement,
  },
  // To the author's own address, verified or not.
  {
    name: 'sealed',
    compose: composeSealed,
    onOutcome: (tx, mail, outcome) => recordMailedToAuthor(tx, mail.subjectId, outcome),
  },
  { name: 'delivered', compose: composeDelivered },
  { name: 'delivery-failed', compose: composeFailed },
]
