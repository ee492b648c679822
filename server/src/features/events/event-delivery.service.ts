import { setImmediate } from 'node:timers/promises'
import type { AppContext } from '#server/context.ts'
import { listRevelationsOfFiles } from '#server/features/access/envelopes.service.ts'
import { canViewMany, type FindVisible } from '#server/features/access/viewers.service.ts'
import { findActiveActors } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { presentPrediction } from '#server/features/predictions/predictions.rules.ts'
import { audienceOfFiles } from '#server/features/voice-messages/voice-message-viewers.service.ts'
import type { DomainEvent, RevelationChange } from '#server/platform/pubsub/pubsub.ts'
import { READY, RELATIONSHIPS, revelationMessage, SOUNDS } from './event-messages.ts'
import type { EventStream, EventStreams } from './event-streams.ts'

const STREAMS_IN_A_ROW = 32

/** What changed of one revelation since the last delivery. */
interface Change {
  authorId: string
  kinds: Set<RevelationChange>
  /** Besides, what only its author may hear of: how a file is coming on, what became of the delivery. */
  isOfAuthor: boolean
}

/**
 * Passes on what happened to the streams of this process. What arrives says only where to look: whose session lives,
 * who may know of what and how many there are is read afresh, once for all streams.
 */
export async function deliver(
  ctx: AppContext,
  streams: EventStreams,
  happenings: readonly DomainEvent[],
): Promise<void> {
  const changes = await changesOf(ctx, happenings)
  const related = streamsOf(streams, happenings, 'relationships')
  const sounding = await streamsOfSounds(ctx, streams, happenings)
  const concerned = new Set([
    ...related,
    ...sounding,
    ...streamsOf(streams, happenings, 'sessions'),
  ])
  for (const [id, { authorId }] of changes) {
    for (const stream of streams.watching(id)) concerned.add(stream)
    for (const stream of streams.ofUser(authorId)) concerned.add(stream)
  }
  if (concerned.size === 0) return
  const actors = await closeExpired(ctx, streams, concerned)
  const ids = new Set(changes.keys())
  for (const { watched } of related) for (const id of watched) ids.add(id)
  const sight = await canViewMany(ctx, [...actors.values()], [...ids])
  const messageOf = createMessages(ctx.now())
  for (const [id, change] of changes) {
    const heard = new Set([...streams.watching(id), ...streams.ofUser(change.authorId)])
    for await (const stream of yieldingIterator(heard)) {
      const actor = actors.get(stream)
      if (!actor || !stream.hidden) continue
      const bytes = tell(stream, actor, id, change, sight, messageOf)
      if (bytes) streams.send(stream, bytes)
    }
  }
  for await (const stream of yieldingIterator(related)) {
    const actor = actors.get(stream)
    if (!actor || !stream.hidden) continue
    // A page that lost the right to something asks again for all it shows; nothing more is said about that.
    stream.hidden = hiddenFrom(stream, actor, sight)
    streams.send(stream, RELATIONSHIPS)
  }
  for await (const stream of yieldingIterator(sounding)) {
    if (actors.has(stream) && stream.hidden) streams.send(stream, SOUNDS)
  }
}

/** Finds out what these streams may know of and tells them that from now on they hear of it. */
export async function makeReady(
  ctx: AppContext,
  streams: EventStreams,
  concerned: Iterable<EventStream>,
): Promise<void> {
  const actors = await closeExpired(ctx, streams, concerned)
  if (actors.size === 0) return
  const ids = new Set([...actors.keys()].flatMap(({ watched }) => watched))
  const sight = await canViewMany(ctx, [...actors.values()], [...ids])
  for await (const [stream, actor] of yieldingIterator(actors)) {
    stream.hidden = hiddenFrom(stream, actor, sight)
    streams.send(stream, READY)
  }
}

/** Lets requests through in between: thousands of streams are not worth a pause of everybody else. */
export async function* yieldingIterator<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % STREAMS_IN_A_ROW === 0) await setImmediate()
  }
}

