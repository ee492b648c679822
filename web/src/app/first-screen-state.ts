import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '#web/lib/api-client.ts'

export const STATE_ID = 'first-screen'

type Answer = { data: unknown } | { refusal: { message: string; code: string; status: number } }

/**
 * What the browser must know to render the first screen again as the server did. The answers stand in the order of the
 * page's queries, without their keys: a page that finds nothing is the same bytes whatever was looked for.
 */
export interface FirstScreenState {
  nowMs: number
  origin: string
  answers: Answer[]
}

/** Undefined when something could not be had: the browser then asks for itself, and says what is wrong. */
export function answerOf(client: QueryClient, queryKey: QueryKey): Answer | undefined {
  const { data, error } = client.getQueryState(queryKey) ?? {}
  if (data !== undefined) return { data }
  if (!(error instanceof ApiError) || error.status !== 404) return undefined
  const { message, code, status } = error
  return { refusal: { message, code, status } }
}

export function keepAnswer(client: QueryClient, queryKey: QueryKey, answer: Answer): void {
  if ('data' in answer) {
    client.setQueryData(queryKey, answer.data)
    return
  }
  const { message, code, status } = answer.refusal
  const error = new ApiError(message, code as ErrorCode, status)
  const query = client.getQueryCache().build(client, { queryKey })
  query.setState({ status: 'error', error, errorUpdatedAt: Date.now(), errorUpdateCount: 1 })
}
