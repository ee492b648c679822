import { type Selectable, sql } from 'kysely'
import type { ReportReason } from '#contract/reports.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Reports } from '#server/platform/database/tables.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import type { TargetKind } from './targets.repository.ts'

export interface ReportRow extends Omit<Selectable<Reports>, 'target' | 'reason'> {
  target: TargetKind | 'mail'
  reason: ReportReason
}

/** A report with the account it came from, if it is one of ours. */
export interface SignedReport extends ReportRow {
  reporterPseudo: string | null
  /** Of an account whose address is verified. */
  verifiedEmail: string | null
}

export type NewReport = Pick<ReportRow, 'target' | 'targetId' | 'reason' | 'message'> & {
  reporterId: string | null
  reporterEmail: string | null
  createdAt: Date
}

/** Keeps a report; asked again by the same account while it is open, it is the same one. */
export async function saveReport(db: Db, report: NewReport): Promise<void> {
  const { reason, message, reporterEmail } = report
  const reporterEmailKey = reporterEmail === null ? null : emailKeyOf(reporterEmail)
  await db
    .insertInto('reports')
    .values({ ...report, reporterEmailKey })
    .onConflict((conflict) =>
      conflict
        .columns(['target', 'targetId', 'reporterId'])
        .where('state', '=', 'open')
        .doUpdateSet({ reason, message }),
    )
    .execute()
}

/** Changes the open report of a visitor who left this address; false when there is none. */
export async function updateVisitorReport(db: Db, report: NewReport): Promise<boolean> {
  const { reason, message } = report
  const { numUpdatedRows } = await db
    .updateTable('reports')
    .set({ reason, message })
    .where('state', '=', 'open')
    .where('target', '=', report.target)
    .where('targetId', '=', report.targetId)
    .where('reporterId', 'is', null)
    .where('reporterEmail', '=', report.reporterEmail)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function selectSigned(db: Db) {
  return db
    .selectFrom('reports')
    .leftJoin('users as reporter', 'reporter.id', 'reports.reporterId')
    .selectAll('reports')
    .select('reporter.pseudo as reporterPseudo')
    .select(
      sql<
        string | null
      >`case when reporter.email_verified_at is not null then reporter.email end`.as(
        'verifiedEmail',
      ),
    )
    .$castTo<SignedReport>()
}

/** The oldest first. */
export async function listReports(db: Db, which: 'open' | 'all'): Promise<SignedReport[]> {
  return selectSigned(db)
    .$if(which === 'open', (query) => query.where('reports.state', '=', 'open'))
    .orderBy('reports.createdAt')
    .orderBy('reports.id')
    .execute()
}

/** Reports whose id begins so: at most two, which is enough to know that it is not one. */
export async function findReportsBeginning(db: Db, beginning: string): Promise<SignedReport[]> {
  return selectSigned(db).where(sql`reports.id::text`, 'like', `${beginning}%`).limit(2).execute()
}

export async function findReport(db: Db, id: string): Promise<SignedReport | undefined> {
  return selectSigned(db).where('reports.id', '=', id).executeTakeFirst()
}

/** Closes an open report; false when somebody did. */
export async function setClosed(
  db: Db,
  id: string,
  closing: { outcome: 'hidden' | 'kept'; closingReason: string; closedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reports')
    .set({ ...closing, state: 'closed' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function forgetReporterEmail(db: Db, id: string): Promise<void> {
  await db
    .updateTable('reports')
    .set({ reporterEmail: null, reporterEmailKey: null })
    .where('id', '=', id)
    .execute()
}
