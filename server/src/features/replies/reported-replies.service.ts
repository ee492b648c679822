import type { AppContext } from '#server/context.ts'
import { grantReported } from '#server/features/access/grants.service.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import { findReply, setReplyHidden } from './replies.repository.ts'
import { openReplies } from './reply-contents.service.ts'

/** The words of a reply that its reader reported; of its voice only that there is one. Undefined once it is gone. */
export async function readReported(
  ctx: AppContext,
  report: { target: string; targetId: string },
): Promise<string | undefined> {
  const reply = await findReply(ctx.db, { id: report.targetId })
  const right = reply && grantReported(report, reply)
  if (!right) return undefined
  const words = (await openReplies(ctx, right, [reply.id])).get(reply.id)
  const voice = reply.mediaId === null ? null : '(a voice)'
  return [words?.content, words?.emoji, voice].filter(Boolean).join('\n')
}

/** For operators: neither the author nor its writer sees the reply any more; false when it is gone or hidden already. */
export async function hideReply(tx: AppContext, id: string): Promise<boolean> {
  return setHidden(tx, id, tx.now())
}

/** The reverse of `hideReply`; false when it is gone or not hidden. */
export async function restoreReply(tx: AppContext, id: string): Promise<boolean> {
  return setHidden(tx, id, null)
}

async function setHidden(tx: AppContext, id: string, hiddenAt: Date | null): Promise<boolean> {
  const reply = await findReply(tx.db, { id })
  if (!reply || !(await setReplyHidden(tx.db, id, hiddenAt))) return false
  publishDeliveryChanged(tx, reply)
  return true
}
