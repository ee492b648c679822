/**
 * Something that happened, as the processes tell each other. Ids and kinds only: whoever passes it on to somebody
 * asks the gate first, and reads the rest afresh.
 */
export type Happening =
  | { about: 'revelation'; id: string; authorId: string; change: RevelationChange }
  /** A part of a file was made, or will not be. */
  | { about: 'media'; id: string }
  /** A step in the journal of this revelation's delivery, which its author alone may read. */
  | { about: 'delivery'; id: string; authorId: string }
  /** Requests, relationships or blocks of this person changed. */
  | { about: 'relationships'; id: string }
  /** The sounds this person may know of changed. */
  | { about: 'sounds'; id: string }
  /** Some session of this person ended. */
  | { about: 'sessions'; id: string }

export type RevelationChange = 'reactions' | 'comments' | 'votes' | 'state'

export interface Events {
  /** Tells every process; from within a transaction, once it has committed. */
  publish(happening: Happening): void
}

export function publishRevelationChanged(
  { events }: { events: Events },
  { id, authorId }: { id: string; authorId: string },
  change: RevelationChange,
): void {
  events.publish({ about: 'revelation', id, authorId, change })
}

export function publishRelationshipsChanged(
  { events }: { events: Events },
  userIds: readonly string[],
): void {
  for (const id of userIds) events.publish({ about: 'relationships', id })
}

/** The sounds these people may know of changed. */
export function publishSoundsChanged(
  { events }: { events: Events },
  userIds: Iterable<string>,
): void {
  for (const id of userIds) events.publish({ about: 'sounds', id })
}

/** Some session of this person ended: its streams end with it. */
export function publishSessionsEnded({ events }: { events: Events }, userId: string): void {
  events.publish({ about: 'sessions', id: userId })
}

/** A part of a file was made, or will not be: its owner waits for it. */
export function publishMediaSettled({ events }: { events: Events }, mediaId: string): void {
  events.publish({ about: 'media', id: mediaId })
}

/** Something was noted in the journal of a revelation's delivery. */
export function publishDeliveryChanged(
  { events }: { events: Events },
  { revelationId, authorId }: { revelationId: string; authorId: string },
): void {
  events.publish({ about: 'delivery', id: revelationId, authorId })
}
