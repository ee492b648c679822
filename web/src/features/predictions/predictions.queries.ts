import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  castVote,
  type Declaration,
  declareOutcome,
  type Outcome,
  type Prediction,
  withdrawVote,
} from '#contract/predictions.ts'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi, errorSentence } from '#web/lib/api-client.ts'
import { showToast } from '#web/ui/toasts.tsx'

/** Votes, changes the vote or withdraws it: shown at once, sent in the order of the taps. */
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
      // An answer older than the last tap would undo it on screen.
      if (client.isMutating({ mutationKey }) > 1) return
      patchRevelation(client, id, { prediction })
    },
    onError: (error) => {
      showToast('error', errorSentence(error, 'Votre vote n’a pas pu être compté. Réessayez.'))
      // Where this fails too, the page stays as it is.
      return reloadRevelation(client, id).catch(() => undefined)
    },
  })
  return mutate
}

/** Whether a vote is on its way there from this page, which has counted it already. */
export function isVoting(client: QueryClient, id: string): boolean {
  return client.isMutating({ mutationKey: voteKey(id) }) > 0
}

function voteKey(id: string) {
  return ['predictions', 'vote', id]
}

/** `onDone` runs before the page shows the outcome. */
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

/** A prediction with one's own vote before the server has counted it; null withdraws it. */
function withMyVote(prediction: Prediction, vote: Outcome | null): Prediction {
  const votes = { ...prediction.votes }
  if (prediction.my_vote) votes[prediction.my_vote] -= 1
  if (vote) votes[vote] += 1
  return { ...prediction, votes, my_vote: vote }
}
