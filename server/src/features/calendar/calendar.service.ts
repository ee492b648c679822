import { EVENTS_MAX, type EventInput } from '#contract/calendar.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  countEvents,
  deleteEvent,
  findCalendar,
  insertCalendar,
  insertEvents,
  listEvents,
  lockCalendar,
  markImported,
} from './calendar.repository.ts'
import { type EventRow, newAmong, sampleEvents } from './calendar.rules.ts'

/** The actor’s events by date, and whether those of the browser were taken in. */
export async function openCalendar(
  ctx: AppContext,
  actor: Actor,
): Promise<{ events: EventRow[]; isImported: boolean }> {
  const calendar = await findCalendar(ctx.db, actor.userId)
  if (!calendar) await makeCalendar(ctx, actor)
  const events = await listEvents(ctx.db, actor.userId)
  return { events, isImported: Boolean(calendar?.importedAt) }
}

/** Own events by date, for an export; a calendar that was never opened stays so and has none. */
export async function listOwnEvents(ctx: AppContext, actor: Pick<Actor, 'userId'>) {
  return listEvents(ctx.db, actor.userId)
}

/** Of two who open it first at once, the second waits for the samples of the first. */
async function makeCalendar(ctx: AppContext, { userId }: Actor): Promise<void> {
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
    await makeCalendar(tx, actor)
    await lockCalendar(tx.db, actor.userId)
    if ((await countEvents(tx.db, actor.userId)) >= EVENTS_MAX) throw new AppError('calendar_full')
    const event = { title, day, type, description: description ?? '' }
    const [added] = await insertEvents(tx.db, actor.userId, [event], tx.now())
    if (!added) throw new Error('PostgreSQL gave no row for a new event')
    return added
  })
}

/** Deletes an event of the actor’s own; anything else is `not_found`. */
export async function removeEvent(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  if (!(await deleteEvent(ctx.db, actor.userId, id))) throw notFound()
}

/**
 * Takes in what an older page kept in the browser, once for an account: what another browser sends later is left alone,
 * so that an event deleted here does not come back. What is beyond the room left is left out.
 */
export async function importEvents(
  ctx: AppContext,
  actor: Actor,
  given: readonly unknown[],
): Promise<EventRow[]> {
  await inTransaction(ctx, async (tx) => {
    await makeCalendar(tx, actor)
    const { importedAt } = await lockCalendar(tx.db, actor.userId)
    if (importedAt) return
    const there = await listEvents(tx.db, actor.userId)
    const room = Math.max(0, EVENTS_MAX - there.length)
    const taken = newAmong(given, there).slice(0, room)
    await insertEvents(tx.db, actor.userId, taken, tx.now())
    await markImported(tx.db, actor.userId, tx.now())
  })
  return listEvents(ctx.db, actor.userId)
}
