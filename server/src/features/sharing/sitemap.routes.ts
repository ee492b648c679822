import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { readPagesSitemap, readSitemap, readSitemapIndex } from './sitemap.service.ts'

/** Pages of an account, on which a visitor is led to sign in. The API is allowed: search engines run pages to read them. */
const OWN_PAGES = ['/create', '/edit', '/family', '/profile', '/statistiques', '/subscription']

const schema = { hide: true }
const config = rateLimit(60, '1 minute', { shared: false })

/** The files that search engines request first. */
export function sitemapRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/robots.txt', { schema }, (_request, reply) =>
      send(reply, 'text/plain', robotsOf(ctx.config.http.publicUrl)),
    )

    app.get('/sitemap.xml', { config, schema }, async (_request, reply) =>
      send(reply, 'application/xml', await readSitemapIndex(ctx)),
    )

    app.get(
      '/sitemap/:name',
      { config, schema: { ...schema, params: z.object({ name: z.string() }) } },
      async (request, reply) => {
        const { name } = request.params
        if (name === 'pages.xml') return send(reply, 'application/xml', readPagesSitemap(ctx))
        const share = /^revelations(?:-([0-9a-f]{1,6}))?\.xml$/.exec(name)
        if (!share) throw notFound()
        return send(reply, 'application/xml', await readSitemap(ctx, share[1] ?? ''))
      },
    )
  }
}

/** Never cached: a revelation that stops being public is not named a moment later. */
function send(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(text)
}

function robotsOf(publicUrl: string): string {
  return [
    'User-agent: *',
    ...OWN_PAGES.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
