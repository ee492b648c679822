import type { Sound } from '#contract/sounds.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import type { SeenSound } from './sounds.service.ts'

/** The wire shape of what a viewer sees: what is of the letter is absent unless the gate opened it. */
export function presentSound(seen: SeenSound): Sound {
  return {
    ...presentEnvelope(seen),
    ...presentAbout(seen),
    ...presentFile(seen),
    ...presentOwn(seen),
  }
}

function presentEnvelope({ sound, tie, now, canAccess }: SeenSound) {
  return {
    id: sound.id,
    title: sound.title,
    author_id: sound.authorId,
    author_pseudo: sound.authorPseudo,
    author_avatar: sound.authorAvatar,
    category: sound.category,
    created_at: sound.createdAt.toISOString(),
    is_favorite: sound.isFavorite,
    play_count: sound.playsCount,
    reveal_date: sound.scheduledAt?.toISOString() ?? null,
    time_zone: sound.timeZone,
    is_revealed: isRevealed(sound, now),
    reveal_message: sound.revealMessage,
    can_access: canAccess,
    recipient_id: sound.recipientId,
    recipient_pseudo: sound.recipientPseudo,
    is_public: sound.isShared,
    can_delete: tie.isAuthor,
  }
}

function presentAbout({ letter }: SeenSound): Partial<Sound> {
  if (!letter) return {}
  const { description, facts } = letter
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

function presentFile({ letter }: SeenSound): Partial<Sound> {
  const file = letter?.file
  if (!file) return {}
  return {
    file_url: file.fileUrl,
    file_mobile_url: file.fileMobileUrl,
    download_url: file.downloadUrl,
    has_waveform: file.hasWaveform,
  }
}

function presentOwn({ processing }: SeenSound): Partial<Sound> {
  return processing ? { processing_status: processing.status } : {}
}
