import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Envelope, Revelation, RevelationPage } from '#contract/revelations.ts'

/** The key above every query of revelations. */
export const REVELATIONS_KEY = ['revelations'] as const

/** The key of every list of revelations, so that a change reaches all of them. */
export const LISTS_KEY = [...REVELATIONS_KEY, 'list'] as const

/** The key of all that one received, whose lists count otherwise. */
export const RECEIVED_KEY = ['received'] as const

/** The key of the pages of received letters. */
export const RECEIVED_LIST_KEY = [...RECEIVED_KEY, 'list'] as const

/** The key above what waits for the person who is signed in, as their home page shows it. */
export const AWAITING_KEY = [...RECEIVED_KEY, 'awaiting'] as const

export function itemKey(id: string) {
  return [...REVELATIONS_KEY, 'item', id] as const
}

type RevelationList = InfiniteData<RevelationPage, string | null>
/** What all lists of revelations have in common. */
type ListPages = InfiniteData<Pick<RevelationPage, 'revelations'>>
type Change = (revelation: Revelation) => Revelation

/** Changes fields of a revelation in every list and query that has it. */
export function patchRevelation(
  client: QueryClient,
  id: string,
  patch: Partial<Envelope> | ((revelation: Revelation) => Partial<Envelope>),
): void {
  changeRevelation(client, id, (revelation) => ({
    ...revelation,
    ...(typeof patch === 'function' ? patch(revelation) : patch),
  }))
}

export function changeRevelation(client: QueryClient, id: string, change: Change): void {
  changeInLists(client, id, change)
  client.setQueryData<Revelation>(itemKey(id), (known) => known && change(known))
}

export function changeInLists(client: QueryClient, id: string, change: Change): void {
  changeListsWith(client, id, ({ pages, pageParams }) => ({
    pageParams,
    pages: pages.map((page) =>
      page.revelations.some((item) => item.id === id)
        ? { ...page, revelations: page.revelations.map((r) => (r.id === id ? change(r) : r)) }
        : page,
    ),
  }))
}

/** A revelation as a list has it, for what is shown before its own query is answered. */
export function findInLists(client: QueryClient, id: string): Revelation | undefined {
  return [LISTS_KEY, RECEIVED_LIST_KEY]
    .flatMap((queryKey) => client.getQueriesData<ListPages>({ queryKey }))
    .flatMap(([, list]) => list?.pages.flatMap(({ revelations }) => revelations) ?? [])
    .find((revelation) => revelation.id === id)
}

/** Removes a revelation from all lists and from their counts. */
export function removeFromLists(client: QueryClient, id: string): void {
  changeListsWith(client, id, ({ pages, pageParams }, { is_revealed }) => ({
    pageParams,
    pages: pages.map(({ counts: { found, revealed, pending }, ...page }) => ({
      ...page,
      revelations: page.revelations.filter((item) => item.id !== id),
      counts: {
        found: found - 1,
        revealed: is_revealed ? revealed - 1 : revealed,
        pending: is_revealed ? pending : pending - 1,
      },
    })),
  }))
}

/** Fetches all lists again, only their first page: many pages would be many calls. */
export function restartLists(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: AWAITING_KEY })
  trimToFirstPages(client, LISTS_KEY)
  return client.invalidateQueries({ queryKey: LISTS_KEY })
}

/** The letters that one received are others now: opened, answered, joined. Only their first page is fetched again. */
export function restartReceived(client: QueryClient): Promise<void> {
  trimToFirstPages(client, RECEIVED_LIST_KEY)
  return client.invalidateQueries({ queryKey: RECEIVED_KEY })
}

function trimToFirstPages(client: QueryClient, queryKey: readonly string[]): void {
  client.setQueriesData<ListPages>(
    { queryKey },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  )
}

/** Lists without the revelation stay the same objects, so that they do not render again. */
function changeListsWith(
  client: QueryClient,
  id: string,
  change: (list: RevelationList, item: Revelation) => RevelationList,
): void {
  client.setQueriesData<RevelationList>({ queryKey: LISTS_KEY }, (list) => {
    const item = list?.pages.flatMap((page) => page.revelations).find((known) => known.id === id)
    return list && item ? change(list, item) : list
  })
}

/** Whether a query is a list of several pages. */
export function isLongList({ queryKey, state }: Query): boolean {
  const isList = [LISTS_KEY, RECEIVED_LIST_KEY].some((key) =>
    key.every((part, index) => queryKey[index] === part),
  )
  return isList && ((state.data as ListPages | undefined)?.pages.length ?? 0) > 1
}

/** The ids of all revelations that a page shows now, in the order of the pages. */
export function idsInUse(client: QueryClient): string[] {
  const active = client.getQueryCache().findAll({ queryKey: REVELATIONS_KEY, type: 'active' })
  const ids = active.flatMap(({ state: { data } }) => {
    if (!data) return []
    return 'pages' in (data as object)
      ? (data as RevelationList).pages.flatMap((page) => page.revelations.map(({ id }) => id))
      : (data as Revelation).id
  })
  return [...new Set(ids)]
}
