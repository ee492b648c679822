import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { notifyRevelation } from '#contract/deliveries.ts'
import {
  type CreateRevelationInput,
  createRevelation,
  deleteRevelation,
  type EditRevelationInput,
  editRevelation,
  getRevelation,
  isOwn,
  type ListQuery,
  listRevelations,
  listRevelationsOfUser,
  type OwnRevelation,
  type Revelation,
  type RevelationPage,
  recordView,
} from '#contract/revelations.ts'
import { callApi } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from './delivery-key.ts'

export type FeedFilters = Pick<ListQuery, 'q' | 'visibility' | 'status'>

const LISTS_KEY = ['revelations', 'list'] as const

/** The feed, page after page; the former answer stays on screen while new filters are asked. */
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
    placeholderData: keepPreviousData,
  })
}

export function revelationQuery(id: string) {
  return queryOptions({
    queryKey: ['revelations', 'item', id],
    queryFn: async ({ signal }): Promise<Revelation> => {
      const headers = deliveryKeyHeaders(id)
      const { revelation } = await callApi(getRevelation, { params: { id } }, { signal, headers })
      return revelation
    },
  })
}

/** Asks again for one revelation, and puts it everywhere it is shown. */
export function useRefreshRevelation() {
  const client = useQueryClient()
  return async (id: string): Promise<Revelation> => {
    const revelation = await client.fetchQuery({ ...revelationQuery(id), staleTime: 0 })
    changeInLists(client, id, () => revelation)
    return revelation
  }
}

/** Seals a revelation. */
export function useCreateRevelation() {
  const keep = useKeepRevelation()
  return useMutation({
    mutationFn: (body: CreateRevelationInput) => callApi(createRevelation, { body }),
    onSuccess: keep,
  })
}

export function useEditRevelation(id: string) {
  const keep = useKeepRevelation()
  return useMutation({
    mutationFn: (body: EditRevelationInput) => callApi(editRevelation, { params: { id }, body }),
    onSuccess: keep,
  })
}

function useKeepRevelation() {
  const client = useQueryClient()
  return ({ revelation }: { revelation: Revelation }) => {
    client.setQueryData(revelationQuery(revelation.id).queryKey, revelation)
    void client.invalidateQueries({ queryKey: LISTS_KEY })
  }
}

const RECENT = 10

/** The latest revelations of the signed-in user, newest first. */
export async function listOwnRecent(userId: string): Promise<OwnRevelation[]> {
  const { revelations } = await callApi(listRevelationsOfUser, {
    params: { id: userId },
    querystring: { sort: 'newest', limit: RECENT },
  })
  return revelations.filter(isOwn)
}

/** Tells the addressee now that something waits. A failure is only logged: the delivery itself does not need it. */
export async function notifyAddressee(revelationId: string): Promise<void> {
  try {
    await callApi(notifyRevelation, { body: { revelationId } })
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the specification wants this failure logged and nothing more
    console.warn('the addressee was not told', error)
  }
}

export function useDeleteRevelation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(deleteRevelation, { params: { id } }),
    onSuccess: (_, id) => {
      client.removeQueries({ queryKey: revelationQuery(id).queryKey })
      return client.invalidateQueries({ queryKey: LISTS_KEY })
    },
  })
}

/** Counts a view. Nobody is told when that fails: it concerns no reader. */
export function useRecordView() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (id: string) =>
      callApi(recordView, { params: { id } }, { headers: deliveryKeyHeaders(id) }),
    onSuccess: ({ views_count }, id) => {
      const withViews = (revelation: Revelation) => ({ ...revelation, views_count })
      changeInLists(client, id, withViews)
      client.setQueryData(revelationQuery(id).queryKey, (known) => known && withViews(known))
    },
  })
  return mutate
}

type Feed = InfiniteData<RevelationPage, string | null>

function changeInLists(
  client: QueryClient,
  id: string,
  change: (revelation: Revelation) => Revelation,
): void {
  client.setQueriesData<Feed>({ queryKey: LISTS_KEY }, (feed) => {
    if (!feed?.pages.some((page) => page.revelations.some((item) => item.id === id))) return feed
    return { ...feed, pages: feed.pages.map((page) => changeInPage(page, id, change)) }
  })
}

function changeInPage(
  page: RevelationPage,
  id: string,
  change: (revelation: Revelation) => Revelation,
): RevelationPage {
  const revelations = page.revelations.map((item) => (item.id === id ? change(item) : item))
  return { ...page, revelations }
}
