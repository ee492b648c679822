import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { findOriginals, type Original } from '#server/features/media/file-views.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import { openTexts } from './letters.service.ts'
import { listEnvelopesBy } from './own-letters.repository.ts'

const PAGE = 50

/** One’s own revelation with its letter, whatever its instant. */
export interface OwnLetter {
  envelope: EnvelopeRow
  /** Undefined when it is damaged, or was sealed again meanwhile. */
  content: string | undefined
  /** Undefined without a file, and when its key is damaged. */
  file: Original | undefined
}

/** All that the actor sealed, the oldest first, a page at a time. */
export async function* readOwnLetters(ctx: AppContext, actor: Actor): AsyncGenerator<OwnLetter[]> {
  const pages = listPages<EnvelopeRow>(PAGE, (after, limit) =>
    listEnvelopesBy(ctx.db, actor.userId, after, limit),
  )
  for await (const envelopes of pages) yield openOwn(ctx, actor, envelopes)
}

/** The query selects nothing else; the grant decides all the same. */
async function openOwn(
  ctx: AppContext,
  actor: Actor,
  own: readonly EnvelopeRow[],
): Promise<OwnLetter[]> {
  const right = grantAuthor(actor, own)
  if (!right) throw new Error('A letter of somebody else is among one’s own')
  const [texts, files] = await Promise.all([
    openTexts(ctx, right, own),
    findOriginals(
      ctx,
      right,
      own.flatMap(({ mediaId }) => mediaId ?? []),
    ),
  ])
  return own.map((envelope) => ({
    envelope,
    content: texts.get(envelope.id)?.content,
    file: envelope.mediaId ? files.get(envelope.mediaId) : undefined,
  }))
}
