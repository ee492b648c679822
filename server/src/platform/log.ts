import type { FastifyBaseLogger } from 'fastify'

/** JSON lines; never bodies, tokens, addresses or anything of a letter. */
export type Log = FastifyBaseLogger
