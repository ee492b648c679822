import { randomUUID } from 'node:crypto'
import { EVENT_NAMES, type EventName, type RevelationChanged } from '#contract/events.ts'
import { type Events, publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import type { Person } from './test-server.ts'

export interface PageEvent {
  name: EventName
  data: Partial<RevelationChanged>
}

/** An open page, with every event it received. */
export interface EventPage {
  readonly events: readonly PageEvent[]
  clear(): void
  /** Resolves with the first event not yet waited for that fits; fails when the stream ends first. */
  next(fits: (event: PageEvent) => boolean): Promise<PageEvent>
  /** Resolves when the server ends the stream. */
  ended: Promise<void>
  leave(): void
}

/** Opens a stream over real HTTP and waits until it is ready. */
export async function openPage(
  origin: string,
  as: Pick<Person, 'token'>,
  watch: readonly string[] = [],
): Promise<EventPage> {
  const leaving = new AbortController()
  const query = watch.length > 0 ? `?watch=${watch.join()}` : ''
  const response = await fetch(`${origin}/api/events${query}`, {
    headers: { authorization: `Bearer ${as.token}` },
    signal: leaving.signal,
  })
  if (!response.ok || !response.body) throw new Error(`No stream: ${response.status}`)
  const events: PageEvent[] = []
  let waitedFor = 0
  let isOver = false
  let wake = () => {}

  async function read(body: NonNullable<typeof response.body>): Promise<void> {
    let text = ''
    try {
      for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        text += piece
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = readEvent(block)
          if (event) events.push(event)
        }
        wake()
      }
    } catch {
      // The page was left, or the stream was cut.
    } finally {
      isOver = true
      wake()
    }
  }

  const ended = read(response.body)
  const page: EventPage = {
    events,
    clear() {
      events.length = 0
      waitedFor = 0
    },
    async next(fits) {
      for (;;) {
        while (waitedFor < events.length) {
          const event = events[waitedFor]
          waitedFor += 1
          if (event && fits(event)) return event
        }
        if (isOver) throw new Error('The stream ended')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    ended,
    leave: () => leaving.abort(),
  }
  await page.next(({ name }) => name === 'ready')
  return page
}

/** Resolves once the page has received all earlier events: one more event, of its own, has arrived after them. */
export async function catchUp(
  ctx: { events: Events },
  page: EventPage,
  userId: string,
): Promise<void> {
  const id = randomUUID()
  publishRevelationChanged(ctx, { id, authorId: userId }, 'state')
  await page.next(({ data }) => data.id === id)
}

function readEvent(block: string): PageEvent | undefined {
  const name = /^event: (.+)$/m.exec(block)?.[1] as EventName | undefined
  if (!name) return undefined
  if (!EVENT_NAMES.includes(name)) throw new Error(`An event of no known name: ${name}`)
  return { name, data: JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? '{}') }
}
