import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { CreatePageRenderer } from '../contract/src/page-renderer.ts'

/** In development, pages rendered as the server does, by the modules as they are now; what they show is asked of `api`. */
export function renderedPages(api: string): Plugin {
  return {
    name: 'rendered-pages',
    apply: 'serve',
    config: () => ({ appType: 'custom' }),
    configureServer: (server) => () => {
      server.middlewares.use(async (request, response, next) => {
        const url = request.originalUrl ?? '/'
        try {
          const file = await readFile(path.join(server.config.root, 'index.html'), 'utf8')
          const template = await server.transformIndexHtml(url, file)
          const { createPageRenderer } = (await server.ssrLoadModule('/src/entry.server.tsx')) as {
            createPageRenderer: CreatePageRenderer
          }
          const page = await createPageRenderer(template)({
            path: url,
            origin: `http://${request.headers.host}`,
            nowMs: Date.now,
            fetchApi: (apiPath, init) => fetch(api + apiPath, init),
          })
          if (page?.failure) {
            server.config.logger.error(`${page.failure.route}: ${page.failure.error}`)
          }
          response.writeHead(
            page?.status ?? 302,
            page ? { 'content-type': 'text/html' } : { location: '/' },
          )
          response.end(page?.html)
        } catch (error) {
          next(error)
        }
      })
    },
  }
}
