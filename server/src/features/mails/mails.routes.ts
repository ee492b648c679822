import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { readMailLink, resubscribe, unsubscribe } from '#contract/mail-links.ts'
import type { AppContext } from '#server/context.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { getMailLink, readMailToken, resumeMails, stopMails } from './mail-links.service.ts'

export function mailRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    // A mail program posts « List-Unsubscribe=One-Click » as one form or the other (RFC 8058): the token suffices.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, undefined),
    )

    app.route({
      ...readMailLink,
      config: rateLimit(60, '1 minute'),
      handler: async ({ body }) => getMailLink(ctx, readMailToken(ctx, body.token)),
    })

    app.route({
      ...unsubscribe,
      config: rateLimit(60, '1 minute'),
      handler: async ({ query }) => {
        await stopMails(ctx, readMailToken(ctx, query.token))
        return { success: true as const }
      },
    })

    // A GET stops nothing: people follow the address by hand, and scanners open every link.
    app.get(
      unsubscribe.url,
      { schema: { ...unsubscribe.schema, summary: 'The page that asks before it stops' } },
      async ({ query }, reply) =>
        reply.redirect(`/ne-plus-recevoir#jeton=${encodeURIComponent(query.token)}`, 303),
    )

    app.route({
      ...resubscribe,
      config: rateLimit(60, '1 minute'),
      handler: async ({ body }) => {
        await resumeMails(ctx, readMailToken(ctx, body.token))
        return { success: true as const }
      },
    })
  }
}
