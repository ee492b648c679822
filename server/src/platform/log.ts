import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type SerializedError } from 'pino'

/** JSON lines; never bodies, tokens, addresses or anything of a letter. */
export type Log = FastifyBaseLogger

/** The log of the program, without the headers of requests: they contain tokens and the sizes of files. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    redact: { paths: ['headers', '*.headers'], remove: true },
    serializers: { err: pino.stdSerializers.wrapErrorSerializer(withoutRow) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Removes the refused row from errors of PostgreSQL: it contains titles and addresses. */
function withoutRow({ detail, where, ...error }: SerializedError): SerializedError {
  return error as SerializedError
}
