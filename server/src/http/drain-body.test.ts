import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { drainBodyOnError } from './bodies.ts'

const AN_HOUR_MS = 3_600_000
let app: FastifyInstance

afterEach(() => app.close())

/** A server that refuses before it has read a body, and a client that sends the beginning of one. */
async function refused(lingerMs: number) {
  app = Fastify()
  drainBodyOnError(app, lingerMs)
  app.addHook('onRequest', async (_request, reply) => reply.code(429).send('no'))
  app.post('/', async () => 'never')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  const post = async (body: string, connection = 'keep-alive') => {
    const headers = `content-type: multipart/form-data\r\ncontent-length: 4\r\nconnection: ${connection}`
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`)
    const [answer] = await once(socket, 'data')
    return String(answer)
  }
  return { socket, post }
}

it('disconnects a client that goes on sending after the refusal', async () => {
  const { socket, post } = await refused(1)
  const closed = once(socket, 'close')
  expect(await post('12')).toContain('429')
  await closed
})

it('serves the next request of a client that has sent the rest', async () => {
  const { socket, post } = await refused(AN_HOUR_MS)
  expect(await post('12')).toContain('429')
  socket.write('34')
  expect(await post('1234')).toContain('429')
  socket.destroy()
})

it('closes no connection under a client that asked for it and still sends', async () => {
  const { socket, post } = await refused(AN_HOUR_MS)
  expect(await post('12', 'close')).toContain('429')
  // What the server does after its answer is done once it has answered another client.
  const { port } = app.server.address() as AddressInfo
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('no')
  expect(socket.readableEnded).toBe(false)
  const [hadError] = await Promise.all([once(socket, 'close'), socket.write('34')])
  expect(hadError).toEqual([false])
})
