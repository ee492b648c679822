import { useMutation, useQueryClient } from '@tanstack/react-query'
import { openRevelation, type Revelation } from '#contract/revelations.ts'
import { patchRevelation } from '#web/features/revelations/revelation-cache.ts'
import { callApi } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'

const RETRIES = 5

/** Records that this reader broke the seal. What failed is tried again, and asks nothing of the reader. */
export function useOpenRevelation({ id, opening }: Revelation) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ tellsAuthor }: { tellsAuthor: boolean }) =>
      callApi(
        openRevelation,
        { params: { id }, body: { tell_author: tellsAuthor } },
        { headers: deliveryKeyHeaders(id) },
      ),
    retry: RETRIES,
    onMutate: () => {
      const opened_at = opening.opened_at ?? new Date(serverNow()).toISOString()
      patchRevelation(client, id, { opening: { ...opening, needed: false, opened_at } })
    },
  })
}
