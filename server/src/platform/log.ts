import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream } from 'pino'

/** JSON lines; never bodies, tokens, addresses or anything of a letter. */
export type Log = FastifyBaseLogger

/** The log of the program. Libraries that tell the headers of a request would tell its token and the size of a file. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, redact: { paths: ['headers', '*.headers'], remove: true } }
  return destination ? pino(options, destination) : pino(options)
}
