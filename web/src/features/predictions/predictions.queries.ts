import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  castVote,
  type Declaration,
  declareOutcome,
  type Outcome,
  withdrawVote,
} from '#contract/predictions.ts'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi, errorSentence } from '#web/lib/api-client.ts'
import { showToast } from '#web/ui/toasts.tsx'
import { withMyVote } from './vote-change.ts'

/** Votes, votes otherwise or takes the vote back: seen at once, sent in the order of the taps. */
export function useVote(id: string) {
  const client = useQueryClient()
  const mutationKey = voteKey(id)
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (outcome: Outcome | null) =>
      outcome
        ? callApi(castVote, { params: { id }, body: { outcome } })
        : callApi(withdrawVote, { params: { id } }),
    onMutate: (outcome) =>
      patchRevelation(client, id, ({ prediction }) => ({
        prediction: prediction && withMyVote(prediction, outcome),
      })),
    onSuccess: ({ prediction }) => {
      // An answer that is older than the last tap would undo it on screen.
      if (client.isMutating({ mutationKey }) > 1) return
      patchRevelation(client, id, { prediction })
    },
    onError: (error) => {
      showToast('error', errorSentence(error, 'Votre vote n’a pas pu être compté. Réessayez.'))
      // What cannot be read either stays as it is on screen.
      return reloadRevelation(client, id).catch(() => undefined)
    },
  })
  return mutate
}

/** Whether a vote of mine is on its way there: it is counted already. */
export function isVoting(client: QueryClient, id: string): boolean {
  return client.isMutating({ mutationKey: voteKey(id) }) > 0
}

function voteKey(id: string) {
  return ['predictions', 'vote', id]
}

/** Says what became of one’s own prediction. `onDone` comes before the page shows it. */
export function useDeclareOutcome(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Declaration) => callApi(declareOutcome, { params: { id }, body }),
    onSuccess: ({ prediction }) => {
      onDone()
      patchRevelation(client, id, { prediction })
    },
  })
}
