import { randomUUID } from 'node:crypto'
import {
  type CheckpointDate,
  formatLogKey,
  logKeyOf,
  openCheckpoint,
  parseLogKey,
  signCheckpoint,
} from '#contract/proofs/checkpoint.ts'
import { signLogKeys } from '#contract/proofs/known-log.ts'
import { publicKeyOf } from '#contract/proofs/signature.ts'
import type { TreeHead } from '#contract/proofs/tree.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import {
  findLastCheckpoint,
  findNewestKey,
  insertKey,
  type KeyRow,
  lockLog,
} from './log.repository.ts'
import { formerKeysOf, originOf } from './log-keys.rules.ts'

type Signer = Pick<AppContext, 'keyring'>

/** From the master key, so that all machines and a restore sign alike. */
function seedOf({ keyring }: Signer, number: number): Uint8Array {
  return keyring.secretFor(number === 1 ? 'proof-log/ed25519' : `proof-log/ed25519/${number}`)
}

function keyTextOf(signer: Signer, number: number, origin: string): string {
  return formatLogKey(logKeyOf(origin, publicKeyOf(seedOf(signer, number))))
}

/** Stores the first key, under a name that stays the same when PUBLIC_URL changes. */
export async function beginLog(tx: AppContext, beganAt: Date): Promise<KeyRow> {
  const origin = `${new URL(tx.config.http.publicUrl).host}/journal`
  const key = { number: 1, logKey: keyTextOf(tx, 1, origin), statement: null, beganAt }
  await insertKey(tx.db, key)
  return key
}

export function signHead(
  signer: Signer,
  { number, logKey }: KeyRow,
  head: TreeHead,
  dated: CheckpointDate,
): string {
  return signCheckpoint(seedOf(signer, number), { ...head, origin: originOf(logKey), dated })
}

/** Refuses to go on with a log that another key signed: nobody could tell its continuation from a forgery. */
export async function requireOwnLog(ctx: AppContext): Promise<void> {
  const [newest, last] = await Promise.all([findNewestKey(ctx.db), findLastCheckpoint(ctx.db)])
  if (!newest || !last) return
  const { number, logKey } = newest
  // That of before, as long as a new key has signed nothing.
  const key = parseLogKey(last.logKey)
  const isOwn =
    keyTextOf(ctx, number, originOf(logKey)) === logKey && key && openCheckpoint(last.note, key)
  if (isOwn) return
  throw new StartError(
    'The last checkpoint of the log in this database was not signed with its master key: put the right key or the right database back.',
  )
}

/**
 * Replaces the key of the log. The new one names all before it, each with the last checkpoint that it signed; the one that goes
 * signs that too, so that who knows only it can follow. The next checkpoint is signed with the new one.
 */
export async function rotateLogKey(
  ctx: AppContext,
  why: Pick<Act, 'operator' | 'reason'>,
): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    await lockLog(tx.db)
    const newest = await findNewestKey(tx.db)
    const last = await findLastCheckpoint(tx.db)
    if (!newest || !last) throw new StartError('The log has signed nothing yet: its key is new.')
    if (last.logKey !== newest.logKey)
      throw new StartError('The last key has signed nothing yet: wait for the next seal.')
    const former = formerKeysOf(newest)
    if (!former) throw new Error(`The statement of the key ${newest.number} does not open`)
    const origin = originOf(newest.logKey)
    const number = newest.number + 1
    const beganAt = last.signedAt > tx.now() ? last.signedAt : tx.now()
    const { size, root } = last
    const replaced = { key: newest.logKey, size, root, replacedAt: beganAt.toISOString() }
    const statement = signLogKeys(
      { next: seedOf(tx, number), last: seedOf(tx, newest.number) },
      { origin, former: [...former, replaced] },
    )
    const logKey = keyTextOf(tx, number, origin)
    await insertKey(tx.db, { number, logKey, statement, beganAt })
    await recordAct(tx, {
      ...why,
      ...{ action: 'rotate_log_key', target: 'installation', targetId: randomUUID() },
    })
    return logKey
  })
}
