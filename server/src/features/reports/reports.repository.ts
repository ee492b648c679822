import { type Selectable, sql } from 'kysely'
import { REPORT_TARGETS, type ReportInput, type ReportReason } from '#contract/reports.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Reports } from '#server/platform/database/tables.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'

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

/** Stores a report; while one of the same account about the same is open, it changes that one. Answers its id. */
export async function upsertReport(db: Db, report: NewReport): Promise<string> {
  const { reason, message, reporterEmail } = report
  const reporterEmailKey = reporterEmail === null ? null : emailKeyOf(reporterEmail)
  const { id } = await db
    .insertInto('reports')
    .values({ ...report, reporterEmailKey })
    .onConflict((conflict) =>
      conflict
        .columns(['target', 'targetId', 'reporterId'])
        .where('state', '=', 'open')
        .doUpdateSet({ reason, message }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes the open report of a visitor who left this address, and answers its id; undefined when there is none. */
export async function updateVisitorReport(db: Db, report: NewReport): Promise<string | undefined> {
  const { reason, message } = report
  const row = await db
    .updateTable('reports')
    .set({ reason, message })
    .where('state', '=', 'open')
    .where('target', '=', report.target)
    .where('targetId', '=', report.targetId)
    .where('reporterId', 'is', null)
    .where('reporterEmail', '=', report.reporterEmail)
    .returning('id')
    .executeTakeFirst()
  return row?.id
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

export async function deleteReporterEmail(db: Db, id: string): Promise<void> {
  await db
    .updateTable('reports')
    .set({ reporterEmail: null, reporterEmailKey: null })
    .where('id', '=', id)
    .execute()
}

export type TargetKind = ReportInput['target']
export const TARGET_KINDS: readonly TargetKind[] = REPORT_TARGETS

/** What was reported, as far as an operator sees it: of a revelation the envelope, never the letter. */
export interface Target {
  kind: TargetKind
  id: string
  /** Null for a reply by a personal link. */
  authorId: string | null
  authorPseudo: string | null
  authorEmail: string
  /** The one it is, or is under; null of a profile. */
  revelationId: string | null
  /** The title of a revelation, the words of a comment or a reply, the biography of a person. */
  text: string
  createdAt: Date
  hiddenAt: Date | null
}

/** Undefined once it is deleted. */
export async function findTarget(
  db: Db,
  kind: TargetKind,
  id: string,
): Promise<Target | undefined> {
  const found = await finders[kind](db, id)
  return found && { kind, id, ...found }
}

type Found = Omit<Target, 'kind' | 'id'>

const finders: Record<TargetKind, (db: Db, id: string) => Promise<Found | undefined>> = {
  revelation: (db, id) =>
    db
      .selectFrom('revelations')
      .innerJoin('users as author', 'author.id', 'revelations.authorId')
      .select([
        'author.id as authorId',
        'author.pseudo as authorPseudo',
        'author.email as authorEmail',
        'revelations.id as revelationId',
        'revelations.title as text',
        'revelations.createdAt',
        'revelations.hiddenAt',
      ])
      .where('revelations.id', '=', id)
      .executeTakeFirst(),
  comment: (db, id) =>
    db
      .selectFrom('comments')
      .innerJoin('users as author', 'author.id', 'comments.authorId')
      .select([
        'author.id as authorId',
        'author.pseudo as authorPseudo',
        'author.email as authorEmail',
        'comments.revelationId',
        'comments.content as text',
        'comments.createdAt',
        'comments.hiddenAt',
      ])
      .where('comments.id', '=', id)
      .executeTakeFirst(),
  reply: (db, id) =>
    db
      .selectFrom('replies')
      .leftJoin('users as author', 'author.id', 'replies.writerId')
      .select([
        'author.id as authorId',
        'author.pseudo as authorPseudo',
        sql<string>`coalesce(author.email, replies.address)`.as('authorEmail'),
        'replies.revelationId',
        // Sealed: whoever needs the words opens them.
        sql<string>`''`.as('text'),
        'replies.createdAt',
        'replies.hiddenAt',
      ])
      .where('replies.id', '=', id)
      .executeTakeFirst(),
  profile: (db, id) =>
    db
      .selectFrom('users as author')
      .select([
        'author.id as authorId',
        'author.pseudo as authorPseudo',
        'author.email as authorEmail',
        sql<null>`null::uuid`.as('revelationId'),
        'author.bio as text',
        'author.createdAt',
        'author.hiddenAt',
      ])
      .where('author.id', '=', id)
      .executeTakeFirst(),
}
