import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryClient } from '@tanstack/react-query'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import type { CreatePageRenderer, PageRequest, RenderedPage } from '#contract/page-renderer.ts'
import { App } from './app/app.tsx'
import { handleOf, headOf, queryClientContext } from './app/page-handle.ts'
import { dehydrateAnswers, type PageState, wasLimited } from './app/page-state.ts'
import { createPageTemplate, type PageParts } from './app/page-template.ts'
import { setTransport } from './lib/api-client.ts'
import { freezeServerClock } from './lib/clock.ts'
import { createQueryClient } from './lib/query-client.ts'
import { setSiteOrigin } from './lib/site.ts'
import { routes } from './routes.tsx'
import { type PageHead, PageMetadata, PageTitle } from './ui/page-heading.tsx'

const handler = createStaticHandler(routes)

const fetchOfRequest = new AsyncLocalStorage<NonNullable<PageRequest['fetchApi']>>()

setTransport((path, init) => {
  const fetchApi = fetchOfRequest.getStore()
  if (!fetchApi) throw new Error(`${path} is fetched outside of a page`)
  return fetchApi(path, init)
})

/** What a visitor sees first at an address, made of the same components and calls as in the browser. */
export const createPageRenderer: CreatePageRenderer = (template, manifest) => {
  const fill = createPageTemplate(template, manifest)
  return async (request) => {
    const page = await renderRequest(request)
    if (!page) return undefined
    const { status, failure, ...parts } = page
    return {
      status,
      html: fill(parts),
      isLive: parts.body !== undefined,
      ...(failure && { failure }),
    }
  }
}

type RenderedParts = PageParts & Pick<RenderedPage, 'status' | 'failure'>

async function renderRequest(request: PageRequest): Promise<RenderedParts | undefined> {
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  try {
    return await renderRequestWith(client, request)
  } finally {
    // What is kept for coming back would be kept here for as long.
    client.clear()
  }
}

async function renderRequestWith(
  client: QueryClient,
  { path, origin, nowMs, fetchApi }: PageRequest,
): Promise<RenderedParts | undefined> {
  const context = new RouterContextProvider(new Map([[queryClientContext, client]]))
  const load = () =>
    // Put together as text: to a resolver of addresses, `//ailleurs` would be another site.
    handler.query(new Request(origin + path), {
      requestContext: context,
      filterMatchesToLoad: (match) =>
        fetchApi !== undefined && (handleOf(match.route)?.isServerRendered ?? true),
    })
  const loaded = await (fetchApi ? fetchOfRequest.run(fetchApi, load) : load())
  if (loaded instanceof Response) throw new Error(`${path} redirects on the server`)
  const match = loaded.matches.at(-1)
  const handle = handleOf(match?.route)
  if (!match || !handle) return undefined
  setSiteOrigin(origin)
  const head = headOf({ handle, params: match.params }, client)
  // Whoever may not ask any more for now is no reason to say that the page is out of order.
  if (!handle.isServerRendered || !fetchApi || wasLimited(client)) {
    return { status: 200, head: headMarkup(head) }
  }
  const answers = dehydrateAnswers(client)
  if (!answers) return { status: 503, head: headMarkup({}) }
  const status = answers.notFound ? 404 : 200
  try {
    const state = { nowMs: nowMs(), origin, ...answers }
    const rendered = renderPage(client, loaded, state)
    return { status, ...rendered, state, pageId: match.route.id }
  } catch (error) {
    const failure = { error, route: match.route.path ?? path }
    return { status, head: headMarkup(head), failure }
  }
}

const WHOLE = /<head>(?<head>.*?)<\/head><body><div id="root">(?<body>.*)<\/div><\/body>/s

/**
 * All at once, so that the clock stands still for this page alone. React gathers in the head what components say of the
 * page: it needs to have one, where the browser takes over `#root` alone.
 */
function renderPage(client: QueryClient, loaded: StaticHandlerContext, { nowMs }: PageState) {
  const letGo = freezeServerClock(nowMs)
  try {
    const html = renderToString(
      <html lang="fr">
        <body>
          <div id="root">
            <App queryClient={client}>
              <StaticRouterProvider
                router={createStaticRouter(handler.dataRoutes, loaded)}
                context={loaded}
                hydrate={false}
              />
            </App>
          </div>
        </body>
      </html>,
    )
    const { head, body } = WHOLE.exec(html)?.groups ?? {}
    if (head === undefined || body === undefined) throw new Error('React rendered no page')
    return { head, body }
  } finally {
    letGo()
  }
}

/** The head of a page that its browser makes. */
function headMarkup({ title, ...head }: PageHead): string {
  return renderToStaticMarkup(
    <>
      <PageTitle>{title}</PageTitle>
      <PageMetadata {...head} />
    </>,
  )
}
