import type { AppContext } from '#server/context.ts'
import { AS_VOICE_AUTHOR } from '#server/features/access/access.rules.ts'
import { grantDescription, grantListener } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  type DownloadableFile,
  findDownloadableFiles,
  type VoiceMessageFacts,
  type VoiceMessageMedia,
  voiceMessageFacts,
  voiceMessageMedia,
} from '#server/features/media/file-views.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import {
  mergeRights,
  type ReadingRight,
  requireVoiceRight,
} from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import { listVoiceMessagesBy } from './voice-message-lists.repository.ts'
import type { RelatedVoiceMessage } from './voice-message-viewers.service.ts'
import {
  listSealedDescriptions,
  type SealedDescription,
  type VoiceMessageRow,
} from './voice-messages.repository.ts'

const DESCRIPTION_FIELD = 'description'

/** Seals the description of a voice message under a new data key. */
export function sealDescription(ctx: AppContext, id: string, description: string) {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(id))
  return {
    wrappedKey: wrapped,
    sealedDescription: sealText(dataKey, DESCRIPTION_FIELD, description),
  }
}

/** The sealed part of a voice message, as far as the gate opens it. */
export interface VoiceMessageContents {
  description: string | undefined
  facts: VoiceMessageFacts | undefined
  /** Absent while it is sealed, for its author too. */
  file: VoiceMessageMedia | undefined
}

/** Opens these voice messages at an instant, in as many statements however many they are. */
export async function openVoiceMessages(
  ctx: AppContext,
  holder: string,
  related: readonly RelatedVoiceMessage[],
  now: Date,
): Promise<Map<string, VoiceMessageContents>> {
  const playable = listPlayable(related, now)
  const readable = listReadable(related, now).map(({ voiceMessage }) => voiceMessage)
  const open = new Set(playable.map(({ voiceMessage }) => voiceMessage))
  const [descriptions, files, facts] = await Promise.all([
    openDescriptions(ctx, related, now),
    playable.length > 0
      ? voiceMessageMedia(ctx, rightsOf(playable), holder, mediaIdsOf([...open]))
      : new Map<string, VoiceMessageMedia>(),
    voiceMessageFacts(ctx, mediaIdsOf(readable.filter((one) => !open.has(one)))),
  ])
  return new Map(
    readable.map(({ id, mediaId }) => {
      const file = files.get(mediaId)
      return [id, { description: descriptions.get(id), facts: file ?? facts.get(mediaId), file }]
    }),
  )
}

function mediaIdsOf(voiceMessages: readonly VoiceMessageRow[]): string[] {
  return voiceMessages.map(({ mediaId }) => mediaId)
}

function rightsOf(granted: readonly { right: ReadingRight }[]): ReadingRight {
  return mergeRights(granted.map(({ right }) => right))
}

function listPlayable(related: readonly RelatedVoiceMessage[], now: Date) {
  return related.flatMap(({ voiceMessage, relation }) => {
    const right = grantListener(relation, voiceMessage, now)
    return right ? [{ voiceMessage, right }] : []
  })
}

function listReadable(related: readonly RelatedVoiceMessage[], now: Date) {
  return related.flatMap(({ voiceMessage, relation }) => {
    const right = grantDescription(relation, voiceMessage, now)
    return right ? [{ voiceMessage, right }] : []
  })
}

/** Opens descriptions as far as the gate allows; damaged ones are left out. */
async function openDescriptions(
  ctx: AppContext,
  related: readonly RelatedVoiceMessage[],
  now: Date,
): Promise<Map<string, string>> {
  const readable = listReadable(related, now)
  const right = rightsOf(readable)
  const ids = readable.map(({ voiceMessage }) => voiceMessage.id)
  const opened = new Map<string, string>()
  for (const sealed of await listSealedDescriptions(ctx.db, ids)) {
    try {
      opened.set(sealed.id, openDescription(ctx, right, sealed))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ soundId: sealed.id, err: error }, 'a description can no longer be opened')
    }
  }
  return opened
}

/** Throws `SealBroken`, and when the right does not cover this very voice message. */
export function openDescription(
  ctx: AppContext,
  right: ReadingRight,
  sealed: SealedDescription,
): string {
  requireVoiceRight(right, sealed.id)
  return openText(keyOf(ctx, sealed), DESCRIPTION_FIELD, sealed.sealedDescription)
}

function keyOf(ctx: AppContext, { id, wrappedKey }: SealedDescription): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}

function subjectOf(id: string): string {
  return `sound:${id}`
}

/** A voice message of the actor's own, with the contents that its author may have now. */
export interface OwnVoiceMessage {
  voiceMessage: VoiceMessageRow
  isSealed: boolean
  /** Undefined when it is damaged. */
  description: string | undefined
  facts: VoiceMessageFacts | undefined
  /** Undefined while it is sealed, and when its key is damaged. */
  file: DownloadableFile | undefined
}

const PAGE = 50

/** The actor's own voice messages, the oldest first, a page at a time. */
export async function* readOwnVoiceMessages(
  ctx: AppContext,
  actor: Actor,
): AsyncGenerator<OwnVoiceMessage[]> {
  const pages = listPages<VoiceMessageRow>(PAGE, (after, limit) =>
    listVoiceMessagesBy(ctx.db, actor.userId, after, limit),
  )
  for await (const page of pages) yield openOwn(ctx, page)
}

/** A sealed one is listed without its bytes: its author may not have them either. */
async function openOwn(
  ctx: AppContext,
  voiceMessages: readonly VoiceMessageRow[],
): Promise<OwnVoiceMessage[]> {
  const now = ctx.now()
  const related = voiceMessages.map((voiceMessage) => ({ voiceMessage, relation: AS_VOICE_AUTHOR }))
  const playable = listPlayable(related, now)
  const open = new Set(playable.map(({ voiceMessage }) => voiceMessage))
  const [descriptions, facts, files] = await Promise.all([
    openDescriptions(ctx, related, now),
    voiceMessageFacts(ctx, mediaIdsOf(voiceMessages)),
    playable.length > 0
      ? findDownloadableFiles(ctx, rightsOf(playable), mediaIdsOf([...open]))
      : new Map<string, DownloadableFile>(),
  ])
  return voiceMessages.map((voiceMessage) => ({
    voiceMessage,
    isSealed: !open.has(voiceMessage),
    description: descriptions.get(voiceMessage.id),
    facts: facts.get(voiceMessage.mediaId),
    file: files.get(voiceMessage.mediaId),
  }))
}
