import type { Reply } from '#contract/replies.ts'
import type { ReplyView } from './replies.service.ts'

/** The wire shape of a reply. Its author is shown the account that wrote it where the letter was sent to that account. */
export function presentReply({ reply, words, voice, isToAuthor, can }: ReplyView): Reply {
  const answer = words?.answer ?? null
  return {
    id: reply.id,
    from: {
      pseudo: reply.isNamed ? reply.writerPseudo : null,
      name: null,
      avatar_url: reply.isNamed ? reply.writerAvatar : null,
      address: isToAuthor ? reply.address : null,
    },
    content: words?.content ?? null,
    emoji: words?.emoji ?? null,
    // AAC as soon as it is rendered: not every browser plays what another one recorded.
    audio_url: voice ? (voice.fileMobileUrl ?? voice.fileUrl) : null,
    duration: voice?.duration ?? null,
    created_at: reply.createdAt.toISOString(),
    read_at: reply.readAt?.toISOString() ?? null,
    answer:
      answer !== null && reply.answeredAt
        ? { content: answer, created_at: reply.answeredAt.toISOString() }
        : null,
    can,
  }
}
