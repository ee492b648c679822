import { isRevealed } from '#server/features/access/access.rules.ts'
import type { SavedLetter } from '#server/features/access/saved-letters.service.ts'
import type { DownloadableFile } from '#server/features/media/file-views.service.ts'
import type { Notes } from '#server/features/notes/notes.service.ts'
import { presentPrediction } from '#server/features/predictions/predictions.rules.ts'
import type { WholeReply } from '#server/features/replies/own-replies.service.ts'
import type { WholeLetter } from '#server/features/revelations/whole-letters.service.ts'
import type { OwnVoiceMessage } from '#server/features/voice-messages/voice-message-contents.service.ts'
import type {
  CommentOfMine,
  DeliveryOfMine,
  listFavoriteSoundsOf,
  listPurchasesOf,
  listPushSubscriptionsOf,
  listRemindersOf,
  listReportsBy,
  OpeningOfMine,
  ReactionOfMine,
  VoteOfMine,
} from './exports.repository.ts'
import { proofPathOf } from './exports.rules.ts'

/**
 * A file as it is in the archive: whole, cut where its stored bytes are damaged, or not there at all; the copy of a picture
 * may not be rendered yet, and a sound that waits for its instant is nobody’s.
 */
export type ArchivedFile =
  | { state: 'whole' | 'incomplete'; path: string; sha256: string }
  | { state: 'missing' | 'pending' | 'sealed' }

/** What is known of the files once they are in the archive, by file; nothing outside of one. */
export type ArchivedFiles = ReadonlyMap<string, ArchivedFile>

/** A letter with the replies that came to it. */
export interface AnsweredLetter extends WholeLetter {
  notes: Notes
  replies: WholeReply[]
}

type Row<List extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number]

function iso(instant: Date | null): string | null {
  return instant?.toISOString() ?? null
}

export function presentOwnLetter(
  letter: AnsweredLetter & { now: Date; deliveries: readonly DeliveryOfMine[] },
  files: ArchivedFiles | undefined,
) {
  const { envelope, content, fileWords, sealVoice, notes, replies, now, deliveries } = letter
  const { paper, ink } = letter.stationery
  const archivedAs = (mediaId: string | null) => files?.get(mediaId ?? '')
  const album = letter.files.map(({ mediaId, file, caption }) => ({
    ...presentFile(file, archivedAs(mediaId)),
    caption,
  }))
  return {
    id: envelope.id,
    title: envelope.title,
    content: content ?? null,
    kind: envelope.kind,
    category: envelope.category,
    visibility: envelope.visibility,
    recipients: envelope.recipients.map(({ address, name }) => ({ email: address, name })),
    recipients_see_each_other: envelope.recipientsSeeEachOther,
    reveal_date: envelope.revealAt.toISOString(),
    time_zone: envelope.timeZone,
    is_revealed: isRevealed(envelope, now),
    is_suspended: envelope.hiddenAt !== null,
    version: envelope.version,
    commitment: envelope.commitment.toString('hex'),
    created_at: envelope.createdAt.toISOString(),
    updated_at: envelope.updatedAt.toISOString(),
    reactions_count: envelope.reactionsCount,
    comments_count: envelope.commentsCount,
    views_count: envelope.viewsCount,
    prediction: presentPrediction(envelope, now, undefined),
    ...(files && { proof: proofPathOf(envelope.id) }),
    teaser: envelope.teaserEnd === null ? null : [envelope.teaserStart, envelope.teaserEnd],
    file: album[0] ?? null,
    files: album,
    file_words: fileWords,
    seal_voice: sealVoice
      ? { ...presentFile(sealVoice.file, archivedAs(envelope.sealVoiceId)), words: sealVoice.words }
      : null,
    paper,
    ink,
    announcement_note: notes.announcement,
    opening_note: notes.opening,
    deliveries: deliveries.map(presentDelivery),
    replies: replies.map((received) => presentReceivedReply(received, files)),
  }
}

function presentReceivedReply(received: WholeReply, files: ArchivedFiles | undefined) {
  const { isNamed, writerPseudo, address } = received.reply
  return {
    from: { pseudo: isNamed ? writerPseudo : null, address },
    ...presentReply(received, files),
  }
}

/** The letter of somebody else is named by its id. */
export function presentOwnReply(own: WholeReply, files: ArchivedFiles | undefined) {
  return { revelation_id: own.reply.revelationId, ...presentReply(own, files) }
}

function presentReply({ reply, words, voice }: WholeReply, files: ArchivedFiles | undefined) {
  const { id, mediaId, createdAt, readAt, answeredAt } = reply
  return {
    id,
    content: words?.content ?? null,
    emoji: words?.emoji ?? null,
    voice: mediaId === null ? null : presentFile(voice, files?.get(mediaId)),
    created_at: createdAt.toISOString(),
    read_at: iso(readAt),
    answer: answeredAt && { content: words?.answer ?? null, created_at: answeredAt.toISOString() },
  }
}

function presentFile(file: DownloadableFile | undefined, archived: ArchivedFile | undefined) {
  return {
    name: file?.name ?? null,
    type: file?.mimeType ?? null,
    size: file?.sizeBytes ?? null,
    ...archived,
  }
}

