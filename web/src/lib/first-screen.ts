import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { LazyPart } from './lazy-part.tsx'

export interface Address {
  params: Record<string, string | undefined>
  search: URLSearchParams
}

/** Something a first screen shows. `ask` never throws; `data` is for the head. */
interface FirstQuery {
  queryKey: QueryKey
  ask: (client: QueryClient) => Promise<void>
}

export interface PageHead {
  description?: string
  /** The one address of what is shown; none where nothing is to be found. */
  canonical?: string
  /** Something somebody wrote, rather than a page of the site. */
  isArticle?: boolean
  /** The picture that stands for it elsewhere; the site’s own where there is none. */
  preview?: { path: string; alt: string }
}

/** What a page asks the server for before it is first seen, and what it says of itself to those who only read its head. */
export interface PageFirstScreen {
  queries?: (address: Address) => FirstQuery[]
  /** What it shows then besides its own code, once the answers are there. */
  parts?: (address: Address, client: QueryClient) => Pick<LazyPart, 'fetch'>[]
  head?: (address: Address, client: QueryClient) => PageHead
}
