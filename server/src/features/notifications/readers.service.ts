import { type AppContext, inTransaction } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { canViewMany, type ViewerAccount } from '#server/features/access/viewers.service.ts'
import {
  findReader,
  lockAccounts,
  type PageOfPeople,
  type ReaderRow,
} from './notifications.repository.ts'

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

const PEOPLE_PER_BATCH = 500
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/** Goes through people in the order of their ids, a batch per transaction: `tell` returns whom it came to. */
export async function inBatchesOfPeople(
  ctx: AppContext,
  tell: (tx: AppContext, page: PageOfPeople) => Promise<string[]>,
): Promise<void> {
  let after: string | undefined = BEFORE_ALL_IDS
  while (after !== undefined) {
    const page: PageOfPeople = { after, limit: PEOPLE_PER_BATCH }
    const userIds = await inTransaction(ctx, (tx) => tell(tx, page))
    after = userIds.length === page.limit ? userIds.at(-1) : undefined
    ctx.stopping.throwIfAborted()
  }
}
