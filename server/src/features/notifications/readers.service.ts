import type { AppContext } from '#server/context.ts'
import { canViewMany, type ViewerAccount } from '#server/features/access/viewers.service.ts'
import { findReader, keepAccounts, type ReaderRow } from './readers.repository.ts'

/** Somebody a mail about a revelation goes to. */
export type Reader = ReaderRow & ViewerAccount

/** Undefined once the account is gone. */
export async function getReader(
  ctx: AppContext,
  userId: string | null,
): Promise<Reader | undefined> {
  const row = userId === null ? undefined : await findReader(ctx.db, userId)
  return row && { ...row, verifiedEmailKey: row.isVerified ? row.emailKey : null }
}

/** The revelation, if the gate lets this person know of it as it leaves. */
export async function findSeenBy(ctx: AppContext, reader: Reader, revelationId: string) {
  const sight = await canViewMany(ctx, [reader], [revelationId])
  return sight(reader, revelationId)
}

/** To be called before what hangs on these accounts is locked, as whoever ends an account does. */
export async function keepReaders(tx: AppContext, userIds: readonly string[]): Promise<void> {
  await keepAccounts(tx.db, userIds)
}
