import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { addReaction, listReactions, type Reactions, removeReactions } from '#contract/reactions.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { showToast } from '#web/ui/toasts.tsx'
import {
  myReactions,
  type ReactionChange,
  withMyReaction,
  withReactionOf,
} from './reaction-change.ts'

/** Who reacted how to a revelation. */
export function reactionsQuery(revelationId: string) {
  return queryOptions({
    queryKey: ['reactions', revelationId],
    queryFn: ({ signal }): Promise<Reactions> =>
      callApi(
        listReactions,
        { params: { revelationId } },
        { signal, headers: deliveryKeyHeaders(revelationId) },
      ),
  })
}

/**
 * Leaves an emoji or takes it back: seen at once, and asked of the server in the order of the taps. When that fails, the
 * truth is read again.
 */
export function useToggleReaction(revelationId: string) {
  const client = useQueryClient()
  const { user } = useSession()
  const mutationKey = toggleKey(revelationId)
  const { queryKey } = reactionsQuery(revelationId)
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (change: ReactionChange) => sendChange(revelationId, change),
    onMutate: async (change) => {
      patchRevelation(client, revelationId, (known) => withMyReaction(known, change))
      await client.cancelQueries({ queryKey })
      client.setQueryData(
        queryKey,
        (known) => known && withReactionOf(known, user?.pseudo ?? '', change),
      )
    },
    onSuccess: (reactions) => {
      // An answer that is older than the last tap would undo it on screen.
      if (client.isMutating({ mutationKey }) > 1) return
      client.setQueryData(queryKey, reactions)
      patchRevelation(client, revelationId, { my_reactions: myReactions(reactions) })
    },
    onError: () => {
      showToast('error', 'Erreur lors de la réaction')
      return reload(client, revelationId)
    },
  })
  return mutate
}

/** Whether a tap of mine is on its way there: it is counted already. */
export function isReacting(client: QueryClient, revelationId: string): boolean {
  return client.isMutating({ mutationKey: toggleKey(revelationId) }) > 0
}

function toggleKey(revelationId: string) {
  return ['reactions', 'toggle', revelationId]
}

function sendChange(revelationId: string, { emoji, isOn }: ReactionChange): Promise<Reactions> {
  const headers = deliveryKeyHeaders(revelationId)
  if (isOn) {
    return callApi(addReaction, { body: { revelation_id: revelationId, emoji } }, { headers })
  }
  const input = { params: { revelationId }, querystring: { emoji }, body: undefined }
  return callApi(removeReactions, input, { headers })
}

async function reload(client: QueryClient, revelationId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: reactionsQuery(revelationId).queryKey }),
    // What cannot be read either stays as it is on screen.
    reloadRevelation(client, revelationId).catch(() => undefined),
  ])
}
