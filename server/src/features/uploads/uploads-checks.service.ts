import type { AppContext } from '#server/context.ts'
import { pagesOf } from '#server/platform/database/pages.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import { partKeyOf } from '#server/platform/sealing/keyring.ts'
import { openStored } from '#server/platform/sealing/sealed-object.ts'
import { listPieces, type PieceRow, type UploadRow } from './uploads.repository.ts'
import { factsOf, openUploadKey } from './uploads.service.ts'
import { findKept, listKept } from './uploads-checks.repository.ts'

const PAGE = 100

/** Opens what every upload says of itself, and every piece that has arrived to its end. */
export async function* checkUploads(ctx: AppContext): AsyncGenerator<Checked> {
  const pages = pagesOf<UploadRow>(PAGE, (after, limit) => listKept(ctx.db, after?.id, limit))
  for await (const page of pages) {
    for (const upload of page) {
      yield* await checkUpload(ctx, upload)
    }
  }
}

async function checkUpload(ctx: AppContext, upload: UploadRow): Promise<Checked[]> {
  const pieces = await listPieces(ctx.db, upload.id)
  const checks = [await checkFacts(ctx, upload)]
  for (const piece of pieces) checks.push(await checkPiece(ctx, upload, piece))
  if (checks.every(({ problem }) => problem === undefined)) return checks
  // Finished or deleted meanwhile, it is no loss.
  const now = await findKept(ctx.db, upload.id)
  return now && now.mediaId === upload.mediaId ? checks : []
}

async function checkFacts(ctx: AppContext, upload: UploadRow): Promise<Checked> {
  const checked = { name: `upload ${upload.id}`, sizeBytes: upload.sealedFacts.length }
  return withProblem(checked, async () => {
    factsOf(ctx, upload)
    return checked.sizeBytes
  })
}

async function checkPiece(ctx: AppContext, upload: UploadRow, piece: PieceRow): Promise<Checked> {
  const { startByte, sizeBytes } = piece
  return withProblem(
    { name: `upload ${upload.id}, from byte ${startByte}`, sizeBytes },
    async () => {
      const key = partKeyOf(openUploadKey(ctx, upload), String(startByte))
      let openedBytes = 0
      for await (const bytes of await openStored(ctx.storage, key, piece)) {
        openedBytes += bytes.length
      }
      return openedBytes
    },
  )
}

async function withProblem(checked: Checked, open: () => Promise<number>): Promise<Checked> {
  try {
    return (await open()) === checked.sizeBytes ? checked : { ...checked, problem: 'it is cut' }
  } catch (error) {
    return { ...checked, problem: damageOf(error) }
  }
}
