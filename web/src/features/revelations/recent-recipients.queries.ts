import { queryOptions } from '@tanstack/react-query'
import { listRecentRecipients } from '#contract/deliveries.ts'
import { callApi } from '#web/lib/api-client.ts'

/** Whom one wrote to lately, the latest first. */
export const recentRecipientsQuery = queryOptions({
  queryKey: ['recent-recipients'],
  queryFn: async ({ signal }) => (await callApi(listRecentRecipients, {}, { signal })).people,
  // A letter that was just sealed has made others recent.
  staleTime: 0,
})
