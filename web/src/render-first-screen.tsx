import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { FirstScreenRequest, MadePage, MakePage } from '#contract/first-screen.ts'
import { App } from './app/app.tsx'
import { answerOf, type FirstScreenState } from './app/first-screen-state.ts'
import { findScreen } from './app/first-screens.ts'
import { headOf } from './app/head.ts'
import { findOther } from './app/other-pages.ts'
import { askThrough } from './lib/api-client.ts'
import { takeDocumentTitle } from './lib/document-title.ts'
import { createQueryClient } from './lib/query-client.ts'
import { holdServerClock } from './lib/server-clock.ts'
import { nameSite } from './lib/site-address.ts'

const asking = new AsyncLocalStorage<FirstScreenRequest['ask']>()

askThrough((path, init) => {
  const ask = asking.getStore()
  if (!ask) throw new Error(`${path} is asked outside of a first screen`)
  return ask(path, init)
})

/** What a visitor sees first at an address, made of the same components and calls as in the browser. */
export const makePage: MakePage = async (request) => {
  // Put together as text: to a resolver of addresses, `//ailleurs` would be another site.
  const url = new URL(request.origin + request.path)
  const screen = findScreen(url)
  if (screen) return makeScreen(request, screen)
  const other = findOther(url)
  if (!other) return undefined
  const head = headOf({ title: other.title, origin: request.origin, ...other.head })
  return { status: 200, head, screen: undefined }
}

async function makeScreen(
  { path, origin, nowMs, ask }: FirstScreenRequest,
  { page, address, module }: NonNullable<ReturnType<typeof findScreen>>,
): Promise<MadePage> {
  const { queries = () => [], parts = () => [], head } = (await page.fetch()) ?? {}
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const answers = await asking.run(ask, async () => {
    const asked = queries(address)
    await Promise.all(asked.map((query) => query.ask(client)))
    return asked.map(({ queryKey }) => answerOf(client, queryKey))
  })
  if (!answers.every((answer) => answer !== undefined)) {
    return { status: 503, head: headOf({ title: undefined, origin }), screen: undefined }
  }
  await Promise.all(parts(address, client).map((part) => part.fetch()))
  const state = { nowMs: nowMs(), origin, answers }
  const facts = head?.(address, client)
  const { title, body } = markup(client, path, state)
  return {
    status: answers.some((answer) => 'refusal' in answer) ? 404 : 200,
    head: headOf({ title, origin, ...facts }),
    screen: { body, state: JSON.stringify(state).replaceAll('<', '\\u003c'), module },
  }
}

/** All at once, so that the clock stands still for this page alone. */
function markup(client: QueryClient, path: string, { nowMs, origin }: FirstScreenState) {
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  nameSite(origin)
  const letGo = holdServerClock(nowMs)
  try {
    const body = renderToString(<App queryClient={client} router={Router} />)
    return { title: takeDocumentTitle(), body }
  } finally {
    letGo()
    client.clear()
  }
}
