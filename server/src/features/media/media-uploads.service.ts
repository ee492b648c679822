import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Folder, UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { DetectedType } from '#server/platform/media-tools/file-type.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import {
  deleteReceiving,
  findMedia,
  finishReceiving,
  insertReceiving,
  touchReceiving,
} from './media.repository.ts'
import { MEDIA_PREFIX, refuseWindow, type TeaserWindow } from './media.rules.ts'
import { detectFile, inspectFile } from './media-inspection.service.ts'
import { createMediaKeys, type MediaFacts, sealFacts } from './media-keys.service.ts'
import { cleanName } from './media-names.rules.ts'
import {
  lockTransferRoom,
  type Room,
  requireLength,
  requireRoom,
  reserving,
  settleRoom,
} from './media-quota.service.ts'
import { Interrupted, tooLarge } from './media-refusals.service.ts'
import { fitWindow, type PlannedStep, startSteps } from './media-steps.service.ts'
import { type Counted, keepSealed, readHead } from './media-transfer.service.ts'

/** A file on its way in, with what the form said before it. */
export interface IncomingFile {
  bytes: Readable & { truncated?: boolean }
  /** When each of its pieces is alone in its memory, which is then given back. */
  givenAway?: boolean
  /** Rejects when the request is cut after the file: its sender will never know that it arrived. */
  readEnd(): Promise<void>
  fileName: string | undefined
  declaredType: string
  /** The least it can measure, by the length of the whole request; undefined when that was not said. */
  declaredBytes: number | undefined
  folder: Folder | undefined
  teaser: TeaserWindow | undefined
  /** Left out for what holds no room yet: it is reserved now and settled once the real bytes are counted. */
  room?: HeldRoom
}

/** Room that was reserved before the file was asked to be taken in, and that something else counts meanwhile; it takes no slot. */
export interface HeldRoom {
  bytes: number
  /** In the transaction that makes the file count: the reservation ends with it. */
  release(tx: AppContext, mediaId: string): Promise<void>
}

export interface ReceivedFile {
  id: string
  kind: DetectedType['kind']
  extension: string
  facts: MediaFacts
  steps: PlannedStep[]
}

const HEARTBEAT_MS = 15_000

/** Refuses a teaser that no video could have, before its length is known. */
export function requireTeaser(folder: Folder | undefined, teaser: TeaserWindow | undefined): void {
  const refusal = folder === 'videos' && teaser ? refuseWindow(teaser) : undefined
  if (refusal) throw fieldError('teaserEnd', refusal)
}

/** Refuses what the request's own length says cannot fit, in the plan or on the disk, before a byte of the file is read. */
export async function refuseByLength(
  ctx: AppContext,
  actor: Actor,
  declaredBytes: number | undefined,
): Promise<void> {
  await ctx.disk.require(declaredBytes)
  if (declaredBytes === undefined) return
  if (declaredBytes > UPLOAD_MAX_BYTES) throw tooLarge(declaredBytes)
  await requireRoom(ctx, actor.userId, declaredBytes)
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
  const detected = await detectFile(head, file)
  const id = randomUUID()
  const keys = createMediaKeys(ctx, id)
  const storageKey = newStorageKey(MEDIA_PREFIX)
  const room = await reserve(ctx, actor, {
    id,
    detected,
    storageKey,
    keys,
    file,
  })
  const heartbeat = setInterval(() => {
    touchReceiving(ctx.db, id, ctx.now()).catch((error) =>
      ctx.log.warn({ err: error }, 'a transfer could not say that it lives'),
    )
  }, HEARTBEAT_MS)
  try {
    const { declaredBytes, givenAway = false } = file
    const limit = { kind: detected.kind, room, declaredBytes }
    const transfer = { key: keys.letterKey, storageKey, rest, givenAway, limit }
    const counted = await keepSealed(ctx, transfer)
    if (file.bytes.truncated) throw tooLarge(file.declaredBytes)
    await file.readEnd().catch(() => Promise.reject(new Interrupted()))
    return await settleUpload(ctx, actor, file, { id, detected, storageKey, head, counted, keys })
  } catch (error) {
    await discard(ctx, id, storageKey)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

interface Reservation {
  id: string
  detected: DetectedType
  storageKey: string
  keys: { wrappedKey: Buffer; wrappedTeaserKey: Buffer }
  file: Pick<IncomingFile, 'room' | 'declaredBytes'>
}

/** Takes room and a slot for a transfer, unless its room is held already, and gives the room there is for it. */
async function reserve(ctx: AppContext, actor: Actor, wanted: Reservation): Promise<Room> {
  const { id, detected, storageKey, keys, file } = wanted
  const { kind, mimeType, extension } = detected
  const reservedBytes = file.room ? 0 : (file.declaredBytes ?? 0)
  return reserving(ctx, actor.userId, async (tx) => {
    const room = file.room
      ? { roomBytes: file.room.bytes, awaitsVerification: false }
      : await lockTransferRoom(tx, actor.userId, reservedBytes)
    await insertReceiving(
      tx.db,
      {
        id,
        ownerId: actor.userId,
        kind,
        mimeType,
        extension,
        sizeBytes: reservedBytes,
        takesSlot: !file.room,
        wrappedKey: keys.wrappedKey,
        wrappedTeaserKey: keys.wrappedTeaserKey,
        createdAt: tx.now(),
      },
      { storageKey, mimeType },
    )
    return room
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
  const seen = await inspectFile(ctx, keys.letterKey, {
    detected,
    head,
    object,
    folder: file.folder,
  })
  await requireLength(ctx, actor.userId, seen.durationSeconds)
  const { kind, extension, mimeType } = seen.type
  const teaser =
    kind === 'video' && file.teaser
      ? fitWindow('teaserEnd', file.teaser, seen.durationSeconds)
      : undefined
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
    const { sizeBytes } = counted
    if (file.room) await file.room.release(tx, id)
    else await settleRoom(tx, actor.userId, id, sizeBytes)
    const sealedFacts = sealFacts(keys.letterKey, facts)
    const row = { kind, mimeType, extension, sizeBytes, sealedFacts }
    // Swept meanwhile: this process gave no sign of life for minutes.
    if (!(await finishReceiving(tx.db, id, row))) throw new Interrupted()
    return startSteps(tx, { id, kind, durationSeconds: seen.durationSeconds }, teaser)
  })
  return { id, kind, extension, facts, steps }
}

/**
 * What cannot be removed now is swept later: its row says that it never arrived. A commit whose answer was lost may stand
 * all the same: what a file that counts names must not go.
 */
async function discard(ctx: AppContext, id: string, storageKey: string): Promise<void> {
  try {
    const isNobodys = (await deleteReceiving(ctx.db, id)) || !(await findMedia(ctx.db, id))
    if (isNobodys) await ctx.storage.delete(storageKey)
  } catch (error) {
    ctx.log.warn({ err: error }, 'a refused upload is left to be swept')
  }
}
