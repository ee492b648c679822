import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { base64Of } from '#contract/proofs/bytes.ts'
import * as endpoints from '#contract/proofs/endpoints.ts'
import { parseTilePath } from '#contract/proofs/tiles.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import * as log from './log.service.ts'

/** What is in the log never changes; only its end does. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_SECONDS = 'public, max-age=5'

/** The log, for everybody who wants to check or to mirror it (docs/proof.md). */
export function proofRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    /** Only answers may be cached: what is not there yet may be there in a minute. */
    async function cacheable<T>(
      reply: FastifyReply,
      answer: Promise<T>,
      how = FOR_EVER,
    ): Promise<T> {
      const body = await answer
      reply.header('cache-control', how)
      return body
    }

    app.route({
      ...endpoints.getLogKey,
      handler: async (_request, reply) => {
        const key = await cacheable(reply, log.getLogKey(ctx), FOR_SECONDS)
        return reply.type('text/plain; charset=utf-8').send(`${key}\n`)
      },
    })

    app.route({
      ...endpoints.getLogKeys,
      handler: async (_request, reply) => cacheable(reply, log.getLogKeys(ctx), FOR_SECONDS),
    })

    app.route({
      ...endpoints.getCheckpoint,
      handler: async (_request, reply) => {
        const note = await cacheable(reply, log.getCheckpoint(ctx), FOR_SECONDS)
        return reply.type('text/plain; charset=utf-8').send(note)
      },
    })

    app.route({
      ...endpoints.getInclusion,
      handler: async ({ query: { leaf, size } }, reply) => {
        const { leafHash, hashes } = await cacheable(reply, log.proveInclusion(ctx, leaf, size))
        return { leaf, size, leaf_hash: base64Of(leafHash), hashes }
      },
    })

    app.route({
      ...endpoints.getConsistency,
      handler: async ({ query: { from, to } }, reply) => ({
        from,
        to,
        hashes: await cacheable(reply, log.proveConsistency(ctx, from, to)),
      }),
    })

    app.get(
      '/api/proofs/tile/:level/*',
      { schema: endpoints.getTile.schema, config: { scope: 'read' } },
      async (request, reply) => {
        const tile = parseTilePath(`${request.params.level}/${request.params['*']}`)
        if (!tile) throw notFound()
        const bytes = await cacheable(reply, log.getTile(ctx, tile))
        return reply.type('application/octet-stream').send(bytes)
      },
    )
  }
}
