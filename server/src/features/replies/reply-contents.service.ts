import type { AppContext } from '#server/context.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { type ReadingRight, requireReplyRight } from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import { readSealedReplies, type SealedReply } from './replies.repository.ts'

/** The words of a reply, and what the author wrote back. */
export interface ReplyWords {
  content: string | null
  emoji: string | null
  answer: string | null
}

function subjectOf(id: string): string {
  return `reply:${id}`
}

/** Seals a reply under a new data key, which goes with its row. */
export function sealReply(
  ctx: AppContext,
  id: string,
  { content, emoji }: { content: string | null; emoji: string | null },
) {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(id))
  return {
    wrappedKey: wrapped,
    sealedContent: content === null ? null : sealText(dataKey, 'content', content),
    sealedEmoji: emoji === null ? null : sealText(dataKey, 'emoji', emoji),
  }
}

/** Seals what the author writes back under the key of the reply; undefined once that is gone. */
export async function sealAnswer(
  ctx: AppContext,
  right: ReadingRight,
  id: string,
  content: string,
): Promise<Buffer | undefined> {
  requireReplyRight(right, id)
  const [sealed] = await readSealedReplies(ctx.db, [id])
  return sealed && sealText(keyOf(ctx, sealed), 'answer', content)
}

/** Opens replies, each covered by the right; damaged ones are left out. */
export async function openReplies(
  ctx: AppContext,
  right: ReadingRight,
  ids: readonly string[],
): Promise<Map<string, ReplyWords>> {
  for (const id of ids) requireReplyRight(right, id)
  const opened = new Map<string, ReplyWords>()
  for (const sealed of await readSealedReplies(ctx.db, ids)) {
    try {
      opened.set(sealed.id, openReply(ctx, right, sealed))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ replyId: sealed.id, err: error }, 'a reply can no longer be opened')
    }
  }
  return opened
}

/** Throws `SealBroken`, and when the right does not cover this very reply. */
export function openReply(ctx: AppContext, right: ReadingRight, sealed: SealedReply): ReplyWords {
  requireReplyRight(right, sealed.id)
  const key = keyOf(ctx, sealed)
  const open = (field: string, bytes: Buffer | null) => bytes && openText(key, field, bytes)
  return {
    content: open('content', sealed.sealedContent),
    emoji: open('emoji', sealed.sealedEmoji),
    answer: open('answer', sealed.sealedAnswer),
  }
}

function keyOf(ctx: AppContext, { id, wrappedKey }: SealedReply): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}
