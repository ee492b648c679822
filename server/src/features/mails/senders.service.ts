import type { AppContext } from '#server/context.ts'
import { findSenderFacts } from './mail-preferences.repository.ts'
import type { ComposedMail } from './mails.service.ts'

/** An author as the sender of a mail, and whether their own address is proved: nobody else’s words leave with a letter. */
export async function getSender(
  ctx: AppContext,
  author: { authorId: string; authorPseudo: string; authorEmail: string },
): Promise<{ person: NonNullable<ComposedMail['person']>; isVerified: boolean }> {
  const { authorId, authorPseudo, authorEmail } = author
  const { isVerified, wantsReplies } = await findSenderFacts(ctx.db, authorId)
  const replyTo = isVerified && wantsReplies ? authorEmail : undefined
  return { person: { name: authorPseudo, replyTo }, isVerified }
}
