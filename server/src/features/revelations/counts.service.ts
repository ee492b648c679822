import { type AppContext, inTransaction } from '#server/context.ts'
import { addUp, hasUncounted, lockCounts } from './counts.repository.ts'

/** Keeps counting lists cheap, however many changes and reveals there were since. */
export async function addUpCounts(ctx: AppContext): Promise<void> {
  if (!(await hasUncounted(ctx.db, ctx.now()))) return
  await inTransaction(ctx, async (tx) => {
    if (await lockCounts(tx.db)) await addUp(tx.db, tx.now())
  })
}
