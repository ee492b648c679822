import type { QueryClient } from '@tanstack/react-query'
import { createContext, type Params, type RouterContextProvider } from 'react-router'
import type { PageHead } from '#web/ui/page-heading.tsx'
import { hydrateNotFound, type NotFound } from './page-state.ts'

/** What the table of routes says of a page beside what react-router reads. */
export interface PageHandle {
  /** Whether the server renders it, for a visitor; otherwise it sends the head alone. */
  isServerRendered: boolean
  head?: PageHead | ((params: Params, client: QueryClient) => PageHead)
}

/** Of the page at the current address; undefined where there is none. */
export function handleOf(match: { handle?: unknown } | undefined): PageHandle | undefined {
  return match?.handle as PageHandle | undefined
}

export function headOf(
  match: { handle?: unknown; params: Params } | undefined,
  client: QueryClient,
): PageHead {
  const { head = {} } = handleOf(match) ?? {}
  return typeof head === 'function' ? head(match?.params ?? {}, client) : head
}

/** Where loaders find the queries of this page, on the server and in the browser. */
export const queryClientContext = createContext<QueryClient>()

/** What the server did not find for the page that it rendered, until the page is hydrated. */
export const notFoundContext = createContext<NotFound | null>(null)

/**
 * Fetches what a page shows, unless it was fetched before. The server waits for the answer; in the browser the page turns
 * at once and shows that it waits. Failures stay with the query, for the page to show.
 */
export async function loadQuery<Query extends { queryKey: readonly unknown[] }>(
  context: Readonly<RouterContextProvider>,
  query: Query,
  fetch: (client: QueryClient, query: Query) => Promise<unknown>,
): Promise<null> {
  const client = context.get(queryClientContext)
  const notFound = context.get(notFoundContext)
  if (notFound) hydrateNotFound(client, query.queryKey, notFound)
  if (client.getQueryState(query.queryKey)) return null
  const pending = fetch(client, query).catch(() => undefined)
  if (import.meta.env.SSR) await pending
  return null
}
