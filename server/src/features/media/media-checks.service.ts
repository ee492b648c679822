import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openSealed, type SealedSource } from '#server/platform/sealing/sealed-file.ts'
import { createSum, type Sum } from '#server/platform/storage/copy-files.ts'
import { openFacts, openLetterKey, openTeaserKey, plainFileOf } from './file-keys.service.ts'
import { isStillStored, type MediaRow, type ObjectRow } from './media.repository.ts'
import { partOf } from './media.rules.ts'
import {
  findUploadOfAnybody,
  listStoredFiles,
  listUploads,
  type StoredFile,
} from './media-checks.repository.ts'
import { factsOf, openTail, openUploadKey, sourceOfPieces } from './upload-seal.service.ts'
import { listPieces, type PieceRow, type UploadRow } from './uploads.repository.ts'

const PAGE = 100

/** Opens every stored object of every file to its end; an original must have the sum in its sealed facts. */
export async function* checkFiles(ctx: AppContext, right: ReadingRight): AsyncGenerator<Checked> {
  const pages = listPages<StoredFile>(PAGE, (after, limit) =>
    listStoredFiles(ctx.db, after?.media.id, limit),
  )
  for await (const page of pages) {
    for (const { media, objects } of page) {
      for (const object of objects) {
        const problem = await problemOf(ctx, right, media, object)
        // An object deleted or replaced while it was read is no loss.
        if (problem !== undefined && !(await isStillStored(ctx.db, object))) continue
        const name = `file ${media.id}, ${object.variant}`
        yield { name, sizeBytes: object.sizeBytes, ...(problem === undefined ? {} : { problem }) }
      }
    }
  }
}

async function problemOf(
  ctx: AppContext,
  right: ReadingRight,
  media: MediaRow,
  object: ObjectRow,
): Promise<string | undefined> {
  try {
    const key = keyOf(ctx, right, media, object)
    const { sizeBytes, sha256 } = await readToEnd(ctx, key, object)
    if (sizeBytes !== object.sizeBytes) return 'it is cut'
    const isAsSent = object.variant !== 'original' || openFacts(key, media).sha256 === sha256
    return isAsSent ? undefined : 'it is not the file that was sent'
  } catch (error) {
    return damageOf(error)
  }
}

function keyOf(ctx: AppContext, right: ReadingRight, media: MediaRow, object: ObjectRow): DataKey {
  return partOf(object.variant) === 'envelope'
    ? openTeaserKey(ctx, media)
    : openLetterKey(ctx, right, media)
}

async function readToEnd(ctx: AppContext, key: DataKey, object: ObjectRow): Promise<Sum> {
  const { add, sum } = createSum()
  const whole = { start: 0, end: object.sizeBytes - 1 }
  const file = plainFileOf(ctx, key, object)
  for await (const chunk of await file.read(whole)) add(chunk)
  return sum()
}

/** Opens the facts of every upload, and every stored piece to its end. */
export async function* checkUploads(ctx: AppContext): AsyncGenerator<Checked> {
  const pages = listPages<UploadRow>(PAGE, (after, limit) => listUploads(ctx.db, after?.id, limit))
  for await (const page of pages) {
    for (const upload of page) {
      yield* await checkUpload(ctx, upload)
    }
  }
}

async function checkUpload(ctx: AppContext, upload: UploadRow): Promise<Checked[]> {
  const pieces = await listPieces(ctx.db, upload.id)
  const checks = [await checkRow(ctx, upload)]
  const source = sourceOfPieces(ctx, upload, pieces)
  for (const piece of pieces) checks.push(await checkPiece(ctx, upload, { piece, source }))
  if (checks.every(({ problem }) => problem === undefined)) return checks
  // An upload finished or deleted meanwhile is no loss.
  const now = await findUploadOfAnybody(ctx.db, upload.id)
  return now && now.mediaId === upload.mediaId ? checks : []
}

/** What is sealed in the row itself. */
async function checkRow(ctx: AppContext, upload: UploadRow): Promise<Checked> {
  const checked = { name: `upload ${upload.id}`, sizeBytes: upload.sealedFacts.length }
  return withProblem(checked, async () => {
    factsOf(ctx, upload)
    openTail(ctx, upload)
    return checked.sizeBytes
  })
}

async function checkPiece(
  ctx: AppContext,
  upload: UploadRow,
  { piece, source }: { piece: PieceRow; source: SealedSource },
): Promise<Checked> {
  const { firstByte, sizeBytes } = piece
  const checked = { name: `upload ${upload.id}, from byte ${firstByte}`, sizeBytes }
  return withProblem(checked, async () => {
    const range = { start: firstByte, end: firstByte + sizeBytes - 1 }
    let openedBytes = 0
    for await (const bytes of await openSealed(openUploadKey(ctx, upload), source, range)) {
      openedBytes += bytes.length
    }
    return openedBytes
  })
}

async function withProblem(checked: Checked, open: () => Promise<number>): Promise<Checked> {
  try {
    return (await open()) === checked.sizeBytes ? checked : { ...checked, problem: 'it is cut' }
  } catch (error) {
    return { ...checked, problem: damageOf(error) }
  }
}
