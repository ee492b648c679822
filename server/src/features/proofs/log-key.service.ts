import {
  formatLogKey,
  logKeyOf,
  openCheckpoint,
  parseLogKey,
  signCheckpoint,
} from '#contract/proofs/checkpoint.ts'
import { publicKeyOf } from '#contract/proofs/signature.ts'
import type { TreeHead } from '#contract/proofs/tree.ts'
import type { AppContext } from '#server/context.ts'
import { StartError } from '#server/platform/start-error.ts'
import { findLastCheckpoint } from './log.repository.ts'

type Signer = Pick<AppContext, 'keyring' | 'config'>

/** From the master key, so that all machines and a restore sign alike. */
function seedOf({ keyring }: Pick<Signer, 'keyring'>): Uint8Array {
  return keyring.secretFor('proof-log/ed25519')
}

/** How a log that begins now is called; it keeps the name whatever becomes of PUBLIC_URL. */
function newOrigin({ config }: Pick<Signer, 'config'>): string {
  return `${new URL(config.http.publicUrl).host}/journal`
}

/** The key as others know it: that of the log there is, or of the one that begins. */
export function keyTextOf(ctx: Signer, known: string | undefined): string {
  const origin = (known === undefined ? undefined : parseLogKey(known)?.name) ?? newOrigin(ctx)
  return formatLogKey(logKeyOf(origin, publicKeyOf(seedOf(ctx))))
}

export function signHead(ctx: Signer, logKey: string, head: TreeHead): string {
  const origin = parseLogKey(logKey)?.name
  if (origin === undefined) throw new Error('The key of the log cannot be read')
  return signCheckpoint(seedOf(ctx), { ...head, origin })
}

/** Refuses to go on with a log that another key signed: nobody could tell its continuation from a forgery. */
export async function requireOwnLog(ctx: AppContext): Promise<void> {
  const last = await findLastCheckpoint(ctx.db)
  if (!last) return
  const key = parseLogKey(last.logKey)
  const isOwn = key && keyTextOf(ctx, last.logKey) === last.logKey && openCheckpoint(last.note, key)
  if (isOwn) return
  throw new StartError(
    'The last checkpoint of the log in this database was not signed with its master key: put the right key or the right database back.',
  )
}
