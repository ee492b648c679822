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
import { callOnce } from '#web/lib/call-once.ts'

/** The key above every query of this feature. */
const RELATIONSHIPS_KEY = ['relationships'] as const

export const relationshipsQuery = queryOptions({
  queryKey: [...RELATIONSHIPS_KEY, 'accepted'],
  queryFn: async ({ signal }) => (await callApi(listRelationships, {}, { signal })).relationships,
})

export interface Requests {
  received: ReceivedRequest[]
  sent: SentRequest[]
}

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

/** People by a part of their pseudo or by their whole address; a blank search sends nothing. */
export function userSearchQuery(q: string) {
  return queryOptions({
    queryKey: [...RELATIONSHIPS_KEY, 'search', q],
    queryFn: async ({ signal }) =>
      (await callApi(searchUsers, { querystring: { q } }, { signal })).users,
    enabled: q !== '',
  })
}

/** Runs on success, before the page shows the change. */
type OnDone<Output> = (output: Output) => unknown

export function useRequestRelationship(
  onDone?: OnDone<EndpointOutput<typeof requestRelationship>>,
) {
  return useRelationMutation(
    (body: RequestInput) => callOnce(requestRelationship, { body }),
    onDone,
  )
}

export function useAnswerRequest(onDone?: OnDone<EndpointOutput<typeof answerRequest>>) {
  return useRelationMutation(
    ({ id, ...body }: RequestAnswer & { id: string }) =>
      callApi(answerRequest, { params: { id }, body }),
    onDone,
  )
}

export function useWithdrawRequest() {
  return useRelationMutation((id: string) => callApi(withdrawRequest, { params: { id } }))
}

export function useEndRelationship(onDone?: OnDone<unknown>) {
  return useRelationMutation((id: string) => callApi(endRelationship, { params: { id } }), onDone)
}

export function useBlockPerson(onDone?: OnDone<unknown>) {
  return useRelationMutation(
    (userId: string) => callApi(blockPerson, { params: { userId } }),
    onDone,
  )
}

export function useUnblockPerson() {
  return useRelationMutation((userId: string) => callApi(unblockPerson, { params: { userId } }))
}

/**
 * Relations decide what people see of each other: after a change or a refusal everything is fetched again, and the button is
 * busy until the page shows the new state.
 */
function useRelationMutation<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  onDone?: OnDone<Output>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (output) => void onDone?.(output),
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' }),
  })
}
