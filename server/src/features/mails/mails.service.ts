import { type AppContext, inBatches } from '#server/context.ts'
import type { MailContent } from '#server/platform/mail/mail-frame.ts'
import { deleteDoneMails, type QueuedMail } from '#server/platform/mail/mail-queue.ts'
import type { MailClass, Wait } from './mail-limits.rules.ts'
import type { Failure, Stops } from './mails.rules.ts'

/** A mail as its feature says it; headers, footer links and the frame are added to every mail alike. */
export interface ComposedMail extends Omit<MailContent, 'publicUrl' | 'checkpoint'> {
  to: string
  stops: Stops
  /** What somebody else wrote and its reader may report. */
  revelationId?: string
}

export type MailOutcome =
  | { state: 'sent'; at: Date }
  | { state: 'delayed' | 'failed'; failure: Failure; at: Date }

/** Queued by a machine whose clock is ahead of this one’s: it comes back, and counts as no try. */
export class TooEarly extends Error {
  override name = 'TooEarly'
}

/** One kind of mail: a name, what it says when it leaves, and what its subject notes of it. */
export interface MailTemplate {
  name: string
  /** What it is counted with, `news` unless it says so; a mail with a link of an account was counted with the link. */
  mailClass?: MailClass | 'links'
  /** Undefined when there is nothing to say any more: the mail is forgotten. Throws `TooEarly` when there will be. */
  compose(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined>
  noteOutcome?(tx: AppContext, mail: QueuedMail, outcome: MailOutcome): Promise<void>
  /** It waits, to leave with others. */
  noteHeld?(tx: AppContext, mail: QueuedMail, wait: Wait): Promise<void>
}

/** Stable over every attempt, and all that is needed to find a mail again. */
export function messageIdOf({ config }: Pick<AppContext, 'config'>, mailId: string): string {
  return `<${mailId}@${new URL(config.http.publicUrl).hostname}>`
}

const KEPT_FOR_MS = 90 * 24 * 3_600_000
const BATCH_SIZE = 1_000

/** Forgets mails that are long done; what carries a delivery stays with it, for a mail that comes back names it. */
export async function forgetOldMails(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEPT_FOR_MS)
  await inBatches(ctx, BATCH_SIZE, (tx) => deleteDoneMails(tx.db, before, BATCH_SIZE))
}
