import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Folder, UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { getLimits, lockLimits } from '#server/features/subscriptions/subscriptions.service.ts'
import type { DetectedType } from '#server/platform/media-tools/file-type.ts'
import { detectType } from '#server/platform/media-tools/file-type.ts'
import { IMAGE_MAX_BYTES } from '#server/platform/media-tools/images.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import {
  deleteMedia,
  finishReceiving,
  insertReceiving,
  measureUse,
  touchReceiving,
} from './media.repository.ts'
import { clampWindow, folderOf, refuseWindow, type TeaserWindow } from './media.rules.ts'
import { inspectFile } from './media-inspection.service.ts'
import { createMediaKeys, type MediaFacts, sealFacts } from './media-keys.service.ts'
import { cleanName } from './media-names.rules.ts'
import {
  interrupted,
  noFreeSlot,
  overQuota,
  tooLarge,
  unknownType,
  unsupportedType,
} from './media-refusals.service.ts'
import { type PlannedStep, startSteps } from './media-steps.service.ts'
import { type Counted, keepSealed, newStorageKey, readHead } from './media-transfer.service.ts'
import { hasFreeSlot } from './media-uploads.rules.ts'

/** A file on its way in, with what the form said before it. */
export interface IncomingFile {
  bytes: Readable & { truncated?: boolean }
  /** Rejects when the request is cut after the file: its sender will never know that it arrived. */
  readEnd(): Promise<void>
  fileName: string | undefined
  declaredType: string
  /** The least it can measure, by the length of the whole request; undefined when that was not said. */
  declaredBytes: number | undefined
  folder: Folder | undefined
  teaser: TeaserWindow | undefined
}

export interface ReceivedFile {
  id: string
  kind: DetectedType['kind']
  extension: string
  facts: MediaFacts
  steps: PlannedStep[]
}

const HEARTBEAT_MS = 15_000
/** A transfer without a sign of life for this long holds no room and no slot. */
const DEAD_AFTER_MS = 60_000

/** Refuses what the request's own length says cannot fit, before a byte of the file is read. */
export async function refuseByLength(
  ctx: AppContext,
  actor: Actor,
  declaredBytes: number | undefined,
): Promise<void> {
  if (declaredBytes === undefined) return
  if (declaredBytes > UPLOAD_MAX_BYTES) throw tooLarge(declaredBytes)
  const { storageBytes } = await getLimits(ctx, actor.userId)
  const { usedBytes } = await measureUse(ctx.db, actor.userId, deadBefore(ctx))
  const roomBytes = storageBytes - usedBytes
  if (declaredBytes > roomBytes) throw overQuota(roomBytes)
}

/**
 * Takes a file in: its type from its bytes, sealed on its way to the storage, then looked into. Whatever is
 * refused or cut leaves nothing behind, neither bytes nor row.
 */
