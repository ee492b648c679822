import { createHash, createHmac, randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { lockSignedIn } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listRevealsBetween } from '#server/features/circle/circle.service.ts'
import { listOwnEvents } from './calendar.service.ts'
import { writeCalendar } from './feed.presenter.ts'
import { deleteFeed, findFeedByToken, findFeedOf, replaceFeed } from './feeds.repository.ts'

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
  const feed = await findFeedOf(ctx.db, actor.userId)
  const endedAt = feed?.endedAt ?? null
  return { url: feed && !endedAt ? urlOf(ctx, tokenOf(ctx, feed.id)) : null, endedAt }
}

/** A new address; the former one is dead at once. `unauthenticated` when the session ended meanwhile. */
export async function makeFeed(ctx: AppContext, actor: Actor): Promise<string> {
  const id = randomUUID()
  const token = tokenOf(ctx, id)
  const dates = { createdAt: ctx.now(), endedAt: null }
  const { userId } = actor
  await inTransaction(ctx, async (tx) => {
    await lockSignedIn(tx, actor)
    await replaceFeed(tx.db, { userId, id, tokenHash: hashOf(token), ...dates })
  })
  return urlOf(ctx, token)
}

export async function revokeFeed(ctx: AppContext, actor: Actor): Promise<void> {
  await deleteFeed(ctx.db, actor.userId)
}

/**
 * What stands under a secret address now, asked afresh at each reading; a dead address, and whatever never was one, is
 * the same `not_found`.
 */
export async function readFeed(ctx: AppContext, file: string): Promise<string> {
  const token = FILE.exec(file)?.[1]
  const feed = token && (await findFeedByToken(ctx.db, hashOf(token)))
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

/** Derived, so that the same address can be shown again while only its hash is stored. */
function tokenOf(ctx: AppContext, id: string): string {
  const secret = ctx.keyring.secretFor('calendar-feeds')
  return createHmac('sha256', secret).update(id).digest('base64url')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function urlOf(ctx: AppContext, token: string): string {
  return `${ctx.config.http.publicUrl}/api/calendar-feed/${token}.ics`
}
