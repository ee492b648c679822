import { HttpResponse, http, type RequestHandler } from 'msw'
import { type EventName, openEvents, type RevelationChanged } from '#contract/events.ts'

interface Stream {
  /** The ids the page watches. */
  watched: string[]
  authorization: string | null
  send(name: EventName, data?: RevelationChanged): void
  /** Whether the page has taken all that was said. */
  isOpen(): boolean
  /** As when the server goes away. */
  cut(): void
}

/** The server’s stream of events, and the streams that pages opened, in order. */
export function eventStream(): { handler: RequestHandler; streams: Stream[] } {
  const streams: Stream[] = []
  const handler = http.get(`${window.location.origin}${openEvents.url}`, ({ request }) => {
    const watch = new URL(request.url).searchParams.get('watch')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push({
          watched: watch ? watch.split(',') : [],
          authorization: request.headers.get('authorization'),
          send: (name, data) =>
            controller.enqueue(
              new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data ?? {})}\n\n`),
            ),
          isOpen: () => controller.desiredSize === 1,
          cut: () => controller.error(new Error('The server went away')),
        })
      },
    })
    return new HttpResponse(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  return { handler, streams }
}

/** A stream on which nothing happens: not even that it is ready. */
export function silentEvents(): RequestHandler {
  return eventStream().handler
}
