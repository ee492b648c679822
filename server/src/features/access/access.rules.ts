import type { Visibility } from '#contract/revelations.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import type { Recipient } from './envelopes.rules.ts'
import type { KeyHolder } from './personal-keys.rules.ts'

/** How a viewer stands to one revelation. */
export interface ViewerRelation {
  isAuthor: boolean
  relationship: Relation | undefined
  /**
   * Of its deliveries, those that are theirs: by a verified address, the personal key, or the account that joined the letter
   * by it.
   */
  deliveryIds: readonly string[]
}

interface Envelope {
  visibility: Visibility
  revealAt: Date
  recipients: readonly Pick<Recipient, 'deliveryId' | 'isNotified'>[]
  /** When operators took it out of sight. */
  hiddenAt: Date | null
}

/** Revealed is a matter of the server's clock alone (behaviour.md 4.1). */
export function isRevealed(revelation: { revealAt: Date }, now: Date): boolean {
  return now.getTime() >= revelation.revealAt.getTime()
}

/** Whether the viewer may see that it exists: the access table of behaviour.md 2.2, left of the arrow. */
export function canViewEnvelope(relation: ViewerRelation, envelope: Envelope, now: Date): boolean {
  if (relation.isAuthor) return true
  // It is private meanwhile, which a recipient could read: nobody sees a letter under review.
  if (envelope.hiddenAt !== null) return false
  const { visibility } = envelope
  if (visibility === 'public' && relation.relationship !== 'blocked') return true
  if (relation.relationship === 'family' && visibility !== 'private') return true
  if (relation.relationship === 'friend' && visibility === 'friends') return true
  // A block hides what its author shows, not a letter sealed for this very person.
  if (!isAddressee(relation)) return false
  if (isRevealed(envelope, now)) return true
  return isAnnouncedTo(relation, envelope) && visibility !== 'private'
}

/** Whether an addressee was sent a notice of it: each of them is notified apart. */
export function isAnnouncedTo(
  { deliveryIds }: Pick<ViewerRelation, 'deliveryIds'>,
  { recipients }: Pick<Envelope, 'recipients'>,
): boolean {
  return recipients.some(
    ({ deliveryId, isNotified }) => isNotified && deliveryIds.includes(deliveryId),
  )
}

/** Whether the viewer may read the letter: its author always, others once it is revealed to them. */
export function canRead(relation: ViewerRelation, envelope: Envelope, now: Date): boolean {
  return (
    relation.isAuthor || (isRevealed(envelope, now) && canViewEnvelope(relation, envelope, now))
  )
}

/** By what a letter is somebody’s besides their address: the key they bear, and the one their account joined it by. */
export interface PersonalLinks {
  keyHolder?: KeyHolder | undefined
  savedDeliveryId?: string | undefined
}

/** The delivery to the verified address of this account. */
export function addressedDelivery(
  account: { verifiedEmailKey: string | null } | null,
  { recipients }: { recipients: readonly Recipient[] },
): string | undefined {
  const emailKey = account?.verifiedEmailKey ?? null
  return recipients.find(({ addressKey }) => addressKey === emailKey)?.deliveryId
}

/** What of a revelation was sealed for this person: by a verified address, else by a link they joined, and by the key they bear. */
export function addresseeRelation(
  account: { verifiedEmailKey: string | null } | null,
  envelope: { id: string; recipients: readonly Recipient[] },
  { keyHolder, savedDeliveryId }: PersonalLinks = {},
): Pick<ViewerRelation, 'deliveryIds'> {
  const ids = [
    keyHolder?.revelationId === envelope.id ? keyHolder.deliveryId : undefined,
    addressedDelivery(account, envelope) ?? savedDeliveryId,
  ]
  return { deliveryIds: ids.filter((id) => id !== undefined) }
}

/** How its author stands to a revelation. */
export function authorRelation(
  author: { verifiedEmailKey: string | null },
  envelope: { id: string; recipients: readonly Recipient[] },
): ViewerRelation {
  return { isAuthor: true, relationship: undefined, ...addresseeRelation(author, envelope) }
}

