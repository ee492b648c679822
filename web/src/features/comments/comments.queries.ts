import {
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import {
  addComment,
  COMMENTS_PER_PAGE,
  type CommentPage,
  listComments,
  removeComment,
} from '#contract/comments.ts'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi } from '#web/lib/api-client.ts'
import { whenAnswered } from '#web/lib/asked-now.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { showToast } from '#web/ui/toasts.tsx'
import { type CommentPages, withComment, withNewest, withoutComment } from './comment-pages.ts'

/** What is being written survives as long as somebody may still want to send it again. */
const UNSENT_KEPT_MS = 30 * 60_000

/** The comments of a revelation, newest first, page after page. */
export function commentsQuery(revelationId: string) {
  return infiniteQueryOptions({
    queryKey: ['comments', revelationId],
    queryFn: ({ pageParam, signal }) => askPage(revelationId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    // All loaded pages would be asked again one by one; `refreshComments` asks for the newest only.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function askPage(
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
  await whenAnswered(client, { queryKey })
  const newest = await askPage(revelationId, null)
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
    gcTime: UNSENT_KEPT_MS,
    mutationFn: ({ id, content }: UnsentComment) =>
      callApi(
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

/** My comments that are on their way or could not be sent, newest first. */
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

/** Takes back a comment that could not be sent, to send it again or to write it anew. */
export function useTakeBackComment(revelationId: string) {
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
export function useVanishingComments(revelationId: string): string[] {
  return useMutationState({
    filters: { mutationKey: removeKey(revelationId), status: 'pending' },
    select: ({ state }) => state.variables as string,
  })
}

/** The revelations whose comments are on screen. */
export function shownComments(client: QueryClient): string[] {
  const active = client.getQueryCache().findAll({ queryKey: ['comments'], type: 'active' })
  return active.map(({ queryKey }) => String(queryKey[1]))
}

/** Whether a comment of mine is being written or removed there: it is counted already. */
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

/** Changes what is loaded, once no answer that may be older is on its way. */
async function changeComments(
  client: QueryClient,
  revelationId: string,
  change: (known: CommentPages) => CommentPages,
): Promise<void> {
  const { queryKey } = commentsQuery(revelationId)
  await whenAnswered(client, { queryKey })
  client.setQueryData(queryKey, (known) => known && change(known))
}

function countComments(client: QueryClient, revelationId: string, change: 1 | -1): void {
  patchRevelation(client, revelationId, ({ comments_count }) => ({
    comments_count: Math.max(0, comments_count + change),
  }))
}

/** After a failure: reads the truth again, or takes back what was counted when that fails too. */
async function recount(client: QueryClient, revelationId: string, change: 1 | -1): Promise<void> {
  try {
    await refreshComments(client, revelationId)
  } catch {
    countComments(client, revelationId, change)
    // It may be gone, or hidden by a block: then the page says so.
    await reloadRevelation(client, revelationId).catch(() => undefined)
  }
}
