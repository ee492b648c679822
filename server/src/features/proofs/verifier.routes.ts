import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { formatPage, publishedHashes, verifierPage } from './verifier.service.ts'

const schema = { hide: true }
const config = rateLimit(60, '1 minute', { shared: false })

/** The page that verifies proofs without this site, and the document of their format. */
export function verifierRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/verificateur.html', { config, schema }, async (_request, reply) => {
      const page = await verifierPage(ctx)
      if (page === undefined) throw notFound()
      return reply
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': policyOf(page) })
        .type('text/html; charset=utf-8')
        .send(page)
    })

    app.get('/verificateur.sha256', { config, schema }, async (_request, reply) => {
      const hashes = await publishedHashes()
      if (hashes === undefined) throw notFound()
      return reply
        .header('cache-control', 'no-cache')
        .type('text/plain; charset=utf-8')
        .send(hashes)
    })

    app.get('/format-de-preuve.md', { config, schema }, async (_request, reply) => {
      const format = await formatPage()
      if (!format) throw notFound()
      return reply
        .header('cache-control', 'no-cache')
        .type('text/plain; charset=utf-8')
        .send(format.text)
    })
  }
}

/** It works where it is opened, too, apart from everything else of this site: its one script, and no call. */
function policyOf(page: string): string {
  const [, script = ''] = /<script type="module">(.*?)<\/script>/s.exec(page) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${hash}'`,
    // The same script, for proofs that take long.
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
