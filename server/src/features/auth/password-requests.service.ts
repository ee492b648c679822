import { randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { insertPasswordRequest, type RequestReason } from './account-links.repository.ts'
import { answerPasswordRequest } from './auth.jobs.ts'

/**
 * Has the worker mail a link to an address, if it has an account. The same work for any address: whether it has one is not
 * looked up here.
 */
export async function requestLink(
  ctx: AppContext,
  emailKey: string,
  reason: RequestReason,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const id = randomUUID()
    await insertPasswordRequest(tx.db, { id, emailKey, reason, createdAt: tx.now() })
    await tx.jobs.enqueue(answerPasswordRequest, { requestId: id })
  })
}
