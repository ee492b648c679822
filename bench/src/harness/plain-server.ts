import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import fastifyMultipart from '@fastify/multipart'
import Fastify from 'fastify'

/** The read size of the program's own storage. */
const READ_BYTES = 512 * 1024
const WRITE_AHEAD_BYTES = 1024 * 1024

/**
 * The reference of the program, in a process of its own: a bare server that streams parts of one plain file, and one
 * that stores the file of a form as it arrives.
 */
const [served = '', received = ''] = process.argv.slice(2)

async function sendRange(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')?.map(Number) ?? []
  if (start === undefined || end === undefined) throw new Error('A request without a range')
  response.writeHead(206, { 'content-length': end - start + 1, 'content-type': 'video/mp4' })
  await pipeline(createReadStream(served, { start, end, highWaterMark: READ_BYTES }), response)
}

const reader = createServer((request, response) => {
  sendRange(request, response).catch(() => response.destroy())
}).listen(0, '127.0.0.1')
await once(reader, 'listening')

const writer = Fastify({ forceCloseConnections: true })
await writer.register(fastifyMultipart, { limits: { fileSize: Number.POSITIVE_INFINITY } })
writer.post('/', async (request, reply) => {
  const part = await request.file()
  if (!part) throw new Error('Send a file')
  const options = { flush: true, highWaterMark: WRITE_AHEAD_BYTES }
  await pipeline(part.file, createWriteStream(received, options))
  return reply.code(201).send({})
})
const uploads = await writer.listen({ host: '127.0.0.1', port: 0 })

const address = reader.address()
if (!address || typeof address === 'string') throw new Error('No port')
process.on('disconnect', () => process.exit(0))
process.send?.({ reads: `http://127.0.0.1:${address.port}`, uploads })
