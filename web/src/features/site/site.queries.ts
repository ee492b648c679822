import { queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/lib/api-client.ts'

/** Who runs this site: the same as long as it is open. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => {
    const getSite = import('#contract/site.ts').then((c) => c.getSite)
    return (await callApi(getSite, {}, { signal })).operator
  },
  staleTime: Number.POSITIVE_INFINITY,
})
