import type { AppContext } from '#server/context.ts'
import { tellOfReveal, tellOfSealing } from './notifications.jobs.ts'
import { listTold } from './telling.repository.ts'

/** Those tied to its author hear of a new revelation; to be called in the transaction that seals it. */
export async function tellTiesOfSealing(tx: AppContext, revelationId: string): Promise<void> {
  await tx.jobs.enqueue(tellOfSealing, { revelationId })
}

/** Those tied to the authors hear that these are open; to be called in the transaction that queues their deliveries. */
export async function tellTiesOfReveals(
  tx: AppContext,
  deliveryIds: readonly string[],
): Promise<void> {
  const told = await listTold(tx.db, deliveryIds)
  await tx.jobs.enqueueAll(
    tellOfReveal,
    told.map((revelationId) => ({ revelationId })),
  )
}

/** The same for one that opened while nobody saw it; to be called in the transaction that shows it again. */
export async function tellTiesOfRestored(tx: AppContext, revelationId: string): Promise<void> {
  await tx.jobs.enqueue(tellOfReveal, { revelationId })
}
