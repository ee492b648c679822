import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  createCalendarToken,
  findCalendarOwner,
  findCalendarToken,
} from '#server/features/auth/calendar-addresses.service.ts'
import { listRevealsBetween } from '#server/features/circle/circle.service.ts'
import { listOwnEvents } from './calendar.service.ts'
import { writeCalendar } from './feed.presenter.ts'

const YEARS_BACK = 1
const YEARS_AHEAD = 10
const FILE = /^([\w-]{43})\.ics$/

/**
 * The address under which the actor’s calendar is subscribed to, null when there is none, and since when if one was ended by
 * what signed them out.
 */
export async function findFeedUrl(
  ctx: AppContext,
  actor: Actor,
): Promise<{ url: string | null; endedAt: Date | null }> {
  const { token, endedAt } = await findCalendarToken(ctx, actor)
  return { url: token && urlOf(ctx, token), endedAt }
}

/** A new address; the former one is dead at once. `unauthenticated` when the session ended meanwhile. */
export async function createFeed(ctx: AppContext, actor: Actor): Promise<string> {
  return urlOf(ctx, await createCalendarToken(ctx, actor))
}

/**
 * What stands under a secret address now, asked afresh at each reading; a dead address, and whatever never was one, is
 * the same `not_found`.
 */
export async function readFeed(ctx: AppContext, file: string): Promise<string> {
  const token = FILE.exec(file)?.[1]
  const feed = token && (await findCalendarOwner(ctx, token))
  if (!feed) throw notFound()
  const now = ctx.now()
  const span = { from: yearsFrom(now, -YEARS_BACK), to: yearsFrom(now, YEARS_AHEAD) }
  const [events, reveals] = await Promise.all([
    listOwnEvents(ctx, feed),
    listRevealsBetween(ctx, feed, span),
  ])
  const { publicUrl } = ctx.config.http
  return writeCalendar({ publicUrl, writtenAt: feed.createdAt, events, reveals })
}

function yearsFrom(now: Date, years: number): Date {
  const then = new Date(now)
  then.setUTCFullYear(then.getUTCFullYear() + years)
  return then
}

function urlOf(ctx: AppContext, token: string): string {
  return `${ctx.config.http.publicUrl}/api/calendar-feed/${token}.ics`
}
