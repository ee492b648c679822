import { createHmac } from 'node:crypto'
import { IDEMPOTENCY_KEPT_MS } from '#contract/idempotency.ts'
import { type AppContext, inBatches, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { deleteKeysBefore, findKey, tryLock, upsertKey } from './idempotency.repository.ts'
import { canonicalInput, type Owner } from './idempotency.rules.ts'

/** A call that creates something. */
export interface CreatingCall {
  /** Undefined for a visitor, whose calls nothing binds to a person. */
  owner: Owner | undefined
  key: string | undefined
  /** Method and route. */
  operation: string
  /** What it asks for, as its schemas read it. */
  input: unknown
}

/** What a call created now, or the id of what the same call had created before. */
export type CreateResult<T> =
  | { isReplay: false; created: T }
  | { isReplay: true; resourceId: string }

/**
 * Creates once for each key of one owner: the same call again within seven days is answered by the id of what the first one
 * created, in whichever process and whatever ended it. Key and creation commit together; a refusal leaves the key free.
 * `in_progress` while the first call is under way, `idempotency_mismatch` for another call with its key.
 */
export async function createOnce<T>(
  ctx: AppContext,
  { owner, key, operation, input }: CreatingCall,
  create: (tx: AppContext) => Promise<T>,
  idOf: (created: T) => string,
): Promise<CreateResult<T>> {
  if (!owner || key === undefined) return { isReplay: false, created: await create(ctx) }
  const keyHash = hashKey(ctx, owner, key)
  const inputHash = keyedHash(ctx, ['input', owner, operation, canonicalInput(input)])
  return inTransaction(ctx, async (tx) => {
    // Whoever waited would hold a connection. It is released after the commit: what comes next sees the row.
    if (!(await tryLock(tx.db, keyHash))) {
      throw new AppError('in_progress', { retryAfterSeconds: 1 })
    }
    const known = await findKey(tx.db, owner, keyHash)
    const now = tx.now()
    if (known && known.createdAt > expiryCutoff(now)) {
      const { resourceId } = known
      if (known.inputHash.equals(inputHash)) return { isReplay: true, resourceId }
      throw new AppError('idempotency_mismatch', { id: resourceId })
    }
    const created = await create(tx)
    await upsertKey(tx.db, owner, { keyHash, inputHash, resourceId: idOf(created), createdAt: now })
    return { isReplay: false, created }
  })
}

/** What a key is stored as: nobody finds it, or a letter, by trying what it may have been. */
export function hashKey(ctx: AppContext, owner: Owner, key: string): Buffer {
  return keyedHash(ctx, ['key', owner, key])
}

function keyedHash(ctx: AppContext, parts: readonly unknown[]): Buffer {
  const secret = ctx.keyring.secretFor('idempotency')
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest()
}

const SWEEP_BATCH = 1_000

/** Forgets the keys that stand for nothing any more. */
export async function deleteOldKeys(ctx: AppContext): Promise<void> {
  const before = expiryCutoff(ctx.now())
  await inBatches(ctx, SWEEP_BATCH, (tx) => deleteKeysBefore(tx.db, before, SWEEP_BATCH))
}

function expiryCutoff(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEPT_MS)
}
