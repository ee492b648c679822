import type { LetterFile, OwnRevelation, Revelation } from '#contract/revelations.ts'
import {
  isRevealed,
  recipientFor,
  type ViewerRelation,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow, Recipient } from '#server/features/access/envelopes.rules.ts'
import { presentDelivery } from '#server/features/deliveries/deliveries.rules.ts'
import { presentOpening } from '#server/features/openings/openings.rules.ts'
import { presentPrediction } from '#server/features/predictions/predictions.rules.ts'
import { maskEmail } from '#server/platform/mail/email-address.ts'
import type { CaptionedMedia, Letter } from './letters.service.ts'
import type { RevelationView } from './revelation-views.service.ts'

/** The wire shape of what a viewer sees: the letter's keys are absent unless the gate opened it. */
export function presentRevelation(seen: RevelationView): Revelation {
  return { ...presentEnvelope(seen), ...presentLetter(seen), ...presentOwn(seen) }
}

/** The same for its own page, with what would weigh too much in lists. */
export function presentWhole(seen: RevelationView): Revelation {
  const { letter, own, notes } = seen
  return {
    ...presentRevelation(seen),
    ...(letter && { file_words: letter.fileWords }),
    ...(own && notes && { announcement_note: notes.announcement, opening_note: notes.opening }),
  }
}

function presentEnvelope({
  envelope,
  relation,
  now,
  media,
  mine,
  myVote,
  openedAt,
  isAwaited,
}: RevelationView) {
  const revealed = isRevealed(envelope, now)
  const prediction = presentPrediction(envelope, now, myVote)
  return {
    id: envelope.id,
    title: envelope.title,
    author_id: envelope.authorId,
    author_pseudo: envelope.authorPseudo,
    author_avatar: envelope.authorAvatar,
    ...presentRecipients(envelope, relation),
    reveal_date: envelope.revealAt.toISOString(),
    time_zone: envelope.timeZone,
    kind: envelope.kind,
    category: envelope.category,
    visibility: envelope.visibility,
    public_since: envelope.publicSince?.toISOString() ?? null,
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
    opening: presentOpening({ relation, openedAt, isAwaited }, envelope, now),
    prediction,
    can: {
      edit: relation.isAuthor && !revealed && envelope.hiddenAt === null,
      delete: relation.isAuthor,
      react: mine !== undefined,
      comment: mine !== undefined,
      declare: relation.isAuthor && prediction !== null,
      vote: mine !== undefined && !relation.isAuthor && prediction !== null,
    },
  }
}

/** Its recipients as far as this viewer may know them (behaviour.md 2.5). */
function presentRecipients(
  { recipients, recipientsSeeEachOther }: EnvelopeRow,
  relation: ViewerRelation,
) {
  const own = recipientFor(relation, { recipients })
  const isWhole = ({ deliveryId }: Recipient) => relation.isAuthor || deliveryId === own?.deliveryId
  const shown = relation.isAuthor || (own && recipientsSeeEachOther) ? recipients : own && [own]
  const first = relation.isAuthor ? recipients[0] : (own ?? recipients[0])
  const present = (recipient: Recipient) => ({
    email: isWhole(recipient) ? recipient.address : maskEmail(recipient.address),
    name: recipient.name,
  })
  return {
    target_email: first ? present(first).email : '',
    target_name: first && isWhole(first) ? first.name : null,
    ...(shown && { recipients: shown.map(present) }),
  }
}

function presentLetter({ letter }: RevelationView) {
  if (!letter) return {}
  const { content, file, sealVoice, stationery } = letter
  return {
    content,
    file_url: file?.fileUrl ?? null,
    file_is_sealed: file?.isSealed ?? null,
    file_mobile_url: file?.fileMobileUrl ?? null,
    file_name: file?.fileName ?? null,
    file_size: file?.fileSize ?? null,
    duration: file?.duration ?? null,
    thumbnail_complete: file?.thumbnailComplete ?? null,
    ...(isAlbum(letter) && { files: letter.files.map(presentFile) }),
    seal_voice_url: sealVoice?.url ?? null,
    seal_voice_words: sealVoice?.words ?? null,
    ...stationery,
  }
}

/** What one address cannot say: that there are more, or words beside it. */
function isAlbum({ files }: Letter): boolean {
  return files.length > 1 || files.some(({ caption }) => caption !== null)
}

function presentFile(file: CaptionedMedia): LetterFile {
  return {
    url: file.fileUrl,
    is_sealed: file.isSealed,
    mobile_url: file.fileMobileUrl,
    type: file.kind,
    name: file.fileName,
    size: file.fileSize,
    duration: file.duration,
    thumbnail: file.thumbnailComplete,
    caption: file.caption,
  }
}

function presentOwn({ envelope, letter, own }: RevelationView): Partial<OwnRevelation> {
  if (!own) return {}
  const { deliveries, processing } = own
  const presented = deliveries.map(presentDelivery)
  const [first] = presented
  if (!first) return {}
  return {
    video_edit_url:
      envelope.fileType === 'video' && letter?.file?.fileUrl
        ? editingUrl(envelope.id, letter.file.fileUrl)
        : null,
    processing_status: processing?.status ?? 'none',
    processing_progress: processing?.progress ?? 0,
    processing_error: processing?.error ?? null,
    failed_jobs: processing?.failed ?? [],
    recipients_see_each_other: envelope.recipientsSeeEachOther,
    deliveries: presented,
    delivery: first,
    is_suspended: envelope.hiddenAt !== null,
  }
}

/** The same ticket as the original's: both are for the author's session. */
function editingUrl(id: string, fileUrl: string): string {
  return `/api/revelations/video-stream-edit/${id}${new URL(fileUrl, 'http://x').search}`
}
