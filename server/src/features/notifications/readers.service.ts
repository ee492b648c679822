import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { canViewMany, type ViewerAccount } from '#server/features/access/viewers.service.ts'
import { findReader, lockAccounts, type ReaderRow } from './notifications.repository.ts'

/** The account that a mail goes to. */
export type Reader = ReaderRow & ViewerAccount

/** Undefined once the account is gone. */
export async function findReaderOf(
  ctx: AppContext,
  { recipientId }: { recipientId: string | null },
): Promise<Reader | undefined> {
  const row = recipientId === null ? undefined : await findReader(ctx.db, recipientId)
  return row && { ...row, verifiedEmailKey: row.isVerified ? row.emailKey : null }
}

/** The envelope, if the gate lets this reader see it now. */
export async function findEnvelopeFor(
  ctx: AppContext,
  reader: Reader,
  revelationId: string,
): Promise<EnvelopeRow | undefined> {
  const findVisible = await canViewMany(ctx, [reader], [revelationId])
  return findVisible(reader, revelationId)
}

/** Locks these accounts before anything that depends on them is locked, as the deletion of an account does. */
export async function lockReaders(tx: AppContext, userIds: readonly string[]): Promise<void> {
  await lockAccounts(tx.db, userIds)
}
