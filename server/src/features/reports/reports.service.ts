import type { ReportInput, ReportReason } from '#contract/reports.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import { getComment } from '#server/features/comments/comments.service.ts'
import { readMailToken } from '#server/features/mails/mail-links.service.ts'
import { getProfile } from '#server/features/profiles/profiles.service.ts'
import { requireReceived } from '#server/features/replies/reply-viewers.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { type NewReport, updateVisitorReport, upsertReport } from './reports.repository.ts'

/** Stores a report of something that the viewer sees and answers its id; `not_found` for what they do not. */
export async function reportTarget(
  ctx: AppContext,
  viewer: Viewer,
  input: ReportInput,
): Promise<string> {
  const { actor } = viewer
  const { target, target_id: targetId, reason, message = '', email } = input
  const authorId = await authorOf(ctx, viewer, input)
  if (actor && actor.userId === authorId) {
    throw fieldError('target_id', 'Vous ne pouvez pas signaler ce qui est à vous')
  }
  return storeReport(ctx, {
    target,
    targetId,
    reason,
    message,
    reporterId: actor?.userId ?? null,
    reporterEmail: actor ? null : (email ?? null),
    createdAt: ctx.now(),
  })
}

/** Whose it is, if this viewer sees it. */
async function authorOf(
  ctx: AppContext,
  viewer: Viewer,
  { target, target_id: id }: ReportInput,
): Promise<string | null> {
  switch (target) {
    case 'revelation':
      return (await getEnvelope(ctx, viewer, id)).authorId
    case 'comment':
      return (await getComment(ctx, viewer, id)).authorId
    case 'reply':
      return (await requireReceived(ctx, viewer, id)).writerId
    case 'profile':
      return (await getProfile(ctx, viewer.actor, id)).id
  }
}

/** Stores a report of a mail by its reader, whose account or address is in the token of the mail. */
export async function reportMail(
  ctx: AppContext,
  input: { token: string; reason: ReportReason; message?: string | undefined },
): Promise<void> {
  const { mailId, address, userId, revelationId } = readMailToken(ctx, input.token)
  const report = {
    target: 'mail' as const,
    targetId: revelationId ?? mailId,
    reason: input.reason,
    message: input.message ?? '',
    createdAt: ctx.now(),
  }
  const fromAddress = { ...report, reporterId: null, reporterEmail: address }
  if (userId === null) {
    await storeReport(ctx, fromAddress)
    return
  }
  await storeReport(ctx, { ...report, reporterId: userId, reporterEmail: null }).catch((error) => {
    // The account is gone, the mail is still there.
    if (!isForeignKeyViolation(error)) throw error
    return storeReport(ctx, fromAddress)
  })
}

async function storeReport(ctx: AppContext, report: NewReport): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const known = report.reporterEmail !== null && (await updateVisitorReport(tx.db, report))
    return known || upsertReport(tx.db, report)
  })
}
