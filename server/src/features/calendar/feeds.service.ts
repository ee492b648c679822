import ical from 'ical-generator'
import { addDays } from '#contract/zoned-time.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  createCalendarToken,
  findCalendarOwner,
  findCalendarToken,
} from '#server/features/auth/calendar-addresses.service.ts'
import { listRevealsBetween, type Reveal } from '#server/features/circle/circle.service.ts'
import { oneLine } from '#server/platform/mail/mail-content.ts'
import { type EventRow, repetitionOf } from './calendar.rules.ts'
import { listOwnEvents } from './calendar.service.ts'

const YEARS_BACK = 1
const YEARS_AHEAD = 10
const REVEAL_MS = 30 * 60_000
const REFRESH_SECONDS = 3_600
const FILE = /^([\w-]{43})\.ics$/

/** The address of the actor’s calendar for other programs, or when a sign-out ended it. */
export async function findFeedUrl(
  ctx: AppContext,
  actor: Actor,
): Promise<{ url: string | null; endedAt: Date | null }> {
  const { token, endedAt } = await findCalendarToken(ctx, actor)
  return { url: token && urlOf(ctx, token), endedAt }
}

/** Replaces the address; the former one ends. `unauthenticated` when the session ended meanwhile. */
export async function createFeed(ctx: AppContext, actor: Actor): Promise<string> {
  return urlOf(ctx, await createCalendarToken(ctx, actor))
}

/** The calendar of a secret address as it is now; the same `not_found` for an ended address and for any other. */
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
  return formatCalendar({ publicUrl, createdAt: feed.createdAt, events, reveals })
}

function yearsFrom(now: Date, years: number): Date {
  const then = new Date(now)
  then.setUTCFullYear(then.getUTCFullYear() + years)
  return then
}

function urlOf(ctx: AppContext, token: string): string {
  return `${ctx.config.http.publicUrl}/api/calendar-feed/${token}.ics`
}

interface Feed {
  publicUrl: string
  /** When the address was created: the stamp of reveals, which must not change with each reading. */
  createdAt: Date
  events: readonly EventRow[]
  reveals: readonly Reveal[]
}

/** Own events as days, reveals as instants: of a letter or a voice, its title and its author alone. */
function formatCalendar({ publicUrl, createdAt, events, reveals }: Feed): string {
  const host = new URL(publicUrl).hostname
  const calendar = ical({
    name: 'Révélations',
    prodId: { company: 'Révélations', product: 'Calendrier', language: 'FR' },
    ttl: REFRESH_SECONDS,
  })
  for (const event of events) {
    calendar.createEvent({
      id: `${event.id}@${host}`,
      stamp: event.createdAt,
      allDay: true,
      start: `${event.day}T00:00:00.000Z`,
      end: `${addDays(event.day, 1)}T00:00:00.000Z`,
      summary: oneLine(event.title),
      description: event.description || null,
      repeating: repetitionOf(event) ?? null,
    })
  }
  for (const reveal of reveals) {
    const isSound = reveal.kind === 'sound'
    calendar.createEvent({
      id: `${reveal.id}@${host}`,
      stamp: createdAt,
      start: reveal.revealAt,
      end: new Date(reveal.revealAt.getTime() + REVEAL_MS),
      summary: `${isSound ? 'Message vocal' : 'Révélation'}\u202F: ${oneLine(reveal.title)}`,
      description: `De @${reveal.authorPseudo}`,
      url: isSound ? `${publicUrl}/family-sound` : pageOf({ publicUrl }, reveal.id),
    })
  }
  return calendar.toString()
}