/** As which of its recipients a revelation was sealed for this person, the key they bear first; undefined for others. */
export function recipientFor(
  { deliveryIds }: Pick<ViewerRelation, 'deliveryIds'>,
  { recipients }: { recipients: readonly Recipient[] },
): Recipient | undefined {
  return recipients.find(({ deliveryId }) => deliveryId === deliveryIds[0])
}

/** Whether a revelation was sealed for this person. */
export function isAddressee({ deliveryIds }: Pick<ViewerRelation, 'deliveryIds'>): boolean {
  return deliveryIds.length > 0
}

/** Whether an account may delete a comment: its own, or any under its own revelation (behaviour.md 7.2). */
export function canDeleteComment(
  account: { userId: string } | null,
  comment: { authorId: string },
  revelation: { authorId: string },
): boolean {
  const userId = account?.userId
  return userId === comment.authorId || userId === revelation.authorId
}

/** Whether a viewer of its revelation sees a comment: no operator hides it, and no block its author (behaviour.md 2.6, 2.7). */
export function canViewComment(
  comment: { authorId: string; hiddenAt: Date | null },
  hiddenAuthors: readonly string[],
): boolean {
  return comment.hiddenAt === null && !hiddenAuthors.includes(comment.authorId)
}

/** How somebody stands to a private reply, besides to its letter. */
export interface ReplyRelation extends ViewerRelation {
  /** The addressee who wrote it, by account or personal key. */
  isWriter: boolean
}

/**
 * Whether the viewer may read a reply and what the author wrote back (behaviour.md 4.9): the author and its writer, and
 * nobody once operators hide it. Its writer has it as long as they may read the letter.
 */
export function canReadReply(
  relation: ReplyRelation,
  reply: { hiddenAt: Date | null },
  envelope: Envelope,
  now: Date,
): boolean {
  const isConcerned = relation.isAuthor || (relation.isWriter && isAddressee(relation))
  return reply.hiddenAt === null && isConcerned && canRead(relation, envelope, now)
}

/** Its page, as mails and calendars link to it. */
export function pageOf({ publicUrl }: { publicUrl: string }, revelationId: string): string {
  return `${publicUrl}/revelation/${revelationId}`
}

/** A file that nothing uses yet is seen by the account that sent it, and by nobody else. */
export function canPreview(userId: string | undefined, file: { ownerId: string | null }): boolean {
  return userId === file.ownerId
}

/** The same for a voice that came by a personal link. */
export function canPreviewByLink(
  keyHolder: { deliveryId: string } | undefined,
  file: { deliveryId: string | null },
): boolean {
  return keyHolder?.deliveryId === file.deliveryId
}

/** How a person stands to one voice message. */
export interface VoiceRelation {
  isAuthor: boolean
  /** Of a private one; a shared one has none. */
  isRecipient: boolean
  /** To its author. */
  relationship: Relation | undefined
}

export const AS_VOICE_AUTHOR: VoiceRelation = {
  isAuthor: true,
  isRecipient: false,
  relationship: undefined,
}

interface VoiceEnvelope {
  isShared: boolean
  revealAt: Date
}

/** Whether the person may see that it exists (behaviour.md 2.8). A relationship that ended, or a block, closes it again. */
export function canViewVoice(
  relation: VoiceRelation,
  voice: Pick<VoiceEnvelope, 'isShared'>,
): boolean {
  if (relation.isAuthor) return true
  if (voice.isShared) return relation.relationship === 'family'
  return relation.isRecipient && isOfCircle(relation.relationship)
}

/** Whether the person may listen to it: nobody before its instant, its author included. */
export function canPlay(relation: VoiceRelation, voice: VoiceEnvelope, now: Date): boolean {
  return isRevealed(voice, now) && canViewVoice(relation, voice)
}

/** Whether the person may read its description, and the name, size, type and length of its file. */
export function canReadDescription(
  relation: VoiceRelation,
  voice: VoiceEnvelope,
  now: Date,
): boolean {
  return relation.isAuthor || canPlay(relation, voice, now)
}

/** For whom a private voice message may be. */
export function isOfCircle(relationship: Relation | undefined): boolean {
  return relationship === 'family' || relationship === 'friend'
}
