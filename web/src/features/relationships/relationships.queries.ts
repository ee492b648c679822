import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { searchUsers } from '#contract/profiles.ts'
import {
  answerRequest,
  blockPerson,
  endRelationship,
  listBlocks,
  listRelationships,
  listRequests,
  type ReceivedRequest,
  type RequestAnswer,
  type RequestInput,
  requestRelationship,
  type SentRequest,
  unblockPerson,
  withdrawRequest,
} from '#contract/relationships.ts'
import { callApi } from '#web/lib/api-client.ts'
import { keepFocus } from '#web/lib/kept-focus.ts'

/** Above every query of this feature: what changes between people is asked again under it. */
const RELATIONSHIPS_KEY = ['relationships'] as const

export const relationshipsQuery = queryOptions({
  queryKey: [...RELATIONSHIPS_KEY, 'accepted'],
  queryFn: async ({ signal }) => (await callApi(listRelationships, {}, { signal })).relationships,
})

export interface Requests {
  received: ReceivedRequest[]
  sent: SentRequest[]
}

/** What waits for an answer. */
export const requestsQuery = queryOptions({
  queryKey: [...RELATIONSHIPS_KEY, 'requests'],
  queryFn: async ({ signal }): Promise<Requests> => {
    const { requests, sent } = await callApi(listRequests, {}, { signal })
    return { received: requests, sent }
  },
})

export const blocksQuery = queryOptions({
  queryKey: [...RELATIONSHIPS_KEY, 'blocks'],
  queryFn: async ({ signal }) => (await callApi(listBlocks, {}, { signal })).blocks,
})

/** People by a part of their pseudo or by their whole address; a blank search asks nothing. */
export function userSearchQuery(q: string) {
  return queryOptions({
    queryKey: [...RELATIONSHIPS_KEY, 'search', q],
    queryFn: async ({ signal }) =>
      (await callApi(searchUsers, { querystring: { q } }, { signal })).users,
    enabled: q !== '',
  })
}

/** Called as soon as the server agreed, before the page shows it. */
type OnDone<Output> = (output: Output) => unknown

export function useAskRelationship(onDone?: OnDone<EndpointOutput<typeof requestRelationship>>) {
  return useTieMutation((body: RequestInput) => callApi(requestRelationship, { body }), onDone)
}

export function useAnswerRequest(onDone?: OnDone<EndpointOutput<typeof answerRequest>>) {
  return useTieMutation(
    ({ id, ...body }: RequestAnswer & { id: string }) =>
      callApi(answerRequest, { params: { id }, body }),
    onDone,
  )
}

export function useWithdrawRequest() {
  return useTieMutation((id: string) => callApi(withdrawRequest, { params: { id } }))
}

export function useEndRelationship(onDone?: OnDone<unknown>) {
  return useTieMutation((id: string) => callApi(endRelationship, { params: { id } }), onDone)
}

export function useBlockPerson(onDone?: OnDone<unknown>) {
  return useTieMutation((userId: string) => callApi(blockPerson, { params: { userId } }), onDone)
}

export function useUnblockPerson() {
  return useTieMutation((userId: string) => callApi(unblockPerson, { params: { userId } }))
}

/**
 * What ties people decides what they see of each other: after a change, or a refusal that shows this page is
 * behind, everything is asked again. The button waits until the page tells the new state.
 */
function useTieMutation<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  onDone?: OnDone<Output>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onMutate: keepFocus,
    onSuccess: (output) => void onDone?.(output),
    onSettled: async (_output, _error, _input, returnFocus) => {
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      returnFocus?.()
    },
  })
}
