import type { AppContext } from '#server/context.ts'
import { listRevelationsOfFiles } from '#server/features/access/envelopes.service.ts'
import { canViewMany, type FindVisible } from '#server/features/access/viewers.service.ts'
import { findActiveActors } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { presentPrediction } from '#server/features/predictions/predictions.rules.ts'
import { audienceOfFiles } from '#server/features/voice-messages/voice-message-viewers.service.ts'
import type { DomainEvent, RevelationChange } from '#server/platform/pubsub/pubsub.ts'
import {
  type EventStream,
  type EventStreams,
  formatRevelationMessage,
  NOTIFICATIONS,
  READY,
  RELATIONSHIPS,
  VOICE_MESSAGES,
  yieldingIterator,
} from './event-streams.ts'

/** What changed of one revelation since the last delivery. */
interface Change {
  authorId: string
  kinds: Set<RevelationChange>
  /** Besides, its file or its delivery went on, which only the author learns. */
  isOfAuthor: boolean
}

/**
 * Passes events on to the streams of this process. An event gives nobody a right: sessions, the gate and the counts are
 * read afresh, once for all streams.
 */
export async function deliver(
  ctx: AppContext,
  streams: EventStreams,
  events: readonly DomainEvent[],
): Promise<void> {
  const changes = await changesOf(ctx, events)
  const related = streamsOf(streams, events, 'relationships')
  const ofVoices = await streamsOfVoiceMessages(ctx, streams, events)
  const ofNews = streamsOf(streams, events, 'notifications')
  const affected = new Set([
    ...related,
    ...ofVoices,
    ...ofNews,
    ...streamsOf(streams, events, 'sessions'),
  ])
  for (const [id, { authorId }] of changes) {
    for (const stream of streams.watching(id)) affected.add(stream)
    for (const stream of streams.ofUser(authorId)) affected.add(stream)
  }
  if (affected.size === 0) return
  const actors = await closeExpired(ctx, streams, affected)
  const ids = new Set(changes.keys())
  for (const { watched } of related) for (const id of watched) ids.add(id)
  const findVisible = await canViewMany(ctx, [...actors.values()], [...ids])
  const formatOnce = createFormatter(ctx.now())
  for (const [id, change] of changes) {
    const concerned = new Set([...streams.watching(id), ...streams.ofUser(change.authorId)])
    for await (const stream of yieldingIterator(concerned)) {
      const actor = actors.get(stream)
      if (!actor || !stream.hidden) continue
      const bytes = messageFor(stream, actor, id, change, findVisible, formatOnce)
      if (bytes) streams.send(stream, bytes)
    }
  }
  for await (const stream of yieldingIterator(related)) {
    const actor = actors.get(stream)
    if (!actor || !stream.hidden) continue
    // A page that lost the right to something fetches again all that it shows; no message names what it lost.
    stream.hidden = hiddenFrom(stream, actor, findVisible)
    streams.send(stream, RELATIONSHIPS)
  }
  for await (const stream of yieldingIterator(ofVoices)) {
    if (actors.has(stream) && stream.hidden) streams.send(stream, VOICE_MESSAGES)
  }
  for await (const stream of yieldingIterator(ofNews)) {
    if (actors.has(stream) && stream.hidden) streams.send(stream, NOTIFICATIONS)
  }
}

/** Finds out what these streams may learn of, and sends that they are ready. */
export async function sendReady(
  ctx: AppContext,
  streams: EventStreams,
  unready: Iterable<EventStream>,
): Promise<void> {
  const actors = await closeExpired(ctx, streams, unready)
  if (actors.size === 0) return
  const ids = new Set([...actors.keys()].flatMap(({ watched }) => watched))
  const findVisible = await canViewMany(ctx, [...actors.values()], [...ids])
  for await (const [stream, actor] of yieldingIterator(actors)) {
    stream.hidden = hiddenFrom(stream, actor, findVisible)
    streams.send(stream, READY)
  }
}