export function presentOwnSound(own: OwnVoiceMessage, archived: ArchivedFile | undefined) {
  const { voiceMessage, isSealed, description, facts } = own
  return {
    id: voiceMessage.id,
    title: voiceMessage.title,
    description: description ?? null,
    category: voiceMessage.category,
    is_public: voiceMessage.isShared,
    recipient: voiceMessage.recipientId && {
      id: voiceMessage.recipientId,
      pseudo: voiceMessage.recipientPseudo,
    },
    reveal_date: iso(voiceMessage.scheduledAt),
    time_zone: voiceMessage.timeZone,
    is_revealed: !isSealed,
    reveal_message: voiceMessage.revealMessage,
    created_at: voiceMessage.createdAt.toISOString(),
    play_count: voiceMessage.playsCount,
    is_favorite: voiceMessage.isFavorite,
    file: {
      name: facts?.fileName ?? null,
      type: facts?.mimeType ?? null,
      size: facts?.fileSize ?? null,
      duration: facts?.duration ?? null,
      ...(isSealed ? { state: 'sealed' } : archived),
    },
  }
}

export function presentFavoriteSound(favorite: Row<typeof listFavoriteSoundsOf>) {
  return { sound_id: favorite.soundId, created_at: favorite.createdAt.toISOString() }
}

function presentDelivery({ journal, ...delivery }: DeliveryOfMine) {
  return {
    address: delivery.address,
    name: delivery.name,
    state: delivery.state,
    due_at: delivery.dueAt.toISOString(),
    notified_at: iso(delivery.notifiedAt),
    sent_at: iso(delivery.sentAt),
    opened_at: iso(delivery.openedAt),
    revoked_at: iso(delivery.revokedAt),
    error: delivery.error,
    journal: journal.map(({ step, at, reason }) => ({ step, at: at.toISOString(), reason })),
  }
}

/** The revelation of somebody else is named by its id: its title may be hidden by now. */
export function presentOwnComment(comment: CommentOfMine) {
  return {
    id: comment.id,
    revelation_id: comment.revelationId,
    content: comment.content,
    created_at: comment.createdAt.toISOString(),
  }
}

export function presentOwnReaction(reaction: ReactionOfMine) {
  return {
    revelation_id: reaction.revelationId,
    emoji: reaction.emoji,
    created_at: reaction.createdAt.toISOString(),
  }
}

export function presentOwnVote(vote: VoteOfMine) {
  return {
    revelation_id: vote.revelationId,
    outcome: vote.outcome,
    voted_at: vote.votedAt.toISOString(),
  }
}

export function presentOwnOpening(opening: OpeningOfMine) {
  return {
    revelation_id: opening.revelationId,
    opened_at: opening.openedAt.toISOString(),
  }
}

/** What was joined by its link: a letter of somebody else, named by its id, whose words are not one’s own. */
export function presentSavedLetter(saved: SavedLetter) {
  return { revelation_id: saved.revelationId, saved_at: saved.savedAt.toISOString() }
}

export function presentReminder(reminder: Row<typeof listRemindersOf>) {
  return {
    revelation_id: reminder.revelationId,
    stage: reminder.stage,
    due_at: reminder.dueAt.toISOString(),
    created_at: reminder.createdAt.toISOString(),
  }
}

export function presentPushSubscription(subscription: Row<typeof listPushSubscriptionsOf>) {
  return { device: subscription.device, created_at: subscription.createdAt.toISOString() }
}

export function presentOwnReport(report: Row<typeof listReportsBy>) {
  return {
    target: report.target,
    target_id: report.targetId,
    reason: report.reason,
    message: report.message,
    state: report.state,
    outcome: report.outcome,
    closing_reason: report.closingReason,
    created_at: report.createdAt.toISOString(),
    closed_at: iso(report.closedAt),
  }
}

/** The price in euros, as in the plans. */
export function presentPurchase(purchase: Row<typeof listPurchasesOf>) {
  return {
    plan: purchase.plan,
    ends_at: iso(purchase.endsAt),
    storage_amount: purchase.storageMb,
    price: purchase.priceCents / 100,
    provider: purchase.provider,
    reference: purchase.reference,
    created_at: purchase.createdAt.toISOString(),
  }
}

export function presentSession(
  session: { id: string; device: string; createdAt: Date; lastSeenAt: Date },
  current: { sessionId: string },
) {
  return {
    device: session.device,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    current: session.id === current.sessionId,
  }
}

interface Somebody {
  id: string
  pseudo: string
  /** Null until it is proved. */
  email: string | null
}

export function presentTie(tie: { type: string; createdAt: Date; person: Somebody }) {
  const { id, pseudo, email } = tie.person
  return {
    relationship_type: tie.type,
    created_at: tie.createdAt.toISOString(),
    related_user: { id, pseudo, email },
  }
}

interface Waiting {
  type: string
  message: string
  createdAt: Date
  person: Somebody
}

/** The sender of a request shows their address, the receiver does not. */
export function presentRequests(requests: {
  received: readonly Waiting[]
  sent: readonly Waiting[]
}) {
  const presentRequest = ({ type, message, createdAt }: Waiting) => ({
    type,
    message,
    created_at: createdAt.toISOString(),
  })
  return {
    received: requests.received.map((request) => {
      const { id, pseudo, email } = request.person
      return { ...presentRequest(request), sender: { id, pseudo, email } }
    }),
    sent: requests.sent.map((request) => {
      const { id, pseudo } = request.person
      return { ...presentRequest(request), receiver: { id, pseudo } }
    }),
  }
}

export function presentReplyBlock(block: { address: string; createdAt: Date }) {
  return { address: block.address, created_at: block.createdAt.toISOString() }
}

export function presentBlock(block: { id: string; pseudo: string; createdAt: Date }) {
  return { id: block.id, pseudo: block.pseudo, created_at: block.createdAt.toISOString() }
}
