import { queryOptions } from '@tanstack/react-query'
import { getSite } from '#contract/site.ts'
import { callApi } from '#web/lib/api-client.ts'

/** Who runs this site: the same as long as it is open. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => (await callApi(getSite, {}, { signal })).operator,
  staleTime: Number.POSITIVE_INFINITY,
})
