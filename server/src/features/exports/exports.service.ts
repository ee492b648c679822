import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { readSavedLetters } from '#server/features/access/saved-letters.service.ts'
import { listTokens, presentToken } from '#server/features/auth/api-tokens.service.ts'
import { presentUser } from '#server/features/auth/auth.rules.ts'
import { findActorBySession, getUser, listSessions } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { presentEvent } from '#server/features/calendar/calendar.rules.ts'
import { listOwnEvents } from '#server/features/calendar/calendar.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import { storageUsedBy } from '#server/features/media/quota.service.ts'
import { getSwitches } from '#server/features/notifications/switches.service.ts'
import { presentStats } from '#server/features/profiles/profiles.rules.ts'
import { getPersonSeen } from '#server/features/profiles/profiles.service.ts'
import {
  listBlocks,
  listRelationships,
} from '#server/features/relationships/relationships.service.ts'
import { listRequests } from '#server/features/relationships/requests.service.ts'
import {
  readOwnReplies,
  readReceivedReplies,
} from '#server/features/replies/own-replies.service.ts'
import { listBlocksOf } from '#server/features/replies/reply-blocks.service.ts'
import { readOwnLetters } from '#server/features/revelations/whole-letters.service.ts'
import { getSubscription } from '#server/features/subscriptions/subscriptions.service.ts'
import { readOwnVoiceMessages } from '#server/features/voice-messages/voice-message-contents.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import { parseTicket, signTicket } from '#server/platform/sealing/tickets.ts'
import {
  type AnsweredLetter,
  type ArchivedFiles,
  presentBlock,
  presentFavoriteSound,
  presentOwnComment,
  presentOwnLetter,
  presentOwnOpening,
  presentOwnReaction,
  presentOwnReply,
  presentOwnReport,
  presentOwnSound,
  presentOwnVote,
  presentPurchase,
  presentPushSubscription,
  presentReminder,
  presentReplyBlock,
  presentRequests,
  presentSavedLetter,
  presentSession,
  presentTie,
} from './exports.presenter.ts'
import {
  type CommentOfMine,
  listCommentsOf,
  listDeliveriesOf,
  listFavoriteSoundsOf,
  listOpeningsOf,
  listPurchasesOf,
  listPushSubscriptionsOf,
  listReactionsOf,
  listRemindersOf,
  listReportsBy,
  listVotesOf,
  type OpeningOfMine,
  type ReactionOfMine,
  type VoteOfMine,
} from './exports.repository.ts'

/** Finding a page costs as much as looking at all there is: few large ones. */
const PAGE = 5_000

/**
 * Everything of the actor’s own as one JSON object, a piece at a time: however much it is, a page of it is in memory.
 * Nothing of anybody else’s letter, and no address but those they typed and those the API shows them.
 */
export async function* writeJson(
  ctx: AppContext,
  actor: Actor,
  files?: ArchivedFiles,
): AsyncGenerator<string> {
  yield `{\n"exported_at": ${JSON.stringify(ctx.now().toISOString())}`
  for (const [name, value] of Object.entries(await readAccount(ctx, actor))) {
    yield `,\n"${name}": ${JSON.stringify(value)}`
  }
  yield* writeList('revelations', ownLetters(ctx, actor, files))
  yield* writeList('replies', ownReplies(ctx, actor, files))
  yield* writeList('sounds', ownSounds(ctx, actor, files))
  yield* writeList('comments', ownComments(ctx, actor))
  yield* writeList('reactions', ownReactions(ctx, actor))
  yield* writeList('votes', ownVotes(ctx, actor))
  yield* writeList('openings', ownOpenings(ctx, actor))
  yield* writeList('saved_letters', savedLetters(ctx, actor))
  yield '\n}\n'
}

async function* writeList(name: string, pages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  yield `,\n"${name}": [`
  let before = '\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield before + page.map((item) => JSON.stringify(item)).join(',\n')
    before = ',\n'
  }
  yield '\n]'
}

/** What there is at most some hundreds of. */
async function readAccount(ctx: AppContext, actor: Actor) {
  const { userId } = actor
  const [user, seen, subscription, purchases, preferences, switches, sessions, tokens] =
    await Promise.all([
      getUser(ctx, userId),
      getPersonSeen(ctx, actor, userId),
      getSubscription(ctx, userId, storageUsedBy),
      listPurchasesOf(ctx.db, userId),
      getPreferences(ctx, userId),
      getSwitches(ctx, userId),
      listSessions(ctx, actor),
      listTokens(ctx, userId),
    ])
  const [
    relationships,
    requests,
    blocks,
    replyBlocks,
    reminders,
    reports,
    favorites,
    events,
    browsers,
  ] = await Promise.all([
    listRelationships(ctx, actor),
    listRequests(ctx, actor),
    listBlocks(ctx, actor),
    listBlocksOf(ctx, userId),
    listRemindersOf(ctx.db, userId),
    listReportsBy(ctx.db, userId),
    listFavoriteSoundsOf(ctx.db, userId),
    listOwnEvents(ctx, actor),
    listPushSubscriptionsOf(ctx.db, userId),
  ])
  return {
    profile: presentUser(user),
    stats: presentStats(seen),
    subscription,
    purchases: purchases.map(presentPurchase),
    preferences,
    notification_switches: switches,
    sessions: sessions.map((session) => presentSession(session, actor)),
    api_tokens: tokens.map(presentToken),
    notified_browsers: browsers.map(presentPushSubscription),
    relationships: relationships.map(presentTie),
    requests: presentRequests(requests),
    blocks: blocks.map(presentBlock),
    reply_blocks: replyBlocks.map(presentReplyBlock),
    reminders: reminders.map(presentReminder),
    reports: reports.map(presentOwnReport),
    calendar_events: events.map(presentEvent),
    favorite_sounds: favorites.map(presentFavoriteSound),
  }
}

