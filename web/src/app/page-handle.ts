import type { QueryClient } from '@tanstack/react-query'
import { createContext, type Params, type RouterContextProvider } from 'react-router'
import { hydrateNotFound, type NotFound } from './page-state.ts'

/** What a page says of itself to those who only read its head. */
export interface PageHead {
  /** For a page of which the head alone is made; one that is rendered has the title of its heading. */
  title?: string
  description?: string
  /** The one address of what is shown; none where nothing is to be found. */
  canonical?: string
  /** Something somebody wrote, rather than a page of the site. */
  isArticle?: boolean
  /** The picture that stands for it elsewhere; the site’s own where there is none. */
  preview?: { path: string; alt: string }
}

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

/** What the server did not find for the page that it rendered, until the browser has taken it over. */
export const notFoundContext = createContext<NotFound | null>(null)

/**
 * Asks for what a page shows, unless it was asked before. The server waits for the answer; in the browser the page turns
 * at once and waits in its own words. Failures stay with the query, for the page to tell.
 */
export async function ask<Query extends { queryKey: readonly unknown[] }>(
  context: Readonly<RouterContextProvider>,
  query: Query,
  fetch: (client: QueryClient, query: Query) => Promise<unknown>,
): Promise<null> {
  const client = context.get(queryClientContext)
  const notFound = context.get(notFoundContext)
  if (notFound) hydrateNotFound(client, query.queryKey, notFound)
  if (client.getQueryState(query.queryKey)) return null
  const asked = fetch(client, query).catch(() => undefined)
  if (import.meta.env.SSR) await asked
  return null
}
