import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addReaction,
  EMOJIS,
  type Emoji,
  listReactions,
  REACTOR_NAMES,
  type Reactions,
  removeReactions,
} from '#contract/reactions.ts'
import type { Envelope, Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { showToast } from '#web/ui/toasts.tsx'

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

/** Adds or removes an emoji: shown at once, sent in the order of the taps, and read again when that fails. */
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
      // An answer older than the last tap would undo it on screen.
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

/** Whether a reaction is on its way there from this page, which has counted it already. */
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
    // Where this fails too, the page stays as it is.
    reloadRevelation(client, revelationId).catch(() => undefined),
  ])
}

interface ReactionChange {
  emoji: Emoji
  /** Added, or removed. */
  isOn: boolean
}

/** The revelation as it is shown before the server has answered. */
export function withMyReaction(
  { my_reactions, reactions_count }: Pick<Revelation, 'my_reactions' | 'reactions_count'>,
  { emoji, isOn }: ReactionChange,
): Partial<Envelope> {
  if (my_reactions.includes(emoji) === isOn) return {}
  return isOn
    ? { my_reactions: [...my_reactions, emoji], reactions_count: reactions_count + 1 }
    : {
        my_reactions: my_reactions.filter((mine) => mine !== emoji),
        reactions_count: Math.max(0, reactions_count - 1),
      }
}

/** The reactions as they are shown before the server has answered: in the order of the emoji, without empty lines. */
export function withReactionOf(
  { reactions, summary }: Reactions,
  pseudo: string,
  { emoji, isOn }: ReactionChange,
): Reactions {
  const known = summary.find((line) => line.emoji === emoji)
  const line = known ?? { emoji, count: 0, reacted: false, pseudos: [] }
  if (line.reacted === isOn) return { reactions, summary }
  const others = line.pseudos.filter((name) => name !== pseudo)
  const changed = {
    emoji,
    reacted: isOn,
    count: line.count + (isOn ? 1 : -1),
    pseudos: isOn ? [pseudo, ...others].slice(0, REACTOR_NAMES) : others,
  }
  const lines = [...summary.filter((other) => other.emoji !== emoji), changed]
  return {
    reactions,
    summary: EMOJIS.flatMap((each) => lines.filter((l) => l.emoji === each && l.count > 0)),
  }
}

function myReactions({ summary }: Reactions): Emoji[] {
  return summary.filter(({ reacted }) => reacted).map(({ emoji }) => emoji)
}
