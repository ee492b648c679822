import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Folder, JOB_TYPES, UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { grantPreview } from '#server/features/access/grants.service.ts'
import type { KeyHolder } from '#server/features/access/personal-keys.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { DetectedType } from '#server/platform/media-tools/file-type.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import {
  createMediaKeys,
  type MediaFacts,
  openFacts,
  openLetterKey,
  sealFacts,
} from './file-keys.service.ts'
import { cleanName } from './file-names.rules.ts'
import { detectFile, inspectFile, OtherFolderError } from './inspection.service.ts'
import {
  deleteReceiving,
  findMedia,
  finishReceiving,
  insertReceiving,
  touchReceiving,
} from './media.repository.ts'
import { MEDIA_PREFIX, type TeaserWindow, validateTeaser } from './media.rules.ts'
import {
  inQuotaTransaction,
  LINK_ROOM,
  quotaExceeded,
  type Room,
  requireDuration,
  requireLinkDuration,
  requireLinkRoom,
  requireQuota,
  reserveRealBytes,
  reserveTransferQuota,
} from './quota.service.ts'
import { listSteps } from './steps.repository.ts'
import { createSteps, type PlannedStep, requireTeaser } from './steps.service.ts'
import {
  type Destination,
  fileTooLarge,
  InterruptedError,
  type PlainSum,
  peekHead,
  storeEncrypted,
} from './transfer.service.ts'

/** What is said of a file on its way in: the fields that its request sent before it. */
export interface FileDeclaration {
  fileName: string | undefined
  declaredType: string
  /** The least it can measure, by the length of the whole request; undefined without one. */
  declaredBytes: number | undefined
  folder: Folder | undefined
  teaser: TeaserWindow | undefined
  /** Without one, quota is reserved now and again for the real bytes. */
  reservation?: QuotaReservation
}

/** A file on its way in. */
export interface IncomingFile extends FileDeclaration {
  bytes: Readable & { truncated?: boolean }
  /** Rejects when the request is cut after the file: its sender never knows that it arrived. */
  readEnd(): Promise<void>
}

/** Where the bytes of a file come from. */
export interface FileSource {
  /** The first `HEAD_BYTES` plain bytes, or all. */
  head: Buffer
  /** The key of bytes that are sealed already. */
  sealedWith?: DataKey
  /** Stores them sealed; resolves with the sum of the plain bytes once they are durable. */
  store(destination: Destination): Promise<PlainSum>
}

