import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { EventRow, NewEvent } from './calendar.rules.ts'

export interface CalendarRow {
  importedAt: Date | null
}

export async function findCalendar(db: Db, userId: string): Promise<CalendarRow | undefined> {
  return db
    .selectFrom('calendars')
    .select('importedAt')
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Creates the calendar of a person; false when another transaction did, which has ended by then. */
export async function insertCalendar(db: Db, userId: string, createdAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('calendars')
    .values({ userId, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The calendar, locked against changes of its events until the transaction ends. */
export async function lockCalendar(db: Db, userId: string): Promise<CalendarRow> {
  return db
    .selectFrom('calendars')
    .select('importedAt')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function markImported(db: Db, userId: string, importedAt: Date): Promise<void> {
  await db.updateTable('calendars').set({ importedAt }).where('userId', '=', userId).execute()
}

export async function listEvents(db: Db, ownerId: string): Promise<EventRow[]> {
  const rows = await db
    .selectFrom('calendarEvents')
    .select(['id', 'title', 'day', 'type', 'description', 'createdAt'])
    .where('ownerId', '=', ownerId)
    .orderBy('day')
    .orderBy('id')
    .execute()
  return rows as EventRow[]
}

export async function findEvent(
  db: Db,
  ownerId: string,
  id: string,
): Promise<EventRow | undefined> {
  const row = await db
    .selectFrom('calendarEvents')
    .select(['id', 'title', 'day', 'type', 'description', 'createdAt'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row as EventRow | undefined
}

export async function countEvents(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('calendarEvents')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('ownerId', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertEvents(
  db: Db,
  ownerId: string,
  events: readonly NewEvent[],
  createdAt: Date,
): Promise<EventRow[]> {
  if (events.length === 0) return []
  const rows = await db
    .insertInto('calendarEvents')
    .values(events.map((event) => ({ ...event, ownerId, createdAt })))
    .returning(['id', 'title', 'day', 'type', 'description', 'createdAt'])
    .execute()
  return rows as EventRow[]
}

/** False for an event of another person, or none. */
export async function deleteEvent(db: Db, ownerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('calendarEvents')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
