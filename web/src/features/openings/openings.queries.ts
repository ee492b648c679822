import { useMutation, useQueryClient } from '@tanstack/react-query'
import { openRevelation, type Revelation } from '#contract/revelations.ts'
import {
  itemKey,
  patchRevelation,
  restartReceived,
} from '#web/features/revelations/revelation-cache.ts'
import { callApi, isUnreachable } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'

const RETRIES = 5

/** Records that this reader broke the seal. What did not reach the server is sent again, and asks nothing of the reader. */
export function useOpenRevelation({ id, opening }: Revelation) {
  const client = useQueryClient()
  const patch = (opened_at: string) =>
    patchRevelation(client, id, { opening: { ...opening, needed: false, opened_at } })
  return useMutation({
    mutationFn: ({ tellsAuthor }: { tellsAuthor: boolean }) =>
      callApi(
        openRevelation,
        { params: { id }, body: { tell_author: tellsAuthor } },
        { headers: deliveryKeyHeaders(id) },
      ),
    retry: (failures, error) => failures < RETRIES && isUnreachable(error),
    onMutate: () => {
      // An answer that left before the act would seal the letter again.
      void client.cancelQueries({ queryKey: itemKey(id) })
      patch(opening.opened_at ?? new Date(serverNow()).toISOString())
    },
    onSuccess: ({ opened_at }) => {
      patch(opened_at)
      void restartReceived(client)
    },
  })
}