/** All that the actor sealed with what came back, the oldest first, a page at a time. */
export async function* readAnsweredLetters(
  ctx: AppContext,
  actor: Actor,
): AsyncGenerator<AnsweredLetter[]> {
  for await (const letters of readOwnLetters(ctx, actor)) {
    const ids = letters.map(({ envelope }) => envelope.id)
    const replies = await readReceivedReplies(ctx, actor, ids)
    yield letters.map((letter) => ({ ...letter, replies: replies.get(letter.envelope.id) ?? [] }))
  }
}

async function* ownLetters(ctx: AppContext, actor: Actor, files: ArchivedFiles | undefined) {
  for await (const letters of readAnsweredLetters(ctx, actor)) {
    const ids = letters.map(({ envelope }) => envelope.id)
    const deliveries = Map.groupBy(
      await listDeliveriesOf(ctx.db, ids),
      ({ revelationId }) => revelationId,
    )
    const now = ctx.now()
    yield letters.map((letter) => {
      const { id } = letter.envelope
      return presentOwnLetter({ ...letter, now, deliveries: deliveries.get(id) ?? [] }, files)
    })
  }
}

async function* ownReplies(ctx: AppContext, actor: Actor, files: ArchivedFiles | undefined) {
  for await (const replies of readOwnReplies(ctx, actor)) {
    yield replies.map((own) => presentOwnReply(own, files))
  }
}

async function* ownSounds(ctx: AppContext, actor: Actor, files: ArchivedFiles | undefined) {
  for await (const sounds of readOwnVoiceMessages(ctx, actor)) {
    yield sounds.map((own) => presentOwnSound(own, files?.get(own.voiceMessage.mediaId)))
  }
}

async function* savedLetters(ctx: AppContext, actor: Actor) {
  for await (const page of readSavedLetters(ctx, actor)) yield page.map(presentSavedLetter)
}

async function* ownComments({ db }: AppContext, { userId }: Actor) {
  const pages = listPages<CommentOfMine>(PAGE, (after, limit) =>
    listCommentsOf(db, userId, after, limit),
  )
  for await (const page of pages) yield page.map(presentOwnComment)
}

async function* ownReactions({ db }: AppContext, { userId }: Actor) {
  const pages = listPages<ReactionOfMine>(PAGE, (after, limit) =>
    listReactionsOf(db, userId, after, limit),
  )
  for await (const page of pages) yield page.map(presentOwnReaction)
}

async function* ownVotes({ db }: AppContext, { userId }: Actor) {
  const pages = listPages<VoteOfMine>(PAGE, (after, limit) => listVotesOf(db, userId, after, limit))
  for await (const page of pages) yield page.map(presentOwnVote)
}

async function* ownOpenings({ db }: AppContext, { userId }: Actor) {
  const pages = listPages<OpeningOfMine>(PAGE, (after, limit) =>
    listOpeningsOf(db, userId, after, limit),
  )
  for await (const page of pages) yield page.map(presentOwnOpening)
}

/** How long an address to download lives. */
export const LINK_MS = 10 * 60_000
const VARIANT = 'export'

/** An address for a browser, which sends no header when it saves a file: for this session, for ten minutes. */
export function exportLinkFor(ctx: AppContext, { userId, sessionId }: Actor): string {
  const expiresAt = new Date(ctx.now().getTime() + LINK_MS)
  const ticket = { item: userId, variant: VARIANT, holder: sessionId, expiresAt }
  return `/api/auth/export?format=zip&token=${signTicket(secretOf(ctx), ticket)}`
}

/** Whose export an address opens; `ticket_expired` once its time is over or its session ended. */
export async function actorOfLink(ctx: AppContext, text: string): Promise<Actor> {
  const ticket = parseTicket(secretOf(ctx), text)
  const isAlive = ticket?.variant === VARIANT && ticket.expiresAt > ctx.now()
  const actor = isAlive ? await findActorBySession(ctx, ticket.holder) : undefined
  if (!actor || actor.userId !== ticket?.item) throw new AppError('ticket_expired')
  return actor
}

function secretOf(ctx: AppContext): Buffer {
  return ctx.keyring.secretFor('export-links')
}
