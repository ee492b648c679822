import type { QueryClient } from '@tanstack/react-query'
import { type RevelationChanged, revelationChangedSchema } from '#contract/events.ts'
import { REVEALS_KEY } from '#web/features/calendar/calendar.queries.ts'
import { CIRCLE_KEY } from '#web/features/circle/circle.queries.ts'
import {
  commentsQuery,
  isCommenting,
  refreshComments,
} from '#web/features/comments/comments.queries.ts'
import { isVoting } from '#web/features/predictions/predictions.queries.ts'
import { isReacting, reactionsQuery } from '#web/features/reactions/reactions.queries.ts'
import {
  idsInUse,
  patchRevelation,
  REVELATIONS_KEY,
} from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation, revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { VOICE_MESSAGES_KEY } from '#web/features/voice-messages/voice-message-cache.ts'
import { whenAnswered } from '#web/lib/asked-now.ts'

/** However lively a revelation is, its page asks for what changed once in this time. */
const REST_MS = 1000

type Change = RevelationChanged['changed'][number]

/** Brings what this page shows up to date, as events tell of it. */
export function createLiveChanges(client: QueryClient) {
  const resting = new Map<string, { timer: ReturnType<typeof setTimeout>; waiting: Set<Change> }>()
  let isStopped = false
  const soundsRest = createRest(() => askSoundsAgain(client))

  function take(id: string, changes: Iterable<Change>): void {
    const rest = resting.get(id)
    if (rest) {
      for (const change of changes) rest.waiting.add(change)
      return
    }
    void askAgain(client, id, new Set(changes))
    const timer = setTimeout(() => {
      const waiting = resting.get(id)?.waiting
      resting.delete(id)
      if (waiting?.size) take(id, waiting)
    }, REST_MS)
    resting.set(id, { timer, waiting: new Set() })
  }

  return {
    async onRevelation(data: string): Promise<void> {
      const event = revelationChangedSchema.safeParse(parse(data))
      if (!event.success) return
      await whenAnswered(client, { queryKey: REVELATIONS_KEY })
      if (isStopped || !idsInUse(client).includes(event.data.id)) return
      showCounts(client, event.data)
      take(event.data.id, event.data.changed)
    },
    /** These are told of from now on: what a page of one shows may have changed since it was asked. */
    onWatched(ids: string[]): void {
      for (const id of ids) {
        const { queryKey } = revelationQuery(id)
        const isOpen = client.getQueryCache().find({ queryKey, type: 'active' })
        if (isOpen) take(id, ['state', 'reactions', 'comments'])
      }
    },
    onSounds: soundsRest.wake,
    stop(): void {
      isStopped = true
      soundsRest.stop()
      for (const { timer } of resting.values()) clearTimeout(timer)
      resting.clear()
    },
  }
}

/** Does `work` at once, then at most once in a while, however often it is woken. */
function createRest(work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false
  function wake(): void {
    isWaiting = timer !== undefined
    if (isWaiting) return
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (isWaiting) wake()
    }, REST_MS)
  }
  return { wake, stop: () => clearTimeout(timer) }
}

/** The voices, and what their instants and figures are part of. What plays goes on: its file is the same. */
function askSoundsAgain(client: QueryClient): void {
  for (const queryKey of [VOICE_MESSAGES_KEY, CIRCLE_KEY, REVEALS_KEY]) {
    void whenAnswered(client, { queryKey }).then(() => client.invalidateQueries({ queryKey }))
  }
}

/** Counts may be shown as they come, unless my own tap is on its way and already counted here. */
function showCounts(client: QueryClient, event: RevelationChanged): void {
  const { id, reactions_count, comments_count, votes } = event
  patchRevelation(client, id, {
    ...(reactions_count !== undefined && !isReacting(client, id) && { reactions_count }),
    ...(comments_count !== undefined && !isCommenting(client, id) && { comments_count }),
  })
  if (!votes || isVoting(client, id)) return
  patchRevelation(client, id, ({ prediction }) => ({
    prediction: prediction && { ...prediction, votes },
  }))
}

/** What cannot be read now is read when the page asks next. */
async function askAgain(client: QueryClient, id: string, changes: Set<Change>): Promise<void> {
  const asked: Promise<unknown>[] = []
  if (changes.has('state')) asked.push(reloadRevelation(client, id))
  if (changes.has('reactions') && !isReacting(client, id)) {
    asked.push(client.invalidateQueries({ queryKey: reactionsQuery(id).queryKey }))
  }
  if (changes.has('comments') && client.getQueryState(commentsQuery(id).queryKey)) {
    asked.push(refreshComments(client, id))
  }
  await Promise.allSettled(asked)
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