/** Ends the streams whose session has ended; the others with who they speak to. */
export async function closeExpired(
  ctx: AppContext,
  streams: EventStreams,
  concerned: Iterable<EventStream>,
): Promise<Map<EventStream, Actor>> {
  const asked = [...concerned]
  const living = await findActiveActors(ctx, [...new Set(asked.map((one) => one.sessionId))])
  const actors = new Map<EventStream, Actor>()
  for (const stream of asked) {
    const actor = living.get(stream.sessionId)
    if (actor) actors.set(stream, actor)
    else streams.end(stream)
  }
  return actors
}

async function changesOf(
  ctx: AppContext,
  happenings: readonly DomainEvent[],
): Promise<Map<string, Change>> {
  const changes = new Map<string, Change>()
  function changeOf({ id, authorId }: { id: string; authorId: string }): Change {
    const change = changes.get(id) ?? { authorId, kinds: new Set(), isOfAuthor: false }
    changes.set(id, change)
    return change
  }
  const mediaIds: string[] = []
  for (const happening of happenings) {
    if (happening.type === 'media') mediaIds.push(happening.id)
    if (happening.type === 'delivery') changeOf(happening).isOfAuthor = true
    if (happening.type === 'revelation') changeOf(happening).kinds.add(happening.change)
  }
  for (const revelation of await listRevelationsOfFiles(ctx, mediaIds)) {
    changeOf(revelation).isOfAuthor = true
  }
  return changes
}

/** Of those whose sounds changed, or who may hear that a part of a sound’s file was made. */
async function streamsOfSounds(
  ctx: AppContext,
  streams: EventStreams,
  happenings: readonly DomainEvent[],
): Promise<Set<EventStream>> {
  const mediaIds = happenings.filter(({ type }) => type === 'media').map(({ id }) => id)
  const ofFiles = await audienceOfFiles(ctx, mediaIds)
  return new Set([
    ...streamsOf(streams, happenings, 'sounds'),
    ...[...ofFiles].flatMap((id) => [...streams.ofUser(id)]),
  ])
}

function streamsOf(
  streams: EventStreams,
  happenings: readonly DomainEvent[],
  type: 'relationships' | 'sounds' | 'sessions',
): EventStream[] {
  const userIds = happenings.filter((one) => one.type === type).map(({ id }) => id)
  return [...new Set(userIds)].flatMap((id) => [...streams.ofUser(id)])
}

function hiddenFrom({ watched }: EventStream, actor: Actor, sight: FindVisible): Set<string> {
  return new Set(watched.filter((id) => !sight(actor, id)))
}

type MessageOf = (id: string, kinds: readonly RevelationChange[], counts: Counts) => Buffer
type Counts =
  | (Parameters<typeof presentPrediction>[0] & { reactionsCount: number; commentsCount: number })
  | undefined

/** Many pages hear the same: it is written once. */
function createMessages(now: Date): MessageOf {
  const written = new Map<string, Buffer>()
  return (id, kinds, counts) => {
    const key = `${id}/${kinds.join()}/${counts ? '' : 'gone'}`
    const found = written.get(key)
    if (found) return found
    const prediction =
      counts && kinds.includes('votes') ? presentPrediction(counts, now, undefined) : null
    const bytes = revelationMessage({
      id,
      changed: [...kinds],
      ...(counts && {
        reactions_count: counts.reactionsCount,
        comments_count: counts.commentsCount,
      }),
      ...(prediction && { votes: prediction.votes }),
    })
    written.set(key, bytes)
    return bytes
  }
}

/** What this page hears of a change; undefined for nothing. */
function tell(
  stream: EventStream,
  actor: Actor,
  id: string,
  change: Change,
  sight: FindVisible,
  messageOf: MessageOf,
): Buffer | undefined {
  const envelope = sight(actor, id)
  const isAuthor = actor.userId === (envelope?.authorId ?? change.authorId)
  const kinds = new Set(change.kinds)
  if (isAuthor && change.isOfAuthor) kinds.add('state')
  const { hidden, watched } = stream
  if (!hidden || kinds.size === 0) return undefined
  if (envelope) {
    hidden.delete(id)
    return messageOf(id, [...kinds], envelope)
  }
  // Deleted or hidden since: a page that shows it learns so, as by asking again; nobody else learns anything.
  const isWatched = watched.includes(id)
  const wasKnown = isAuthor || (isWatched && !hidden.has(id))
  if (isWatched) hidden.add(id)
  return wasKnown && kinds.has('state') ? messageOf(id, ['state'], undefined) : undefined
}
