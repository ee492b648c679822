import { fork } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AtEnd } from './clean-up.ts'
import type { EventReceived, PagesOpened, PagesOrder, PagesResult } from './event-pages.ts'
import type { Program } from './program.ts'
import { messageOf } from './transfers.ts'

/** As many as a session may have. */
const PAGES_PER_SESSION = 5

/** Pages that are open and do nothing but receive events. */
export interface OpenPages {
  open(order: PagesOrder): Promise<PagesOpened>
  /** Resolves once the last of them has received an event with these words. */
  awaitEvent(words: string): Promise<EventReceived>
  /** Answers how many were open to the end. */
  leave(): Promise<{ left: number }>
}

/** In a process of their own, which measures as little as possible of itself. */
export function startPages(atEnd: AtEnd): OpenPages {
  const child = fork(new URL('./event-pages.ts', import.meta.url))
  atEnd(() => child.disconnect())
  async function send<T extends PagesResult>(request: object): Promise<T> {
    const result = await messageOf<PagesResult>(child, () => child.send(request))
    if ('failure' in result) throw new Error(result.failure)
    return result as T
  }
  return {
    open: (order) => send({ open: order }),
    awaitEvent: (words) => send({ awaitEvent: words }),
    leave: () => send({ leave: true }),
  }
}

/** Sessions of new accounts for so many pages, without the slow hashing of that many passwords. */
export async function addSessions({ db }: Program, pages: number): Promise<string[]> {
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + 86_400_000)
  const people = Array.from({ length: Math.ceil(pages / PAGES_PER_SESSION) }, () => {
    const id = randomUUID()
    const token = randomBytes(32).toString('base64url')
    return { id, token, tokenHash: createHash('sha256').update(token).digest() }
  })
  for (let start = 0; start < people.length; start += 1_000) {
    const some = people.slice(start, start + 1_000)
    const accounts = some.map(({ id }) => {
      const email = `${id}@exemple.test`
      const pseudo = id.slice(0, 20)
      return { id, email, emailKey: email, pseudo, pseudoKey: id, passwordHash: '', createdAt }
    })
    const sessions = some.map(({ id, tokenHash }) => {
      return { userId: id, tokenHash, device: '', createdAt, lastSeenAt: createdAt, expiresAt }
    })
    await db.insertInto('users').values(accounts).execute()
    await db.insertInto('sessions').values(sessions).execute()
  }
  return people.map(({ token }) => token)
}