export async function receiveUpload(
  ctx: AppContext,
  actor: Actor,
  file: IncomingFile,
): Promise<ReceivedFile> {
  const { head, rest } = await readHead(file.bytes)
  if (head.length === 0) throw new AppError('invalid_file')
  const detected = await detectType(head)
  if (!detected) throw unknownType(file.declaredType)
  requireFolder(file, detected)
  const id = randomUUID()
  const keys = createMediaKeys(ctx, id)
  const storageKey = newStorageKey()
  const roomBytes = await reserve(ctx, actor, {
    id,
    detected,
    storageKey,
    keys,
    reservedBytes: file.declaredBytes ?? 0,
  })
  const heartbeat = setInterval(() => {
    touchReceiving(ctx.db, id, ctx.now()).catch((error) =>
      ctx.log.warn({ err: error }, 'a transfer could not say that it lives'),
    )
  }, HEARTBEAT_MS)
  try {
    const limit = { bytes: maxBytesOf(detected), room: roomBytes, declared: file.declaredBytes }
    const counted = await keepSealed(ctx, { key: keys.letterKey, storageKey, rest, limit })
    if (file.bytes.truncated) throw tooLarge(file.declaredBytes)
    await file.readEnd().catch(() => Promise.reject(interrupted()))
    return await settleUpload(ctx, actor, file, { id, detected, storageKey, head, counted, keys })
  } catch (error) {
    await discard(ctx, id, storageKey)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

function deadBefore(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() - DEAD_AFTER_MS)
}

function maxBytesOf({ kind }: DetectedType): number {
  return kind === 'image' ? IMAGE_MAX_BYTES : UPLOAD_MAX_BYTES
}

/** Some containers hold films and sounds alike: their folder is settled when their streams are known. */
function requireFolder({ folder }: IncomingFile, ...types: DetectedType[]): void {
  const canBeEither = types.length === 1 && ['video', 'audio'].includes(types[0]?.kind ?? '')
  const isFit =
    folder === undefined ||
    types.some(({ kind }) => folderOf(kind) === folder) ||
    (canBeEither && (folder === 'videos' || folder === 'audio'))
  if (!isFit) throw unsupportedType(types.at(-1)?.mimeType ?? '')
}

interface Reservation {
  id: string
  detected: DetectedType
  storageKey: string
  keys: { wrappedKey: Buffer; wrappedTeaserKey: Buffer }
  reservedBytes: number
}

/** Takes room and a slot for a transfer, and gives the room there is for it. */
async function reserve(ctx: AppContext, actor: Actor, wanted: Reservation): Promise<number> {
  const { id, detected, storageKey, keys, reservedBytes } = wanted
  const { kind, mimeType, extension } = detected
  return inTransaction(ctx, async (tx) => {
    const { storageBytes } = await lockLimits(tx, actor.userId)
    const { usedBytes, transfers } = await measureUse(tx.db, actor.userId, deadBefore(tx))
    const roomBytes = storageBytes - usedBytes
    if (!hasFreeSlot(transfers)) throw noFreeSlot()
    if (Math.max(1, reservedBytes) > roomBytes) throw overQuota(roomBytes)
    await insertReceiving(
      tx.db,
      {
        id,
        ownerId: actor.userId,
        kind,
        mimeType,
        extension,
        sizeBytes: reservedBytes,
        wrappedKey: keys.wrappedKey,
        wrappedTeaserKey: keys.wrappedTeaserKey,
        createdAt: tx.now(),
      },
      { storageKey, mimeType },
    )
    return roomBytes
  })
}

interface Kept {
  id: string
  detected: DetectedType
  storageKey: string
  head: Buffer
  counted: Counted
  keys: { letterKey: DataKey }
}

/** Looks into what was kept, counts its real bytes against the plan, and queues what is to be made of it. */
async function settleUpload(
  ctx: AppContext,
  actor: Actor,
  file: IncomingFile,
  { id, detected, storageKey, head, counted, keys }: Kept,
): Promise<ReceivedFile> {
  const object = { storageKey, sizeBytes: counted.sizeBytes, mimeType: detected.mimeType }
  const seen = await inspectFile(ctx, keys.letterKey, detected, head, object)
  requireFolder(file, detected, seen.type)
  const { kind, extension, mimeType } = seen.type
  const teaser = kind === 'video' ? fitTeaser(file.teaser, seen.durationSeconds ?? 0) : undefined
  const facts: MediaFacts = {
    name: cleanName(file.fileName, extension),
    mimeType,
    sizeBytes: counted.sizeBytes,
    durationSeconds: seen.durationSeconds,
    width: seen.width,
    height: seen.height,
    sha256: counted.sha256,
  }
  const steps = await inTransaction(ctx, async (tx) => {
    const { storageBytes } = await lockLimits(tx, actor.userId)
    const { usedBytes } = await measureUse(tx.db, actor.userId, deadBefore(tx), id)
    const { sizeBytes } = counted
    const roomBytes = storageBytes - usedBytes
    if (sizeBytes > roomBytes) throw overQuota(roomBytes)
    const sealedFacts = sealFacts(keys.letterKey, facts)
    const row = { kind, mimeType, extension, sizeBytes, sealedFacts }
    // Swept meanwhile: this process gave no sign of life for minutes.
    if (!(await finishReceiving(tx.db, id, row))) throw interrupted()
    return startSteps(tx, { id, kind }, teaser)
  })
  return { id, kind, extension, facts, steps }
}

function fitTeaser(
  window: TeaserWindow | undefined,
  durationSeconds: number,
): TeaserWindow | undefined {
  if (!window) return undefined
  const refusal = refuseWindow(window, durationSeconds)
  if (refusal) throw fieldError('teaserEnd', refusal)
  return clampWindow(window, durationSeconds)
}

/** What cannot be removed now is swept later: its row says that it never arrived. */
async function discard(ctx: AppContext, id: string, storageKey: string): Promise<void> {
  try {
    await ctx.storage.delete(storageKey)
    await deleteMedia(ctx.db, id)
  } catch (error) {
    ctx.log.warn({ err: error }, 'a refused upload is left to be swept')
  }
}
