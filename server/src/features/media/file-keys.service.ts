import type { AppContext } from '#server/context.ts'
import type { PlainFile } from '#server/platform/media-tools/plain-source.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { type ReadingRight, requireFileRight } from '#server/platform/sealing/reading-right.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import { openStored } from '#server/platform/sealing/stored-file.ts'
import type { MediaRow, ObjectRow } from './media.repository.ts'

/** Facts of a file that only a reader of the letter may know. */
export interface MediaFacts {
  name: string
  mimeType: string
  sizeBytes: number
  /** null for what does not last. */
  durationSeconds: number | null
  width: number | null
  height: number | null
  /** Of the bytes as they were sent, in hexadecimal. */
  sha256: string
}

type KeyedMedia = Pick<MediaRow, 'id' | 'wrappedKey' | 'wrappedTeaserKey'>

const FACTS_FIELD = 'media.sealed_facts'

/**
 * Two keys for a new file: one of the letter, which is that of its bytes where they are sealed already (`sealedWith`), and
 * one of the teaser that opens nothing else.
 */
export function createMediaKeys(ctx: AppContext, mediaId: string, sealedWith?: DataKey) {
  const letter = letterSubject(mediaId)
  const { dataKey, wrapped } = sealedWith
    ? { dataKey: sealedWith, wrapped: ctx.keyring.wrapDataKey(letter, sealedWith) }
    : ctx.keyring.createDataKey(letter)
  const { wrapped: wrappedTeaserKey } = ctx.keyring.createDataKey(teaserSubject(mediaId))
  return { letterKey: dataKey, wrappedKey: wrapped, wrappedTeaserKey }
}

/** The key of a file; throws unless the right covers this very file. */
export function openLetterKey(ctx: AppContext, right: ReadingRight, media: KeyedMedia): DataKey {
  requireFileRight(right, media.id)
  return ctx.keyring.openDataKey(letterSubject(media.id), media.wrappedKey)
}

/** For the worker, which reads a file to render its variants and shows it to nobody. */
export function openKeyForWork(ctx: AppContext, media: KeyedMedia): DataKey {
  return ctx.keyring.openDataKey(letterSubject(media.id), media.wrappedKey)
}

export function openTeaserKey(ctx: AppContext, media: KeyedMedia): DataKey {
  return ctx.keyring.openDataKey(teaserSubject(media.id), media.wrappedTeaserKey)
}

export function sealFacts(letterKey: DataKey, facts: MediaFacts): Buffer {
  return sealText(letterKey, FACTS_FIELD, JSON.stringify(facts))
}

export function openFacts(letterKey: DataKey, media: Pick<MediaRow, 'id' | 'sealedFacts'>) {
  if (!media.sealedFacts) throw new Error(`Nothing is known of file ${media.id}`)
  return JSON.parse(openText(letterKey, FACTS_FIELD, media.sealedFacts)) as MediaFacts
}

/** A stored object as the plain bytes it seals. */
export function plainFileOf(
  ctx: AppContext,
  key: DataKey,
  object: Pick<ObjectRow, 'storageKey' | 'sizeBytes' | 'mimeType'>,
): PlainFile {
  return {
    size: object.sizeBytes,
    mimeType: object.mimeType,
    read: (range) => openStored(ctx.storage, key, object, range),
  }
}

function letterSubject(mediaId: string): string {
  return `media:${mediaId}`
}

function teaserSubject(mediaId: string): string {
  return `teaser:${mediaId}`
}
