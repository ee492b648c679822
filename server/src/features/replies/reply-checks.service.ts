import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { listAllSealedReplies, type SealedReply } from './replies.repository.ts'
import { openReply } from './reply-contents.service.ts'

const PAGE = 200

/** Opens the words of every reply, and of what was written back. */
export async function* checkReplies(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = listPages<SealedReply>(PAGE, (after, limit) =>
    listAllSealedReplies(ctx.db, after?.id, limit),
  )
  for await (const page of pages) {
    for (const sealed of page) yield checkReply(ctx, right, sealed)
  }
}

function checkReply(ctx: AppContext, right: ReadingRight, sealed: SealedReply): Checked {
  const { id, sealedContent, sealedEmoji, sealedAnswer } = sealed
  const sizeBytes = [sealedContent, sealedEmoji, sealedAnswer].reduce(
    (sum, bytes) => sum + (bytes?.length ?? 0),
    0,
  )
  const checked = { name: `reply ${id}`, sizeBytes }
  try {
    openReply(ctx, right, sealed)
    return checked
  } catch (error) {
    return { ...checked, problem: damageOf(error) }
  }
}
