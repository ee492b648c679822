import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { FirstScreenRequest, RenderFirstScreen } from '#contract/first-screen.ts'
import { App } from './app/app.tsx'
import { answerOf, type FirstScreenState } from './app/first-screen-state.ts'
import { findScreen } from './app/first-screens.ts'
import { headOf } from './app/head.ts'
import { askThrough } from './lib/api-client.ts'
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
export const renderFirstScreen: RenderFirstScreen = async ({ path, origin, nowMs, ask }) => {
  const url = new URL(path, origin)
  const screen = findScreen(url)
  if (!screen) return undefined
  const { page, address, module } = screen
  const { queries = () => [], head } = (await page.fetch()) ?? {}
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const answers = await asking.run(ask, async () => {
    const asked = queries(address)
    await Promise.all(asked.map((query) => query.ask(client)))
    return asked.map(({ queryKey }) => answerOf(client, queryKey))
  })
  if (!answers.every((answer) => answer !== undefined)) return undefined
  const state = { nowMs: nowMs(), hostname: url.hostname, answers }
  const facts = head?.(address, client)
  const { title, body } = markup(client, path, state)
  return {
    status: answers.some((answer) => 'refusal' in answer) ? 404 : 200,
    head: headOf({ title, origin, ...facts }),
    body,
    state: JSON.stringify(state).replaceAll('<', '\\u003c'),
    module,
  }
}

/** All at once, so that the clock stands still for this page alone. */
function markup(client: QueryClient, path: string, { nowMs, hostname }: FirstScreenState) {
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  nameSite(hostname)
  const letGo = holdServerClock(nowMs)
  try {
    return splitHead(renderToString(<App queryClient={client} router={Router} />))
  } finally {
    letGo()
    client.clear()
  }
}

/** React puts what belongs into the head before the rest: the title stays, its hints for pictures are not needed. */
function splitHead(html: string) {
  const hoisted = /^(?:<(?:title|link|meta)\b[^>]*>(?:[^<]*<\/title>)?)*/.exec(html)?.[0] ?? ''
  const title = /<title>[^<]*<\/title>/.exec(hoisted)?.[0]
  return { title, body: html.slice(hoisted.length) }
}
