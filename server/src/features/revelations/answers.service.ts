import type { ListQuery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { watchSnapshots } from '#server/platform/database/snapshots.ts'
import { type PublicPart, readFeed } from './feed.service.ts'
import { createPublicMemory } from './public-memory.service.ts'

/** For what visitors are answered, and as much for the public part of the feeds of all others. */
const REMEMBERED_BYTES = 16 * 1024 * 1024
/** Of what is kept beside an answer: empty pages, of which anybody can ask for any number, take room too. */
const ENTRY_BYTES = 1_000

/** Answers as JSON that went through its schema, made of what this process remembers as far as that is right. */
export function createAnswers(ctx: AppContext) {
  const currentSnapshot = watchSnapshots(ctx.pool)
  const maxBytes = REMEMBERED_BYTES
  const visitorAnswers = createPublicMemory<Buffer>(ctx, {
    currentSnapshot,
    sizeOf: (bytes) => ENTRY_BYTES + bytes.length,
    maxBytes,
  })
  const publicParts = createPublicMemory<PublicPart>(ctx, {
    currentSnapshot,
    sizeOf: (part) => ENTRY_BYTES + part.bytes,
    maxBytes,
  })
  return {
    /** `asked` is all that the answer depends on: nobody who is signed in, or holds a key, may be in it. */
    forVisitor: (asked: object, build: (still: AppContext) => Promise<string>): Promise<Buffer> =>
      visitorAnswers(JSON.stringify(asked), async (still) => Buffer.from(await build(still))),
    /** Undefined for lists that are read live. */
    feedOf: (actor: Actor, query: ListQuery): Promise<string | undefined> =>
      readFeed(ctx, publicParts, actor, query),
  }
}
