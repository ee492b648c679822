import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEventStreams, type EventStream } from './event-streams.ts'

let server: Server
let page: Socket

beforeEach(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  page.destroy()
  server.close()
  server.closeAllConnections()
})

async function connectPage(): Promise<ServerResponse> {
  page = connect((server.address() as AddressInfo).port, '127.0.0.1')
  page.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return response
}

function streamOn(response: ServerResponse): EventStream {
  return { userId: 'u', sessionId: 's', watched: ['r'], response, hidden: undefined }
}

it('cuts a stream that its page does not read, and no other', async () => {
  const streams = createEventStreams()
  const response = await connectPage()
  const stream = streamOn(response)
  streams.add(stream)
  const bytes = Buffer.alloc(64 * 1024)
  page.resume()
  for (let more = 0; more < 20; more += 1) {
    streams.send(stream, bytes)
    if (response.writableNeedDrain) await once(response, 'drain')
  }
  expect([...streams.watching('r')]).toEqual([stream])
  page.pause()
  // More than the kernels of both sides buffer.
  for (let more = 0; more < 2_000 && streams.all.size > 0; more += 1) {
    streams.send(stream, bytes)
    await new Promise(setImmediate)
  }
  expect(streams.all.size).toBe(0)
  expect(response.destroyed).toBe(true)
})

it('removes a stream whose page has gone from every index', async () => {
  const streams = createEventStreams()
  const response = await connectPage()
  streams.add(streamOn(response))
  page.destroy()
  await once(response, 'close')
  expect(streams.all.size).toBe(0)
  expect([...streams.ofUser('u'), ...streams.watching('r')]).toEqual([])
})
