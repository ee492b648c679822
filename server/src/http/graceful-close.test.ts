import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { closeConnectionsOnStop, closeGracefully } from './graceful-close.ts'

const AN_HOUR_MS = 3_600_000

async function listening(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

it('ends the answer under way, and does not wait for its connection to be used again', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  const answer = new PassThrough()
  answer.write('the whole ')
  app.get('/', async () => answer)
  const port = await listening(app)
  const agent = new http.Agent({ keepAlive: true })
  const [response] = await once(http.get({ port, agent }), 'response')
  const closed = closeGracefully(app, { answerWithinMs: AN_HOUR_MS, idleForMs: 1 })
  answer.end('answer')
  expect(await text(response)).toBe('the whole answer')
  await closed
  agent.destroy()
})

it('answers what is asked on an open connection, and lets nobody in', async () => {
  const app = Fastify()
  const stop = new AbortController()
  closeConnectionsOnStop(app, stop.signal)
  app.get('/', async () => 'the answer')
  const port = await listening(app)
  const agent = new http.Agent({ keepAlive: true })
  const get = async (over?: http.Agent) => {
    const [response] = await once(http.get({ port, agent: over }), 'response')
    return { connection: response.headers.connection, body: await text(response) }
  }
  expect(await get(agent)).toMatchObject({ connection: 'keep-alive' })
  stop.abort()
  const closed = closeGracefully(app, { answerWithinMs: AN_HOUR_MS, idleForMs: AN_HOUR_MS })
  while (app.server.listening) await setImmediate()
  await expect(get()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(await get(agent)).toEqual({ connection: 'close', body: 'the answer' })
  await closed
  agent.destroy()
})

it('cuts a connection on which nothing is asked, and an answer that nobody reads', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  const film = Buffer.alloc(64 * 1024 * 1024)
  app.get('/', async () => film)
  const port = await listening(app)
  const accepted = once(app.server, 'connection')
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await accepted
  const [response] = await once(http.get({ port }), 'response')
  const cut = once(response, 'error')
  await closeGracefully(app, { answerWithinMs: 1 })
  response.resume()
  await cut
  if (!silent.closed) await once(silent, 'close')
})
