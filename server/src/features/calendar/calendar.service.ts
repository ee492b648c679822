import { EVENTS_MAX, type EventInput } from '#contract/calendar.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { type Actor, mayWrite } from '#server/features/auth/auth.session.ts'
import {
  countEvents,
  deleteEvent,
  findCalendar,
  findEvent,
  insertCalendar,
  insertEvents,
  listEvents,
  lockCalendar,
  markImported,
} from './calendar.repository.ts'
import { type EventRow, findNewEvents, sampleEvents } from './calendar.rules.ts'

/** The actor’s events by date, and whether those of a browser were imported. Creates the calendar for whoever may write. */
export async function openCalendar(
  ctx: AppContext,
  actor: Actor,
): Promise<{ events: EventRow[]; isImported: boolean }> {
  const calendar = await findCalendar(ctx.db, actor.userId)
  if (!calendar && mayWrite(actor)) await createCalendar(ctx, actor)
  const events = await listEvents(ctx.db, actor.userId)
  return { events, isImported: Boolean(calendar?.importedAt) }
}

/** Own events by date, for an export: this does not create the calendar. */
export async function listOwnEvents(ctx: AppContext, actor: Pick<Actor, 'userId'>) {
  return listEvents(ctx.db, actor.userId)
}

/** Creates the calendar with its samples, once: a simultaneous second call waits for the first. */
async function createCalendar(ctx: AppContext, { userId }: Actor): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await insertCalendar(tx.db, userId, tx.now()))) return
    const today = dayAt(tx.now(), DEFAULT_TIME_ZONE)
    await insertEvents(tx.db, userId, sampleEvents(today), tx.now())
  })
}

export async function addEvent(
  ctx: AppContext,
  actor: Actor,
  input: EventInput,
): Promise<EventRow> {
  const { title, date: day, type, description } = input
  return inTransaction(ctx, async (tx) => {
    await createCalendar(tx, actor)
    await lockCalendar(tx.db, actor.userId)
    if ((await countEvents(tx.db, actor.userId)) >= EVENTS_MAX) throw new AppError('calendar_full')
    const event = { title, day, type, description: description ?? '' }
    const [added] = await insertEvents(tx.db, actor.userId, [event], tx.now())
    if (!added) throw new Error('PostgreSQL returned no row for a new event')
    return added
  })
}

/** An event of the actor; any other is `not_found`. */
export async function getEvent(ctx: AppContext, actor: Actor, id: string): Promise<EventRow> {
  const event = await findEvent(ctx.db, actor.userId, id)
  if (!event) throw notFound()
  return event
}

/** Deletes an event of the actor; any other is `not_found`. */
export async function removeEvent(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  if (!(await deleteEvent(ctx.db, actor.userId, id))) throw notFound()
}

/**
 * Imports the events that an older page stored in a browser, once for an account: a later import of another browser would
 * bring back deleted events. Events beyond `EVENTS_MAX` are left out.
 */
export async function importEvents(
  ctx: AppContext,
  actor: Actor,
  entries: readonly unknown[],
): Promise<EventRow[]> {
  await inTransaction(ctx, async (tx) => {
    await createCalendar(tx, actor)
    const { importedAt } = await lockCalendar(tx.db, actor.userId)
    if (importedAt) return
    const stored = await listEvents(tx.db, actor.userId)
    const room = Math.max(0, EVENTS_MAX - stored.length)
    const added = findNewEvents(entries, stored).slice(0, room)
    await insertEvents(tx.db, actor.userId, added, tx.now())
    await markImported(tx.db, actor.userId, tx.now())
  })
  return listEvents(ctx.db, actor.userId)
}
