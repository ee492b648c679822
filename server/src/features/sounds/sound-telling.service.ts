import { type AppContext, inBatches } from '#server/context.ts'
import { keepReaders } from '#server/features/notifications/readers.service.ts'
import { queueMails } from '#server/platform/mail/mail-queue.ts'
import { listDueSounds, takeDueSounds } from './sound-telling.repository.ts'

export const SOUND_OPEN = 'sound-open'
const BATCH_SIZE = 100

/** Queues the mail to the recipient of every private sound that is open, each once. */
export async function queueDueSounds(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH_SIZE, queueBatch)
}

async function queueBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const due = await listDueSounds(tx.db, now, BATCH_SIZE)
  if (due.length === 0) return 0
  await keepReaders(
    tx,
    due.flatMap(({ authorId, recipientId }) => [authorId, recipientId ?? authorId]),
  )
  const taken = await takeDueSounds(
    tx.db,
    due.map(({ id }) => id),
    now,
  )
  const mails = taken.flatMap(({ id, authorId, recipientId }) =>
    recipientId ? { subjectId: id, recipientId, senderId: authorId } : [],
  )
  await queueMails(tx, SOUND_OPEN, mails)
  return taken.length
}
