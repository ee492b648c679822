import type { ListQuery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { watchSnapshots } from '#server/platform/database/database.ts'
import { type PublicPart, readFeed } from './feed.service.ts'
import { createSnapshotCache } from './snapshot-cache.service.ts'

/** For the answers to visitors, and as much for the public part of the feeds of all others. */
const CACHE_BYTES = 16 * 1024 * 1024
/** What an entry occupies beside its answer: anybody may request any number of empty pages. */
const ENTRY_BYTES = 1_000

/** Answers as JSON that went through its schema, from what this process cached where that is current. */
export function createResponseCache(ctx: AppContext) {
  const currentSnapshot = watchSnapshots(ctx.pool)
  const maxBytes = CACHE_BYTES
  const visitorAnswers = createSnapshotCache<Buffer>(ctx, {
    currentSnapshot,
    sizeOf: (bytes) => ENTRY_BYTES + bytes.length,
    maxBytes,
  })
  const publicParts = createSnapshotCache<PublicPart>(ctx, {
    currentSnapshot,
    sizeOf: (part) => ENTRY_BYTES + part.bytes,
    maxBytes,
  })
  return {
    /** `query` is all that the answer depends on: no session and no key may be in it. */
    cachedForVisitor: (
      query: object,
      build: (still: AppContext) => Promise<string>,
    ): Promise<Buffer> =>
      visitorAnswers(JSON.stringify(query), async (still) => Buffer.from(await build(still))),
    /** Undefined for lists that are read live. */
    cachedFeed: (actor: Actor, query: ListQuery): Promise<string | undefined> =>
      readFeed(ctx, publicParts, actor, query),
  }
}
