import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import {
  addComment,
  COMMENTS_PER_PAGE,
  type Comment,
  type CommentPage,
  listComments,
  removeComment,
} from '#contract/comments.ts'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi } from '#web/lib/api-client.ts'
import { callOnce } from '#web/lib/call-once.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { waitForPendingFetches } from '#web/lib/query-client.ts'
import { showToast } from '#web/ui/toasts.tsx'

/** How long a comment that could not be sent stays on the page to be sent again. */
const UNSENT_GC_MS = 30 * 60_000

/** The comments of a revelation, newest first, page after page. */
export function commentsQuery(revelationId: string) {
  return infiniteQueryOptions({
    queryKey: ['comments', revelationId],
    queryFn: ({ pageParam, signal }) => loadPage(revelationId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    // All loaded pages would be fetched again one by one; `refreshComments` fetches the newest only.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function loadPage(
  revelationId: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<CommentPage> {
  return callApi(
    listComments,
    {
      params: { revelationId },
      querystring: { limit: COMMENTS_PER_PAGE, ...(cursor && { cursor }) },
    },
    { ...(signal && { signal }), headers: deliveryKeyHeaders(revelationId) },
  )
}

/** Brings the loaded comments of a revelation up to date, and its count with them. */
export async function refreshComments(client: QueryClient, revelationId: string): Promise<void> {
  const { queryKey } = commentsQuery(revelationId)
  await waitForPendingFetches(client, { queryKey })
  const newest = await loadPage(revelationId, null)
  client.setQueryData(queryKey, (known) => known && withNewest(known, newest))
  patchRevelation(client, revelationId, { comments_count: newest.total })
}

/** A comment on its way. Its id is chosen here: sent again, it is the same comment. */
export interface UnsentComment {
  id: string
  content: string
  author: { id: string; pseudo: string; avatar_url: string | null }
}

export function useAddComment(revelationId: string) {
  const client = useQueryClient()
  const mutationKey = addKey(revelationId)
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    gcTime: UNSENT_GC_MS,
    mutationFn: ({ id, content }: UnsentComment) =>
      callOnce(
        addComment,
        { body: { revelation_id: revelationId, content, id } },
        { headers: deliveryKeyHeaders(revelationId) },
      ),
    onMutate: () => countComments(client, revelationId, 1),
    onSuccess: ({ comment }) =>
      changeComments(client, revelationId, (known) => withComment(known, comment)),
    onError: () => recount(client, revelationId, -1),
  })
  return mutate
}

/** One's own comments that are on their way or could not be sent, newest first. */
export function useUnsentComments(revelationId: string, authorId: string | undefined) {
  const unsent = useMutationState({
    filters: { mutationKey: addKey(revelationId), predicate: isUnsent },
    select: ({ state }) => ({
      ...(state.variables as UnsentComment),
      isWaiting: state.isPaused,
      error: state.error,
    }),
  })
  return unsent.filter(({ author }) => author.id === authorId).reverse()
}

/** Removes a comment that could not be sent from the list of unsent ones, to send or to write it again. */
export function useDiscardUnsent(revelationId: string) {
  const client = useQueryClient()
  return (id: string) => {
    const cache = client.getMutationCache()
    for (const mutation of cache.findAll({ mutationKey: addKey(revelationId) })) {
      const isThisOne = (mutation.state.variables as UnsentComment).id === id
      if (isThisOne && mutation.state.status === 'error') cache.remove(mutation)
    }
  }
}

/** Removes a comment: it disappears at once, and comes back if the server refuses. */
export function useRemoveComment(revelationId: string) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: removeKey(revelationId),
    mutationFn: (id: string) => callApi(removeComment, { params: { id } }),
    onMutate: () => countComments(client, revelationId, -1),
    onSuccess: (_, id) =>
      changeComments(client, revelationId, (known) => withoutComment(known, id)),
    onError: () => {
      showToast('error', 'Erreur lors de la suppression')
      return recount(client, revelationId, 1)
    },
  })
  return mutate
}

/** The comments that are being removed. */
export function usePendingRemovals(revelationId: string): string[] {
  return useMutationState({
    filters: { mutationKey: removeKey(revelationId), status: 'pending' },
    select: ({ state }) => state.variables as string,
  })
}

