import webPush from 'web-push'
import type { VapidKeys } from './vapid-keys.ts'

/** A browser that asked to be told. Its address and `auth` are secrets: they stand in no log. */
export interface PushTarget {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

interface Push {
  message: string
  /** How long the push service keeps it for a browser that is away. */
  keptForSeconds: number
  /** Of two that wait for the same browser, the later one stays; at most 32 letters. */
  topic: string
}

interface Sender {
  keys: VapidKeys
  /** Where a push service may ask what this is: a `mailto:` or an https address. */
  subject: string
  stopping: AbortSignal
}

/** `gone`: the browser is not there any more. `refused`: this one never will be taken. */
export type PushOutcome =
  | { state: 'taken' }
  | { state: 'gone' }
  | { state: 'refused' | 'later'; reason: string }

const TIMEOUT_MS = 10_000

/** Seals a message for one browser (RFC 8291) and hands it to its push service. Follows no redirect. */
export async function sendPush(
  target: PushTarget,
  { message, keptForSeconds, topic }: Push,
  { keys, subject, stopping }: Sender,
): Promise<PushOutcome> {
  const { endpoint, body, headers } = webPush.generateRequestDetails(target, message, {
    TTL: keptForSeconds,
    urgency: 'high',
    topic,
    vapidDetails: { subject, ...keys },
  })
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      // fetch says the length by itself.
      headers: Object.entries(headers)
        .filter(([name]) => name !== 'Content-Length')
        .map(([name, value]): [string, string] => [name, String(value)]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await answer.body?.cancel()
    return outcomeOf(answer.status)
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return { state: 'later', reason: cause?.code ?? name }
  }
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { state: 'taken' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const isPassing = status >= 500 || status === 429 || status === 408
  return { state: isPassing ? 'later' : 'refused', reason: `status ${status}` }
}
