import { randomUUID } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { createMediaKeys, sealFacts } from '#server/features/media/file-keys.service.ts'
import { sealDescription } from '#server/features/voice-messages/voice-message-contents.service.ts'
import type { Db } from '#server/platform/database/db.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'

const AT_ONCE = 500
const SECONDS = 42

export interface ManyVoices {
  dataDir: string
  authorId: string
  count: number
  /** When one of them opens; undefined for at once. */
  opensAt: (index: number) => Date | undefined
}

/** As if shared through the front door, without their bytes: what a list shows of them. */
export async function shareManyVoices(db: Db, voices: ManyVoices): Promise<void> {
  const { dataDir, authorId, count, opensAt } = voices
  const keyring = await loadKeyring({
    dataDir,
    masterKeyFile: undefined,
    expectedFingerprint: undefined,
  })
  const ctx = { keyring } as AppContext
  const rows = Array.from({ length: count }, (_, index) => voiceOf(ctx, authorId, index, opensAt))
  for (let start = 0; start < count; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE)
    await db
      .insertInto('media')
      .values(some.map(({ media }) => media))
      .execute()
    await db
      .insertInto('sounds')
      .values(some.map(({ sound }) => sound))
      .execute()
  }
}

function voiceOf(ctx: AppContext, authorId: string, index: number, opensAt: ManyVoices['opensAt']) {
  const [id, mediaId] = [randomUUID(), randomUUID()]
  const createdAt = new Date(Date.now() - 3_600_000 + index * 1_000)
  const scheduledAt = opensAt(index) ?? null
  const { letterKey, wrappedKey, wrappedTeaserKey } = createMediaKeys(ctx, mediaId)
  const file = { mimeType: 'audio/webm', sizeBytes: 250_000 }
  const facts = {
    ...file,
    name: 'voix.webm',
    durationSeconds: SECONDS,
    width: null,
    height: null,
    sha256: '0'.repeat(64),
  }
  const media = {
    ...file,
    id: mediaId,
    ownerId: authorId,
    kind: 'audio',
    state: 'ready',
    extension: 'webm',
    wrappedKey,
    wrappedTeaserKey,
    sealedFacts: sealFacts(letterKey, facts),
    attachedAt: createdAt,
    createdAt,
  }
  const sound = {
    ...sealDescription(ctx, id, `Ce que dit la voix n° ${index}.`),
    id,
    mediaId,
    authorId,
    isShared: true,
    title: `Une voix (${index})`,
    category: 'message',
    revealMessage: scheduledAt && 'Patience.',
    scheduledAt,
    revealAt: scheduledAt ?? createdAt,
    timeZone: 'Europe/Brussels',
    durationMs: SECONDS * 1_000,
    toldAt: createdAt,
    createdAt,
  }
  return { media, sound }
}
