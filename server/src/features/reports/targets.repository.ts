import { REPORT_TARGETS, type ReportInput } from '#contract/reports.ts'
import type { Db } from '#server/platform/database/db.ts'

export type TargetKind = ReportInput['target']
export const TARGET_KINDS: readonly TargetKind[] = REPORT_TARGETS

/** What was reported, as far as an operator sees it: of a revelation the envelope, never the letter. */
export interface Target {
  kind: TargetKind
  id: string
  authorId: string
  authorPseudo: string
  authorEmail: string
  /** The title of a revelation, the words of a comment, what a person says of themselves. */
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
        'comments.content as text',
        'comments.createdAt',
        'comments.hiddenAt',
      ])
      .where('comments.id', '=', id)
      .executeTakeFirst(),
  profile: (db, id) =>
    db
      .selectFrom('users as author')
      .select([
        'author.id as authorId',
        'author.pseudo as authorPseudo',
        'author.email as authorEmail',
        'author.bio as text',
        'author.createdAt',
        'author.hiddenAt',
      ])
      .where('author.id', '=', id)
      .executeTakeFirst(),
}
