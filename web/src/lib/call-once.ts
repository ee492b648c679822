import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { ApiError, type CallArguments, callApi, isAnswerLost } from './api-client.ts'
import { createId } from './ids.ts'

/** The keys of calls that are under way, or whose answer is lost, each under what it asks for. */
const keys = new Map<string, string>()

/**
 * Calls an endpoint that creates something. As long as no answer has come, the same call again has the same key, and creates
 * nothing more; after an answer it is a new one.
 */
export async function callOnce<E extends Endpoint & { createsOnce?: true }>(
  endpoint: E,
  ...[input, options]: CallArguments<E>
): Promise<EndpointOutput<E>> {
  const name = JSON.stringify([endpoint.url, input])
  const key = keys.get(name) ?? createId()
  keys.set(name, key)
  const headers = { ...options?.headers, [IDEMPOTENCY_HEADER]: key }
  const call = callApi as (...call: unknown[]) => Promise<EndpointOutput<E>>
  try {
    const answer = await call(endpoint, input, { ...options, headers })
    keys.delete(name)
    return answer
  } catch (error) {
    if (!mayHaveCreated(error)) keys.delete(name)
    throw error
  }
}

/** Whether the server may have created, or may still create, what such a failed call requested. */
export function mayHaveCreated(error: unknown): boolean {
  return isAnswerLost(error) || (error instanceof ApiError && error.code === 'in_progress')
}