/** Ends the streams whose session has ended, and answers the others with their actors. */
export async function closeExpired(
  ctx: AppContext,
  streams: EventStreams,
  candidates: Iterable<EventStream>,
): Promise<Map<EventStream, Actor>> {
  const all = [...candidates]
  const active = await findActiveActors(ctx, [...new Set(all.map((one) => one.sessionId))])
  const actors = new Map<EventStream, Actor>()
  for (const stream of all) {
    const actor = active.get(stream.sessionId)
    if (actor) actors.set(stream, actor)
    else streams.end(stream)
  }
  return actors
}

async function changesOf(
  ctx: AppContext,
  events: readonly DomainEvent[],
): Promise<Map<string, Change>> {
  const changes = new Map<string, Change>()
  function changeOf({ id, authorId }: { id: string; authorId: string }): Change {
    const change = changes.get(id) ?? { authorId, kinds: new Set(), isOfAuthor: false }
    changes.set(id, change)
    return change
  }
  for (const event of events) {
    if (event.type === 'delivery') changeOf(event).isOfAuthor = true
    if (event.type === 'revelation') changeOf(event).kinds.add(event.change)
  }
  for (const revelation of await listRevelationsOfFiles(ctx, idsOf(events, 'media'))) {
    changeOf(revelation).isOfAuthor = true
  }
  return changes
}

/** Of those whose voice messages changed, or who may know that a part of the file of one was rendered. */
async function streamsOfVoiceMessages(
  ctx: AppContext,
  streams: EventStreams,
  events: readonly DomainEvent[],
): Promise<Set<EventStream>> {
  const audience = await audienceOfFiles(ctx, idsOf(events, 'media'))
  return new Set([
    ...streamsOf(streams, events, 'sounds'),
    ...[...audience].flatMap((id) => [...streams.ofUser(id)]),
  ])
}

function streamsOf(
  streams: EventStreams,
  events: readonly DomainEvent[],
  type: 'relationships' | 'sounds' | 'notifications' | 'sessions',
): EventStream[] {
  return [...new Set(idsOf(events, type))].flatMap((id) => [...streams.ofUser(id)])
}

function idsOf(events: readonly DomainEvent[], type: DomainEvent['type']): string[] {
  return events.filter((event) => event.type === type).map(({ id }) => id)
}

function hiddenFrom({ watched }: EventStream, actor: Actor, findVisible: FindVisible): Set<string> {
  return new Set(watched.filter((id) => !findVisible(actor, id)))
}

type FormatOnce = (id: string, kinds: readonly RevelationChange[], counts: Counts) => Buffer
type Counts =
  | (Parameters<typeof presentPrediction>[0] & { reactionsCount: number; commentsCount: number })
  | undefined

/** Many pages get the same message: it is formatted once. */
function createFormatter(now: Date): FormatOnce {
  const formatted = new Map<string, Buffer>()
  return (id, kinds, counts) => {
    const key = `${id}/${kinds.join()}/${counts ? '' : 'gone'}`
    const found = formatted.get(key)
    if (found) return found
    const prediction =
      counts && kinds.includes('votes') ? presentPrediction(counts, now, undefined) : null
    const bytes = formatRevelationMessage({
      id,
      changed: [...kinds],
      ...(counts && {
        reactions_count: counts.reactionsCount,
        comments_count: counts.commentsCount,
      }),
      ...(prediction && { votes: prediction.votes }),
    })
    formatted.set(key, bytes)
    return bytes
  }
}

/** What this page learns of a change; undefined for nothing. */
function messageFor(
  stream: EventStream,
  actor: Actor,
  id: string,
  change: Change,
  findVisible: FindVisible,
  formatOnce: FormatOnce,
): Buffer | undefined {
  const envelope = findVisible(actor, id)
  const isAuthor = actor.userId === (envelope?.authorId ?? change.authorId)
  const kinds = new Set(change.kinds)
  if (isAuthor && change.isOfAuthor) kinds.add('state')
  const { hidden, watched } = stream
  if (!hidden || kinds.size === 0) return undefined
  if (envelope) {
    hidden.delete(id)
    return formatOnce(id, [...kinds], envelope)
  }
  // Deleted or hidden since: a page that shows it learns so, as a new request would answer; no other page learns anything.
  const isWatched = watched.includes(id)
  const wasKnown = isAuthor || (isWatched && !hidden.has(id))
  if (isWatched) hidden.add(id)
  return wasKnown && kinds.has('state') ? formatOnce(id, ['state'], undefined) : undefined
}
