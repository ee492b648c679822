import { queryOptions } from '@tanstack/react-query'
import { getSite } from '#contract/site.ts'
import { callApi } from './api-client.ts'

/** The operator of this site. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => (await callApi(getSite, {}, { signal })).operator,
  staleTime: Number.POSITIVE_INFINITY,
})
