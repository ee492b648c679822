import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RenderFirstScreen } from '#contract/first-screen.ts'
import type { AppContext } from '#server/context.ts'
import { loadPageTemplate } from './page-template.ts'

interface WebFolders {
  pages: string
  /** The module of the web part that makes first screens. */
  renderer: string
}

interface MadePage {
  status: number
  html: string
}

type MakePage = (request: FastifyRequest) => Promise<MadePage | undefined>

/**
 * The first screen of a page in its HTML. What it shows is asked of the API as a visitor, on behalf of whoever asks for
 * the page: the same gate and the same limits. Undefined where the browser makes the page, also after a failure.
 */
export function createFirstScreens(
  app: FastifyInstance,
  ctx: AppContext,
  folders: WebFolders,
): MakePage {
  if (!existsSync(folders.renderer)) {
    app.log.warn('web/dist-server is missing: pages are made by browsers alone')
    return async () => undefined
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
      const { renderFirstScreen, fillTemplate } = await ready()
      const screen = await renderFirstScreen({
        path: request.url,
        origin: ctx.config.http.publicUrl,
        nowMs: () => ctx.now().getTime(),
        ask: (path, init) => askAsVisitor(app, request.ip, path, init),
      })
      return screen && { status: screen.status, html: fillTemplate(screen) }
    } catch (error) {
      request.log.error({ err: error }, 'a first screen could not be made')
      return undefined
    }
  }
}

async function load({ pages, renderer }: WebFolders) {
  const fillTemplate = await loadPageTemplate(pages)
  const { renderFirstScreen }: { renderFirstScreen: RenderFirstScreen } = await import(
    pathToFileURL(renderer).href
  )
  return { fillTemplate, renderFirstScreen }
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
