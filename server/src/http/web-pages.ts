import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '#server/errors.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const A_YEAR_SECONDS = 31_536_000

/** Serves the built web app: hashed files for a year, the page itself fresh, every other path the page. */
export async function registerWebPages(app: FastifyInstance): Promise<void> {
  if (!existsSync(path.join(WEB_FOLDER, 'index.html'))) {
    app.log.warn('web/dist is missing: run `npm run build` to serve the pages')
    return
  }
  await app.register(fastifyStatic, {
    root: WEB_FOLDER,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, filePath) => {
      const isHashed = filePath.includes(`${path.sep}assets${path.sep}`)
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${A_YEAR_SECONDS}, immutable` : 'no-cache',
      )
    },
  })
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const isPage =
      !request.url.startsWith('/api/') && !path.extname(request.url.split('?')[0] ?? '')
    if (!isPage) throw notFound()
    return reply.header('cache-control', 'no-cache').sendFile('index.html', WEB_FOLDER)
  })
}
