import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { votesSchema } from './predictions.ts'

/** How many revelations one page may watch; a longer list watches the last ones it shows. */
export const WATCHED_MAX = 100

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const IDS = new RegExp(`^${ID}(?:,${ID})*$`, 'i')
const WATCH = 'Les révélations à suivre ne sont pas valides'

/**
 * Something changed on a revelation this viewer may know of. Counts only: whatever else changed is asked for
 * again through the gate, where it may turn out to be gone.
 */
export const revelationChangedSchema = z.object({
  id: z.string(),
  /** `state`: revealed, edited, processed, deleted, or its outcome declared. */
  changed: z.array(z.enum(['reactions', 'comments', 'votes', 'state'])),
  reactions_count: z.optional(z.number()),
  comments_count: z.optional(z.number()),
  /** Of what is public and revealed, where votes changed. */
  votes: z.optional(votesSchema),
})
export type RevelationChanged = z.infer<typeof revelationChangedSchema>

export const EVENT_NAMES = [
  'ready',
  'revelation',
  'relationships',
  'sounds',
  'notifications',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

/**
 * A stream of server-sent events (`text/event-stream`): `ready` first (and again after a pause in which something
 * may have happened unheard: what is shown is asked for again), then `revelation` with `RevelationChanged` as data, or
 * `relationships` (requests, relationships or blocks changed), `sounds` (the voices of my circle changed) or `notifications`
 * (something happened to me, or was read on another page) with `{}`. Comment lines keep it alive. It ends with the session.
 */
export const openEvents = defineEndpoint({
  method: 'GET',
  url: '/api/events',
  schema: {
    summary:
      'What happens to my revelations, to my relationships and to what this page watches, as server-sent events',
    tags: ['events'],
    querystring: z.object({
      /** Ids between commas: what the page shows besides one’s own. */
      watch: z.optional(
        z.string(WATCH).check(z.maxLength(40 * WATCHED_MAX, WATCH), z.regex(IDS, WATCH)),
      ),
    }),
    response: { 200: z.string() },
  },
})
