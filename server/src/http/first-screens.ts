import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MakePage } from '#contract/first-screen.ts'
import type { AppContext } from '#server/context.ts'
import { loadPageTemplate } from './page-template.ts'

interface WebFolders {
  pages: string
  /** The module of the web part that makes first screens. */
  renderer: string
}

interface WholePage {
  status: number
  html: string
  /** Whether it shows what may be otherwise the next moment. */
  hasScreen: boolean
}

type MakeWhole = (request: FastifyRequest) => Promise<WholePage | 'browser' | 'unknown'>

/**
 * Pages with their first screen in the HTML, or their head alone. What they show is asked of the API as a visitor, on
 * behalf of whoever asks for the page: the same gate and the same limits. « browser » where nothing could be made of it,
 * « unknown » where there is no such page.
 */
export function createFirstScreens(
  app: FastifyInstance,
  ctx: AppContext,
  folders: WebFolders,
): MakeWhole {
  if (!existsSync(folders.renderer)) {
    app.log.warn('web/dist-server is missing: pages are made by browsers alone')
    return async () => 'browser'
  }
  let loading: ReturnType<typeof load> | undefined
  const ready = () => {
    loading ??= load(folders)
    return loading
  }
  // The first visitor does not wait for it.
  app.addHook('onListen', async () => void ready().catch(() => undefined))
  return async (request) => {
    try {
      const { makePage, fillTemplate } = await ready()
      const page = await makePage({
        path: request.url,
        origin: ctx.config.http.publicUrl,
        nowMs: () => ctx.now().getTime(),
        ask: (path, init) => askAsVisitor(app, request.ip, path, init),
      })
      if (!page) return 'unknown'
      const { status, screen } = page
      return { status, html: fillTemplate(page), hasScreen: screen !== undefined }
    } catch (error) {
      request.log.error({ err: error }, 'a page could not be made')
      return 'browser'
    }
  }
}

async function load({ pages, renderer }: WebFolders) {
  const fillTemplate = await loadPageTemplate(pages)
  const { makePage }: { makePage: MakePage } = await import(pathToFileURL(renderer).href)
  return { fillTemplate, makePage }
}

async function askAsVisitor(
  app: FastifyInstance,
  ip: string,
  url: string,
  init: RequestInit,
): Promise<Response> {
  if (init.method !== 'GET') throw new Error('a first screen only reads')
  const { statusCode, headers, payload } = await app.inject({
    method: 'GET',
    url,
    remoteAddress: ip,
    headers: { accept: 'application/json' },
  })
  const type = String(headers['content-type'] ?? '')
  return new Response(payload, { status: statusCode, headers: { 'content-type': type } })
}
