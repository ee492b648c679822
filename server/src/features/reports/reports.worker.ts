import type { AppContext } from '#server/context.ts'
import { lastReason } from '#server/features/audit/audit.service.ts'
import { isSuppressed } from '#server/features/mails/mail-preferences.service.ts'
import type {
  ComposedMail,
  MailOutcome,
  MailTemplate,
} from '#server/features/mails/mails.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { contentMovedEmail, reportClosedEmail } from './reports.emails.ts'
import {
  deleteReporterEmail,
  findReport,
  findTarget,
  TARGET_KINDS,
  type Target,
} from './reports.repository.ts'

async function composeClosed(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const report = await findReport(tx.db, mail.subjectId)
  const to = report?.reporterEmail ?? report?.verifiedEmail
  if (!report || !to) return undefined
  // A visitor may have left anybody’s address.
  if (report.reporterEmail && (await isSuppressed(tx, report.reporterEmail))) {
    await deleteReporterEmail(tx.db, report.id)
    return undefined
  }
  return reportClosedEmail(report, { to, publicUrl: tx.config.http.publicUrl })
}

/** A visitor left their address for this mail alone. */
async function deleteAddressOnceSent(
  tx: AppContext,
  mail: QueuedMail,
  { state }: MailOutcome,
): Promise<void> {
  if (state !== 'delayed') await deleteReporterEmail(tx.db, mail.subjectId)
}

/** Undefined for a target that is gone, or that changed again since. */
async function composeMoved(
  tx: AppContext,
  mail: QueuedMail,
  moved: 'hidden' | 'restored',
): Promise<ComposedMail | undefined> {
  const target = await findMoved(tx, mail.subjectId)
  const isHidden = moved === 'hidden'
  if (!target || (target.hiddenAt !== null) !== isHidden) return undefined
  const reason = (await lastReason(tx, target.id, isHidden ? 'hide' : 'restore')) ?? ''
  return contentMovedEmail(moved, target, { reason, publicUrl: tx.config.http.publicUrl })
}

async function findMoved(tx: AppContext, id: string): Promise<Target | undefined> {
  for (const kind of TARGET_KINDS) {
    const target = await findTarget(tx.db, kind, id)
    if (target) return target
  }
  return undefined
}

export const reportMails: readonly MailTemplate[] = [
  { name: 'report-closed', compose: composeClosed, onOutcome: deleteAddressOnceSent },
  { name: 'content-hidden', compose: (tx, mail) => composeMoved(tx, mail, 'hidden') },
  { name: 'content-restored', compose: (tx, mail) => composeMoved(tx, mail, 'restored') },
]
