import type { OwnRevelation, Revelation } from '#contract/revelations.ts'
import { presentDelivery } from '#server/features/deliveries/journal.rules.ts'
import { presentPrediction } from '#server/features/predictions/predictions.rules.ts'
import { isRevealed, maskEmail } from './revelations.rules.ts'
import type { SeenRevelation } from './sightings.service.ts'

/** The wire shape of what a viewer sees: the letter's keys are absent unless the gate opened it. */
export function presentRevelation(seen: SeenRevelation): Revelation {
  return { ...presentEnvelope(seen), ...presentLetter(seen), ...presentOwn(seen) }
}

function presentEnvelope({ envelope, tie, now, media, mine, myVote }: SeenRevelation) {
  const revealed = isRevealed(envelope, now)
  const prediction = presentPrediction(envelope, now, myVote)
  return {
    id: envelope.id,
    title: envelope.title,
    author_id: envelope.authorId,
    author_pseudo: envelope.authorPseudo,
    author_avatar: envelope.authorAvatar,
    target_email:
      tie.isAuthor || tie.isAddressee ? envelope.targetEmail : maskEmail(envelope.targetEmail),
    reveal_date: envelope.revealAt.toISOString(),
    time_zone: envelope.timeZone,
    category: envelope.category,
    visibility: envelope.visibility,
    is_private: envelope.visibility === 'private',
    is_revealed: revealed,
    file_type: envelope.fileType,
    teaser_start: envelope.teaserStart,
    teaser_end: envelope.teaserEnd,
    teaser_url: media?.teaserUrl ?? null,
    thumbnail_teaser: media?.thumbnailTeaser ?? null,
    reactions_count: envelope.reactionsCount,
    comments_count: envelope.commentsCount,
    views_count: envelope.viewsCount,
    my_reactions: [...(mine ?? [])],
    created_at: envelope.createdAt.toISOString(),
    updated_at: envelope.updatedAt.toISOString(),
    version: envelope.version,
    commitment: envelope.commitment.toString('hex'),
    prediction,
    can: {
      edit: tie.isAuthor && !revealed && envelope.hiddenAt === null,
      delete: tie.isAuthor,
      react: mine !== undefined,
      comment: mine !== undefined,
      declare: tie.isAuthor && prediction !== null,
      vote: mine !== undefined && !tie.isAuthor && prediction !== null,
    },
  }
}

function presentLetter({ letter }: SeenRevelation) {
  if (!letter) return {}
  const { content, file } = letter
  return {
    content,
    file_url: file?.fileUrl ?? null,
    file_mobile_url: file?.fileMobileUrl ?? null,
    file_name: file?.fileName ?? null,
    file_size: file?.fileSize ?? null,
    duration: file?.duration ?? null,
    thumbnail_complete: file?.thumbnailComplete ?? null,
  }
}

function presentOwn({ envelope, letter, own }: SeenRevelation): Partial<OwnRevelation> {
  if (!own) return {}
  const { deliveries, processing } = own
  const [first, second] = deliveries
  if (!first) return {}
  return {
    video_edit_url:
      envelope.fileType === 'video' && letter?.file ? editingUrl(envelope.id, letter.file) : null,
    processing_status: processing?.status ?? 'none',
    processing_progress: processing?.progress ?? 0,
    processing_error: processing?.error ?? null,
    failed_jobs: processing?.failed ?? [],
    delivery: presentDelivery(first),
    second_delivery: second ? presentDelivery(second) : null,
    is_suspended: envelope.hiddenAt !== null,
  }
}

/** The same ticket as the original's: both are for the author's session. */
function editingUrl(id: string, file: { fileUrl: string }): string {
  return `/api/revelations/video-stream-edit/${id}${new URL(file.fileUrl, 'http://x').search}`
}
