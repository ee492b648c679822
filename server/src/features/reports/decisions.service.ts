import { type AppContext, inTransaction } from '#server/context.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { hideComment, restoreComment } from '#server/features/comments/comments.service.ts'
import { notifyDecided } from '#server/features/notifications/news.service.ts'
import { hideProfile, restoreProfile } from '#server/features/profiles/profiles.service.ts'
import {
  hideReply,
  readReported,
  restoreReply,
} from '#server/features/replies/reported-replies.service.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { StartError } from '#server/platform/start-error.ts'
import {
  findReportsBeginning,
  findTarget,
  listReports as listReportRows,
  type SignedReport,
  setClosed,
  type Target,
  type TargetKind,
} from './reports.repository.ts'

export type { SignedReport, Target }

/** The operator and the reason of a decision: both are in the audit log. */
export type Decision = Pick<Act, 'operator' | 'reason'>

/** A report with what it is about, as far as that is still there. */
export interface Case {
  report: SignedReport
  target: Target | undefined
}

export async function listCases(ctx: AppContext, which: 'open' | 'all'): Promise<Case[]> {
  const cases: Case[] = []
  for (const report of await listReportRows(ctx.db, which)) {
    cases.push({ report, target: await findReported(ctx, report) })
  }
  return cases
}

/** The one report whose id begins so. */
export async function getCase(ctx: AppContext, beginning: string): Promise<Case> {
  if (!/^[0-9a-f][0-9a-f-]{0,35}$/.test(beginning)) {
    throw new StartError(`« ${beginning} » is not the beginning of a report’s id.`)
  }
  const [report, other] = await findReportsBeginning(ctx.db, beginning)
  if (!report) throw new StartError(`No report has an id that begins with ${beginning}.`)
  if (other) throw new StartError(`Several reports have an id that begins with ${beginning}.`)
  return { report, target: await findReported(ctx, report) }
}

/** A report of a mail is about the revelation the mail was about, if any. */
async function findReported(ctx: AppContext, report: SignedReport): Promise<Target | undefined> {
  const { target, targetId } = report
  const found = await findTarget(ctx.db, target === 'mail' ? 'revelation' : target, targetId)
  if (found?.kind !== 'reply') return found
  return { ...found, text: (await readReported(ctx, report)) ?? '' }
}

type Change = (tx: AppContext, id: string) => Promise<boolean>

const HIDE: Record<TargetKind, Change> = {
  revelation: hideRevelation,
  comment: hideComment,
  reply: hideReply,
  profile: hideProfile,
}
const RESTORE: Record<TargetKind, Change> = {
  revelation: restoreRevelation,
  comment: restoreComment,
  reply: restoreReply,
  profile: restoreProfile,
}

/** Takes what was reported out of sight, and mails its author; the report stays open. */
export async function hideReported(
  ctx: AppContext,
  beginning: string,
  decision: Decision,
): Promise<Case> {
  return changeReported(ctx, beginning, { ...decision, action: 'hide' }, HIDE)
}

/** Shows what was hidden again, and mails its author. */
export async function restoreReported(
  ctx: AppContext,
  beginning: string,
  decision: Decision,
): Promise<Case> {
  return changeReported(ctx, beginning, { ...decision, action: 'restore' }, RESTORE)
}

async function changeReported(
  ctx: AppContext,
  beginning: string,
  act: Decision & { action: 'hide' | 'restore' },
  changes: Record<TargetKind, Change>,
): Promise<Case> {
  return inTransaction(ctx, async (tx) => {
    const { report, target } = await getCase(tx, beginning)
    if (!target) throw new StartError('What was reported is not there any more.')
    if (!(await changes[target.kind](tx, target.id))) {
      throw new StartError(
        `This ${target.kind} is ${target.hiddenAt ? 'hidden already' : 'not hidden'}.`,
      )
    }
    await recordAct(tx, { ...act, target: target.kind, targetId: target.id })
    const template = act.action === 'hide' ? 'content-hidden' : 'content-restored'
    // Nobody is mailed about a reply without an account: its link may have another bearer.
    const { authorId } = target
    if (authorId !== null) {
      await enqueueMails(tx, template, [{ subjectId: target.id, recipientId: authorId }])
      await notifyDecided(tx, { ...target, authorId }, { isRestored: act.action === 'restore' })
    }
    return { report, target }
  })
}

/** Ends a report, and mails its outcome to the reporter, if there is an address. */
export async function closeReport(
  ctx: AppContext,
  beginning: string,
  { operator, reason }: Decision,
): Promise<Case & { outcome: 'hidden' | 'kept'; isNotified: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const { report, target } = await getCase(tx, beginning)
    const outcome = target?.hiddenAt ? 'hidden' : 'kept'
    const closing = { outcome, closingReason: reason, closedAt: tx.now() } as const
    if (!(await setClosed(tx.db, report.id, closing))) {
      throw new StartError('This report is closed already.')
    }
    await recordAct(tx, {
      operator,
      reason,
      action: 'close',
      target: 'report',
      targetId: report.id,
    })
    const isNotified = (report.reporterEmail ?? report.verifiedEmail) !== null
    if (isNotified) {
      const recipient = report.reporterId ? { recipientId: report.reporterId } : {}
      await enqueueMails(tx, 'report-closed', [{ subjectId: report.id, ...recipient }])
    }
    return { report, target, outcome, isNotified }
  })
}