/** Quota reserved before the file is received, and counted elsewhere meanwhile; it needs no slot. */
export interface QuotaReservation {
  bytes: number
  /** Ends the reservation, in the transaction from which on the file itself counts. */
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

/** Rejects a teaser that no video could have, before the length of this one is known. */
export function requirePossibleTeaser(
  folder: Folder | undefined,
  teaser: TeaserWindow | undefined,
): void {
  const problem = folder === 'videos' && teaser ? validateTeaser(teaser) : undefined
  if (problem) throw fieldError('teaserEnd', problem)
}

/** Who sends a file: an account, in whose plan it counts, or the bearer of a personal link, who may send a voice. */
export type FileSender = Pick<Actor, 'userId'> | Pick<KeyHolder, 'deliveryId'>

/** Rejects by the length of the request, before a byte of the file is read: too large, beyond the plan, or the disk. */
export async function requireDeclaredBytes(
  ctx: AppContext,
  sender: FileSender,
  declaredBytes: number | undefined,
): Promise<void> {
  await ctx.disk.require(declaredBytes)
  if (declaredBytes === undefined) return
  if (declaredBytes > UPLOAD_MAX_BYTES) throw fileTooLarge(declaredBytes)
  if ('deliveryId' in sender) requireLinkRoom(declaredBytes)
  else await requireQuota(ctx, sender.userId, declaredBytes)
}

/**
 * Receives a file: detects its type, seals it on its way to the storage, inspects it. A rejected or interrupted file
 * leaves nothing behind, neither bytes nor row.
 */
export async function receiveFile(
  ctx: AppContext,
  sender: FileSender,
  file: IncomingFile,
): Promise<ReceivedFile> {
  const { head, all } = await peekHead(file.bytes)
  return storeFile(ctx, sender, file, {
    head,
    async store(destination) {
      const sum = await storeEncrypted(ctx, all, destination)
      if (file.bytes.truncated) throw fileTooLarge(file.declaredBytes)
      await file.readEnd().catch(() => Promise.reject(new InterruptedError()))
      return sum
    },
  })
}

/** The same for bytes that come from elsewhere than a request. */
export async function storeFile(
  ctx: AppContext,
  sender: FileSender,
  file: FileDeclaration,
  source: FileSource,
): Promise<ReceivedFile> {
  const { head } = source
  if (head.length === 0) throw new AppError('invalid_file')
  const detected = await detectFile(head, file)
  const id = randomUUID()
  const keys = createMediaKeys(ctx, id, source.sealedWith)
  const storageKey = newStorageKey(MEDIA_PREFIX)
  const room = await insertTransfer(ctx, sender, file, { id, detected, storageKey, keys })
  const heartbeat = setInterval(() => {
    touchReceiving(ctx.db, id, ctx.now()).catch((error) =>
      ctx.log.warn({ err: error }, 'the heartbeat of a transfer could not be written'),
    )
  }, HEARTBEAT_MS)
  try {
    const sum = await source.store({
      key: keys.letterKey,
      storageKey,
      limit: { kind: detected.kind, room, declaredBytes: file.declaredBytes },
    })
    return await finishTransfer(ctx, sender, file, { id, detected, storageKey, head, sum, keys })
  } catch (error) {
    await discardTransfer(ctx, id, storageKey)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

interface NewTransfer {
  id: string
  detected: DetectedType
  storageKey: string
  keys: { wrappedKey: Buffer; wrappedTeaserKey: Buffer }
}

/** Inserts the row of a transfer, which reserves quota and a slot unless the file has a reservation: what is left. */
async function insertTransfer(
  ctx: AppContext,
  sender: FileSender,
  { reservation, declaredBytes }: FileDeclaration,
  { id, detected, storageKey, keys }: NewTransfer,
): Promise<Room> {
  const { kind, mimeType, extension } = detected
  const sizeBytes = reservation ? 0 : (declaredBytes ?? 0)
  const insert = (tx: AppContext, owner: { ownerId: string | null; deliveryId: string | null }) =>
    insertReceiving(
      tx.db,
      {
        id,
        ...owner,
        kind,
        mimeType,
        extension,
        sizeBytes,
        takesSlot: !reservation,
        wrappedKey: keys.wrappedKey,
        wrappedTeaserKey: keys.wrappedTeaserKey,
        createdAt: tx.now(),
      },
      { storageKey, mimeType },
    )
  if ('deliveryId' in sender) {
    await inTransaction(ctx, (tx) => insert(tx, { ownerId: null, deliveryId: sender.deliveryId }))
    return LINK_ROOM
  }
  return inQuotaTransaction(ctx, sender.userId, async (tx) => {
    const quota = reservation
      ? { remainingBytes: reservation.bytes, awaitsVerification: false }
      : await reserveTransferQuota(tx, sender.userId, sizeBytes)
    await insert(tx, { ownerId: sender.userId, deliveryId: null })
    return { bytes: quota.remainingBytes, exceeded: () => quotaExceeded(quota) }
  })
}

interface StoredTransfer {
  id: string
  detected: DetectedType
  storageKey: string
  head: Buffer
  sum: PlainSum
  keys: { letterKey: DataKey }
}

/** Inspects the stored file, counts its real bytes against the plan, and enqueues its steps. */
async function finishTransfer(
  ctx: AppContext,
  sender: FileSender,
  file: FileDeclaration,
  { id, detected, storageKey, head, sum, keys }: StoredTransfer,
): Promise<ReceivedFile> {
  const { sizeBytes, sha256 } = sum
  const object = { storageKey, sizeBytes, mimeType: detected.mimeType }
  const { folder } = file
  const inspection = await inspectFile(ctx, keys.letterKey, { detected, head, object, folder })
  const { durationSeconds, width, height } = inspection
  if ('deliveryId' in sender) requireLinkDuration(durationSeconds)
  else await requireDuration(ctx, sender.userId, durationSeconds)
  const { kind, extension, mimeType } = inspection.type
  const teaser =
    kind === 'video' && file.teaser
      ? requireTeaser('teaserEnd', file.teaser, durationSeconds)
      : undefined
  const name = cleanName(file.fileName, extension)
  const facts: MediaFacts = { name, mimeType, sizeBytes, durationSeconds, width, height, sha256 }
  const steps = await inTransaction(ctx, async (tx) => {
    if (file.reservation) await file.reservation.release(tx, id)
    else if ('userId' in sender) await reserveRealBytes(tx, sender.userId, id, sizeBytes)
    const sealedFacts = sealFacts(keys.letterKey, facts)
    const row = { kind, mimeType, extension, sizeBytes, sealedFacts }
    // The sweep has deleted it: this process gave no sign of life for minutes.
    if (!(await finishReceiving(tx.db, id, row))) throw new InterruptedError()
    return createSteps(tx, { id, kind, durationSeconds }, teaser)
  })
  return { id, kind, extension, facts, steps }
}

/**
 * Deletes a rejected transfer; the sweep deletes what cannot be deleted now. A commit whose answer was lost may stand all
 * the same, so that the bytes of a file that counts must stay.
 */
async function discardTransfer(ctx: AppContext, id: string, storageKey: string): Promise<void> {
  try {
    const isUnnamed = (await deleteReceiving(ctx.db, id)) || !(await findMedia(ctx.db, id))
    if (isUnnamed) await ctx.storage.delete(storageKey)
  } catch (error) {
    ctx.log.warn({ err: error }, 'a rejected upload is left to be swept')
  }
}

const REJECTIONS = ['invalid_file', 'unsupported_type', 'file_too_large', 'media_too_long']

/** Whether the error rejects these very bytes, however often they are sent. */
export function isFileRejection(error: unknown): boolean {
  return (
    error instanceof AppError &&
    !(error instanceof InterruptedError || error instanceof OtherFolderError) &&
    REJECTIONS.includes(error.code)
  )
}

/** A file of the actor's own as `receiveFile` answered it. */
export async function getReceived(
  ctx: AppContext,
  actor: Actor,
  mediaId: string,
): Promise<ReceivedFile> {
  const media = await findMedia(ctx.db, mediaId)
  const right = media && grantPreview(actor.userId, media)
  if (!right) throw notFound()
  const { id, kind, extension } = media
  const steps = await listSteps(ctx.db, [id])
  steps.sort((one, other) => JOB_TYPES.indexOf(one.type) - JOB_TYPES.indexOf(other.type))
  return { id, kind, extension, facts: openFacts(openLetterKey(ctx, right, media), media), steps }
}