/** The revelations whose comments are on screen. */
export function listShownComments(client: QueryClient): string[] {
  const active = client.getQueryCache().findAll({ queryKey: ['comments'], type: 'active' })
  return active.map(({ queryKey }) => String(queryKey[1]))
}

/** Whether a comment is being added or removed there on this page, which has counted it already. */
export function isCommenting(client: QueryClient, revelationId: string): boolean {
  const keys = [addKey(revelationId), removeKey(revelationId)]
  return keys.some((mutationKey) => client.isMutating({ mutationKey }) > 0)
}

function addKey(revelationId: string) {
  return ['comments', 'add', revelationId]
}

function removeKey(revelationId: string) {
  return ['comments', 'remove', revelationId]
}

function isUnsent({ state }: { state: { status: string } }): boolean {
  return state.status === 'pending' || state.status === 'error'
}

/** Changes the loaded comments once no answer that may be older is on its way. */
async function changeComments(
  client: QueryClient,
  revelationId: string,
  change: (known: CommentPages) => CommentPages,
): Promise<void> {
  const { queryKey } = commentsQuery(revelationId)
  await waitForPendingFetches(client, { queryKey })
  client.setQueryData(queryKey, (known) => known && change(known))
}

function countComments(client: QueryClient, revelationId: string, change: 1 | -1): void {
  patchRevelation(client, revelationId, ({ comments_count }) => ({
    comments_count: Math.max(0, comments_count + change),
  }))
}

/** After a failure: reads the count again, or undoes the change when that fails too. */
async function recount(client: QueryClient, revelationId: string, change: 1 | -1): Promise<void> {
  try {
    await refreshComments(client, revelationId)
  } catch {
    countComments(client, revelationId, change)
    // The revelation may be gone, or hidden by a block: then the page shows it.
    await reloadRevelation(client, revelationId).catch(() => undefined)
  }
}

export type CommentPages = InfiniteData<CommentPage, unknown>

export function commentsOf({ pages }: CommentPages): Comment[] {
  return pages.flatMap((page) => page.comments)
}

/** How many there are in all, as the newest answer says. */
export function totalOf({ pages }: CommentPages): number {
  return pages[0]?.total ?? 0
}

/** Puts a new comment first; one that is there already stays where it is. */
export function withComment(known: CommentPages, comment: Comment): CommentPages {
  if (commentsOf(known).some(({ id }) => id === comment.id)) return known
  return changeFirst(known, (first) => ({
    ...first,
    comments: [comment, ...first.comments],
    total: first.total + 1,
  }))
}

export function withoutComment(known: CommentPages, id: string): CommentPages {
  const includesComment = (page: CommentPage) => page.comments.some((comment) => comment.id === id)
  if (!known.pages.some(includesComment)) return known
  const pages = known.pages.map((page) =>
    includesComment(page)
      ? { ...page, comments: page.comments.filter((comment) => comment.id !== id) }
      : page,
  )
  return changeFirst({ ...known, pages }, (first) => ({ ...first, total: first.total - 1 }))
}

/** Replaces the newest page and leaves the older ones; where the two no longer overlap, the newest page stands alone. */
export function withNewest(known: CommentPages, newest: CommentPage): CommentPages {
  const comments = commentsOf(known)
  const oldest = newest.comments.at(-1)
  const overlapAt = comments.findIndex(({ id }) => id === oldest?.id)
  if (!newest.next_cursor || overlapAt < 0) return { pages: [newest], pageParams: [null] }
  let overlap = overlapAt + 1
  const older = known.pages.flatMap((page) => {
    const comments = overlap > 0 ? page.comments.slice(overlap) : page.comments
    overlap = Math.max(0, overlap - page.comments.length)
    if (comments === page.comments) return [page]
    return comments.length > 0 ? [{ ...page, comments }] : []
  })
  return { pages: [newest, ...older], pageParams: [null, ...older.map(() => null)] }
}

function changeFirst(
  { pages: [first, ...rest], pageParams }: CommentPages,
  change: (page: CommentPage) => CommentPage,
): CommentPages {
  return { pages: first ? [change(first), ...rest] : [], pageParams }
}
