import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { notifyRevelation } from '#contract/deliveries.ts'
import { IDEMPOTENCY_HEADER, REPLAYED_HEADER } from '#contract/idempotency.ts'
import type { Kind } from '#contract/kinds.ts'
import {
  deleteRevelation,
  getRevelation,
  type ListQuery,
  listRevelations,
  listRevelationsOfUser,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import {
  type CreateRevelationInput,
  createRevelation,
  type EditRevelationInput,
  editRevelation,
} from '#contract/sealing.ts'
import { hasOfflineLetters } from '#web/features/offline-letters/offline-database.ts'
import { ApiError, callApi, isGone, isUnreachable } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { whenReachableAgain } from '#web/lib/online.ts'
import {
  AWAITING_KEY,
  changeInLists,
  findInLists,
  itemKey,
  LISTS_KEY,
  patchRevelation,
  removeFromLists,
  restartLists,
} from './revelation-cache.ts'

export type FeedFilters = Pick<
  ListQuery,
  'q' | 'visibility' | 'status' | 'category' | 'kind' | 'author' | 'outcome' | 'sort'
>

/** How a list that goes on page after page is kept, and fetched again. */
export const LIST_BEHAVIOUR = {
  placeholderData: keepPreviousData,
  // Long enough to read a letter and come back to the same place of the list.
  gcTime: 30 * 60_000,
  // Many pages would be fetched one by one, and cards would move under the reader: only a short list is fetched again.
  refetchOnMount: isShort,
  refetchOnWindowFocus: isShort,
  refetchOnReconnect: isShort,
} as const

/** A list, page after page; the former answer stays on screen while that of new filters loads. */
export function revelationsQuery(filters: FeedFilters) {
  return infiniteQueryOptions({
    queryKey: [...LISTS_KEY, filters],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listRevelations,
        { querystring: { ...filters, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...LIST_BEHAVIOUR,
  })
}

function isShort({ state }: { state: { data?: { pages: unknown[] } | undefined } }): boolean {
  return (state.data?.pages.length ?? 0) <= 1
}

export function revelationQuery(id: string) {
  return queryOptions({
    queryKey: itemKey(id),
    queryFn: ({ client, signal }) =>
      fetchRevelation(client, id, signal).catch((error) => findCopy(client, id, error)),
  })
}

async function fetchRevelation(
  client: QueryClient,
  id: string,
  signal: AbortSignal,
): Promise<Revelation> {
  const headers = deliveryKeyHeaders(id)
  const { revelation } = await callApi(getRevelation, { params: { id } }, { signal, headers })
  const known = client.getQueryData<Revelation>(itemKey(id)) ?? findInLists(client, id)
  if (known?.is_revealed === false) await untilTurn(revelation)
  return revelation
}

/** The copy on this device where the server cannot be reached; fetched again once it can be. Else throws the error. */
async function findCopy(client: QueryClient, id: string, error: unknown): Promise<Revelation> {
  if (import.meta.env.SSR || !hasOfflineLetters()) throw error
  const { forgetOffline, readOffline } = await import(
    '#web/features/offline-letters/offline-letters.ts'
  )
  if (isGone(error)) await forgetOffline(id).catch(() => undefined)
  const copy = isUnreachable(error) ? await readOffline(id).catch(() => undefined) : undefined
  if (!copy) throw error
  whenReachableAgain(() => void client.invalidateQueries({ queryKey: itemKey(id) }))
  return copy
}

/** From the instant to the turn of the pages that were open: all of them have asked by then (`usePollUntil`), and are answered. */
const TURN_MS = 700

/** What opens before the eyes of several people opens for all at once, whoever of them was answered first. */
async function untilTurn({ is_revealed, reveal_date }: Revelation): Promise<void> {
  const wait = Date.parse(reveal_date) + TURN_MS - serverNow()
  // An instant that is not past here at all: nothing is known of the server's clock yet.
  if (!is_revealed || wait <= 0 || wait > 2 * TURN_MS) return
  await new Promise((resolve) => setTimeout(resolve, wait))
}

/** Fetches a revelation again and updates every list; one that is gone leaves the lists. */
export async function reloadRevelation(client: QueryClient, id: string): Promise<Revelation> {
  try {
    const revelation = await client.fetchQuery({ ...revelationQuery(id), staleTime: 0 })
    changeInLists(client, id, () => revelation)
    return revelation
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) removeFromLists(client, id)
    throw error
  }
}

type Refresh = (id: string) => Promise<Revelation>

/** Replaces `reloadRevelation` for revelations that are not the server’s: the samples of the demo. */
export const RevelationSource = createContext<Refresh | undefined>(undefined)

export function useRefreshRevelation(): Refresh {
  const client = useQueryClient()
  const refresh = useContext(RevelationSource)
  return refresh ?? ((id) => reloadRevelation(client, id))
}

export function useCreateRevelation() {
  const store = useStoreRevelation()
  return useMutation({
    /** `isReplay`: an earlier call with this key had sealed it. */
    mutationFn: async ({ body, key }: { body: CreateRevelationInput; key: string }) => {
      let isReplay = false
      const onHeaders = (headers: Headers) => {
        isReplay = headers.has(REPLAYED_HEADER)
      }
      const options = { headers: { [IDEMPOTENCY_HEADER]: key }, onHeaders }
      return { ...(await callApi(createRevelation, { body }, options)), isReplay }
    },
    onSuccess: store,
  })
}

export function useEditRevelation(id: string) {
  const store = useStoreRevelation()
  return useMutation({
    mutationFn: (body: EditRevelationInput) => callApi(editRevelation, { params: { id }, body }),
    onSuccess: store,
  })
}

function useStoreRevelation() {
  const client = useQueryClient()
  return ({ revelation }: { revelation: Revelation }) => {
    client.setQueryData(revelationQuery(revelation.id).queryKey, revelation)
    void restartLists(client)
  }
}

/** Mails the recipient that a letter waits. A failure is only logged: the delivery does not depend on it. */
export async function notifyAddressee(client: QueryClient, revelationId: string): Promise<void> {
  try {
    await callApi(notifyRevelation, { body: { revelationId } })
    // It says who was told.
    await client.invalidateQueries({ queryKey: itemKey(revelationId) })
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: this failure is logged and not shown (behaviour.md 12.2)
    console.warn('the addressee was not told', error)
  }
}

/** `onDone` runs before the lists change, since its component may disappear with the revelation. */
export function useDeleteRevelation(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(deleteRevelation, { params: { id } }),
    onSuccess: (_, id) => {
      onDone()
      client.removeQueries({ queryKey: itemKey(id) })
      removeFromLists(client, id)
      void client.invalidateQueries({ queryKey: AWAITING_KEY })
    },
  })
}

/** Records a view; a failure is not shown. */
export function useRecordView() {
  const client = useQueryClient()
  return async (id: string) => {
    const headers = deliveryKeyHeaders(id)
    const answer = await callApi(recordView, { params: { id } }, { headers }).catch(() => undefined)
    if (answer) patchRevelation(client, id, { views_count: answer.views_count })
  }
}

/** Everything of one’s own, or one kind of it; of somebody else, what is public and revealed. Newest first. */
export function revelationsOfUserQuery(userId: string, kind?: Kind) {
  return infiniteQueryOptions({
    queryKey: [...LISTS_KEY, 'of', userId, ...(kind ? [kind] : [])],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listRevelationsOfUser,
        {
          params: { id: userId },
          querystring: {
            sort: 'newest',
            ...(kind && { kind }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
}

/** Fetches the revelation again and picks one address of it, whose ticket is a new one. */
export function useRenewUrl(revelationId: string) {
  const refresh = useRefreshRevelation()
  return (pick: (revelation: Revelation) => string | null) => async () =>
    pick(await refresh(revelationId))
}
