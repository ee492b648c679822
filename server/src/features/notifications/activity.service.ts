import { type AppContext, inBatches } from '#server/context.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { listHiddenUnder } from '#server/features/relationships/relationships.service.ts'
import { enqueueMails, type QueuedMail } from '#server/platform/mail/mail-queue.ts'
import {
  type Activity,
  findCountedFrom,
  listDueDigests,
  setCountedFrom,
  sumComments,
  sumReactions,
  takeDueDigests,
} from './activity.repository.ts'
import { keepReaders } from './readers.service.ts'

export type { Activity }

const BATCH_SIZE = 100
const NOTHING: Activity = { count: 0, people: 0, pseudos: [] }

/** Queues one mail for every revelation under which something happened a while ago. */
export async function queueDueActivity(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH_SIZE, queueBatch)
}

async function queueBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const due = await listDueDigests(tx.db, now, BATCH_SIZE)
  if (due.length === 0) return 0
  const authors = new Map(due.map(({ revelationId, authorId }) => [revelationId, authorId]))
  await keepReaders(tx, [...authors.values()])
  const taken = await takeDueDigests(tx.db, [...authors.keys()], now)
  const mails = taken.map((subjectId) => {
    const recipientId = authors.get(subjectId)
    return recipientId ? { subjectId, recipientId } : { subjectId }
  })
  await enqueueMails(tx, 'activity', mails)
  return taken.length
}

/** What its author hears of: what others left from the last mail to the first attempt at this one: a copy says the same. */
export async function sumActivity(
  tx: AppContext,
  mail: QueuedMail,
  authorId: string,
): Promise<{ comments: Activity; reactions: Activity }> {
  const revelationId = mail.subjectId
  const from = (await findCountedFrom(tx.db, revelationId)) ?? mail.firstTriedAt
  const wishes = await getPreferences(tx, authorId)
  const hidden = await listHiddenUnder(tx, authorId, authorId)
  const span = { revelationId, from, until: mail.firstTriedAt, without: [authorId, ...hidden] }
  const wants = (name: 'newComments' | 'newReactions') => wishes.emailNotifications && wishes[name]
  return {
    comments: wants('newComments') ? await sumComments(tx.db, span) : NOTHING,
    reactions: wants('newReactions') ? await sumReactions(tx.db, span) : NOTHING,
  }
}

/** The next mail tells what happened from then on. */
export async function closeActivity(tx: AppContext, mail: QueuedMail): Promise<void> {
  await setCountedFrom(tx.db, mail.subjectId, mail.firstTriedAt)
}
