import type { Revelation } from '#contract/revelations.ts'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { listOwnRecent } from './revelations.queries.ts'

// The clocks of both sides agree to a second at best.
const CLOCK_GRACE_MS = 5000

/** An attempt whose answer never came: it may have been sealed all the same. */
export interface Doubt extends Words {
  sinceMs: number
}

type Words = Pick<CreateRevelationInput, 'title' | 'content'>

export function doubtAbout({ title, content }: Words): Doubt {
  return { title, content, sinceMs: serverNow() - CLOCK_GRACE_MS }
}

/** Whether a doubt is about this letter, maybe changed since, rather than about another one. */
export function isAbout(doubt: Doubt, { title, content }: Words): boolean {
  return isSameText(doubt.title, title) || isSameText(doubt.content, content)
}

/** What that attempt sealed, if it did. Throws when the server cannot be asked. */
export async function findSealed(userId: string, doubt: Doubt): Promise<Revelation | undefined> {
  const recent = await listOwnRecent(userId)
  return recent.find(
    ({ title, content, created_at }) =>
      Date.parse(created_at) >= doubt.sinceMs &&
      isSameText(title, doubt.title) &&
      isSameText(content, doubt.content),
  )
}

/** The server keeps texts trimmed, in one form of Unicode. */
function isSameText(one: string, other: string): boolean {
  return asKept(one) === asKept(other)
}

function asKept(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize('NFC').trim()
}
