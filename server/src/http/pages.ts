import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_CLOCK } from '#contract/endpoint.ts'
import type { CreatePageRenderer, RenderPage } from '#contract/page-renderer.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { callAsVisitor } from './page-calls.ts'
import { createCounter } from './rate-limits.ts'
import { isApiCall } from './requests.ts'
import { type CompressedPage, createSharedPages, type PageBuilder } from './shared-pages.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const INDEX = path.join(WEB_FOLDER, 'index.html')
const RENDERER = fileURLToPath(new URL('../../../web/dist-server/entry.server.js', import.meta.url))
const A_YEAR_SECONDS = 31_536_000
/** Rendered pages per minute and network: at ten milliseconds each, a twentieth of a processor. */
const RENDERED_PER_MINUTE = 300

/** Sources of the pages' content policy: the hash of each script in their own text. */
export async function inlineScripts(): Promise<string[]> {
  if (!existsSync(INDEX)) return []
  const html = await readFile(INDEX, 'utf8')
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code)
  return scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}

/** Serves the built web app: hashed files, cached for a year, and a page for every other path, cached nowhere. */
export async function registerPages(app: FastifyInstance, ctx: AppContext): Promise<void> {
  if (!existsSync(INDEX)) {
    app.log.warn('web/dist is missing: run `npm run build` to serve the pages')
    return
  }
  // Named here instead of by a route each: there are a thousand, and looking for one that is missing reads no folder.
  const files = new Set(await listFiles(WEB_FOLDER))
  await app.register(fastifyStatic, {
    root: WEB_FOLDER,
    serve: false,
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
  let loading: Promise<RenderPage> | undefined
  const renderer = () => {
    loading ??= loadRenderer()
    return loading
  }
  // The first visitor does not wait for the renderer.
  app.addHook('onListen', async () => void renderer().catch(() => undefined))
  const render: PageBuilder['render'] = async (url, fetchApi) => {
    const renderPage = await renderer()
    return renderPage({
      path: url,
      origin: ctx.config.http.publicUrl,
      nowMs: () => ctx.now().getTime(),
      ...(fetchApi && { fetchApi }),
    })
  }
  const { pageFor, headOf } = createSharedPages({
    render,
    callApi: (ip, url) => callAsVisitor(app, ip, url),
    now: ctx.now,
  })
  const countPage = createCounter(app, 'pages', RENDERED_PER_MINUTE, '1 minute')
  app.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, async (request, reply) => {
    const { '*': name } = request.params
    if (files.has(name)) return reply.sendFile(name)
    if (isApiCall(request)) throw notFound()
    const page = await renderFor(request)
    if (page === 'unrendered') {
      return reply.header('cache-control', 'no-cache').sendFile('index.html', WEB_FOLDER)
    }
    if (page) return answer(request, reply, page)
    // A missing file, for instance of a former build, is a 404; any other address leads home (behaviour.md 1.2).
    if (path.extname(request.url.split('?')[0] ?? '')) throw notFound()
    return reply.header('cache-control', 'no-store').redirect('/', 302)
  })

  async function answer(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    { status, isLive, bodyFor }: CompressedPage,
  ): Promise<FastifyReply> {
    const { body, encoding } = await bodyFor(headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .code(status)
      .headers({
        // A page may be out of date the next moment: not even the back button may show an old one.
        'cache-control': isLive ? 'no-store' : 'no-cache',
        vary: 'accept-encoding',
        // The page may have been made for somebody who came earlier in this second.
        'server-timing': `${PAGE_CLOCK};dur=${ctx.now().getTime()}`,
      })
      .type('text/html; charset=utf-8')
      .send(body)
  }

  /** Renders with the API's answers to a visitor with the client's address: the same gate, and the limits of its routes. */
  async function renderFor(
    request: FastifyRequest,
  ): Promise<CompressedPage | 'unrendered' | undefined> {
    const logFailure = (error: unknown, route: string) =>
      request.log.error({ err: error, route }, 'a page could not be rendered')
    try {
      // A whole office may share one address: beyond the limit its browsers render their pages themselves.
      const { isExceeded } = await countPage(request)
      const page = await (isExceeded ? headOf(request.url) : pageFor(request.url, request.ip))
      if (page?.failure) logFailure(page.failure.error, page.failure.route)
      return page
    } catch (error) {
      logFailure(error, 'any')
      return 'unrendered'
    }
  }
}

/** The paths of all files under a folder, in the form of an address; none below a hidden folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !`/${file}`.includes('/.'))
}

async function loadRenderer(): Promise<RenderPage> {
  const manifest = path.join(WEB_FOLDER, '.vite', 'manifest.json')
  const [template, modules, { createPageRenderer }] = await Promise.all([
    readFile(INDEX, 'utf8'),
    readFile(manifest, 'utf8'),
    import(pathToFileURL(RENDERER).href) as Promise<{ createPageRenderer: CreatePageRenderer }>,
  ])
  return createPageRenderer(template, JSON.parse(modules))
}

/** `script/make-demo-media.ts` creates it. */
const DEMO_FOLDER = path.resolve(import.meta.dirname, '../../demo-media')
const A_DAY_SECONDS = 86_400

/** Serves the films and pictures of the demo, and no other file. */
export async function registerDemoMedia(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: DEMO_FOLDER,
    prefix: '/api/demo/',
    wildcard: false,
    index: false,
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply) => {
      reply.header('cache-control', `public, max-age=${A_DAY_SECONDS}`)
      reply.header('content-security-policy', "sandbox; default-src 'none'")
    },
  })
}
