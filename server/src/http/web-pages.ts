import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { isApiCall } from './api-calls.ts'
import { compressPage } from './compressed-page.ts'
import { createFirstScreens } from './first-screens.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const INDEX = path.join(WEB_FOLDER, 'index.html')
const RENDERER = fileURLToPath(
  new URL('../../../web/dist-server/render-first-screen.js', import.meta.url),
)
const A_YEAR_SECONDS = 31_536_000

/** What the policy of the pages must let run: the script that stands in their text, by its hash. */
export async function inlineScripts(): Promise<string[]> {
  if (!existsSync(INDEX)) return []
  const html = await readFile(INDEX, 'utf8')
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code)
  return scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}

/** Serves the built web app: hashed files for a year, and for every other path its page, never kept by anybody. */
export async function registerWebPages(app: FastifyInstance, ctx: AppContext): Promise<void> {
  if (!existsSync(INDEX)) {
    app.log.warn('web/dist is missing: run `npm run build` to serve the pages')
    return
  }
  await app.register(fastifyStatic, {
    root: WEB_FOLDER,
    index: false,
    wildcard: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, filePath) => {
      const isHashed = filePath.includes(`${path.sep}assets${path.sep}`)
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${A_YEAR_SECONDS}, immutable` : 'no-cache',
      )
    },
  })
  const makePage = createFirstScreens(app, ctx, { pages: WEB_FOLDER, renderer: RENDERER })
  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isApiCall(request)) throw notFound()
    const page = await makePage(request)
    if (page === 'unknown') {
      // A file that is not there, for instance of a former build; any other address leads home (specification §2).
      if (path.extname(request.url.split('?')[0] ?? '')) throw notFound()
      return reply.header('cache-control', 'no-store').redirect('/', 302)
    }
    if (page === 'browser') {
      return reply.header('cache-control', 'no-cache').sendFile('index.html', WEB_FOLDER)
    }
    const { body, encoding } = await compressPage(page.html, request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    // What a screen shows may be revealed the next moment: not even going back may bring an old one.
    return reply
      .code(page.status)
      .headers({
        'cache-control': page.hasScreen ? 'no-store' : 'no-cache',
        vary: 'accept-encoding',
      })
      .type('text/html; charset=utf-8')
      .send(body)
  }
  app.get('/*', { schema: { hide: true } }, answerPage)
}
