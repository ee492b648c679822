import type { Sound } from '#contract/sounds.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import type { VoiceMessageView } from './voice-messages.service.ts'

/** The wire shape of a voice message as one viewer sees it; sealed fields are absent unless the gate opened them. */
export function presentVoiceMessage(view: VoiceMessageView): Sound {
  return {
    ...presentEnvelope(view),
    ...presentAbout(view),
    ...presentFile(view),
    ...presentOwn(view),
  }
}

function presentEnvelope({ voiceMessage, relation, now, canAccess }: VoiceMessageView) {
  return {
    id: voiceMessage.id,
    title: voiceMessage.title,
    author_id: voiceMessage.authorId,
    author_pseudo: voiceMessage.authorPseudo,
    author_avatar: voiceMessage.authorAvatar,
    category: voiceMessage.category,
    created_at: voiceMessage.createdAt.toISOString(),
    is_favorite: voiceMessage.isFavorite,
    play_count: voiceMessage.playsCount,
    reveal_date: voiceMessage.scheduledAt?.toISOString() ?? null,
    time_zone: voiceMessage.timeZone,
    is_revealed: isRevealed(voiceMessage, now),
    reveal_message: voiceMessage.revealMessage,
    can_access: canAccess,
    recipient_id: voiceMessage.recipientId,
    recipient_pseudo: voiceMessage.recipientPseudo,
    is_public: voiceMessage.isShared,
    can_delete: relation.isAuthor,
  }
}

function presentAbout({ contents }: VoiceMessageView): Partial<Sound> {
  if (!contents) return {}
  const { description, facts } = contents
  return {
    ...(description === undefined ? {} : { description }),
    ...(facts && {
      file_name: facts.fileName,
      file_size: facts.fileSize,
      mime_type: facts.mimeType,
      duration: facts.duration,
    }),
  }
}

function presentFile({ contents }: VoiceMessageView): Partial<Sound> {
  const file = contents?.file
  if (!file) return {}
  return {
    file_url: file.fileUrl,
    file_mobile_url: file.fileMobileUrl,
    download_url: file.downloadUrl,
    has_waveform: file.hasWaveform,
  }
}

function presentOwn({ processing }: VoiceMessageView): Partial<Sound> {
  return processing ? { processing_status: processing.status } : {}
}
