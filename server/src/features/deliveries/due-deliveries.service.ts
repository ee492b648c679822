import { type AppContext, inBatches, runHooks } from '#server/context.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { noteSuspended, setQueued, takeDueDeliveries } from './due-deliveries.repository.ts'

const BATCH_SIZE = 100

/** Queues the mail of every delivery whose instant has come, a batch per transaction; returns how many. */
export async function queueDueDeliveries(ctx: AppContext): Promise<number> {
  const total = await inBatches(ctx, BATCH_SIZE, queueBatch)
  await noteSuspended(ctx.db, ctx.now())
  return total
}

async function queueBatch(tx: AppContext): Promise<number> {
  const due = await takeDueDeliveries(tx.db, tx.now(), BATCH_SIZE)
  const mailIds = await enqueueMails(
    tx,
    'delivery',
    due.map(({ id, authorId }) => ({ subjectId: id, senderId: authorId })),
    // A letter waits for no confirmation nor notification, however many of them there are.
    { isUrgent: true },
  )
  await setQueued(tx.db, new Map(due.map(({ id }, index) => [id, mailIds[index] ?? ''])))
  await runHooks(tx, 'onRevealed', {
    deliveryIds: due.map(({ id }) => id),
    revelationIds: due.map(({ revelationId }) => revelationId),
  })
  return due.length
}
