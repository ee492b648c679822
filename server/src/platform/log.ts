import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type SerializedError } from 'pino'

/** JSON lines; never bodies, tokens, addresses or anything of a letter. */
export type Log = FastifyBaseLogger

/** The log of the program. Libraries that tell the headers of a request would tell its token and the size of a file. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    redact: { paths: ['headers', '*.headers'], remove: true },
    serializers: { err: pino.stdSerializers.wrapErrorSerializer(withoutRow) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** PostgreSQL repeats the row that it refused: its title, its addresses. */
function withoutRow({ detail, where, ...error }: SerializedError): SerializedError {
  return error as SerializedError
}
