import type { AppContext } from '#server/context.ts'
import { unqueueDeliveries } from './holds.repository.ts'

/** To be called in the transaction that hides a revelation: it is due again once it is shown again. */
export async function holdDeliveries(tx: AppContext, revelationId: string): Promise<void> {
  await unqueueDeliveries(tx.db, revelationId)
}
