import type { AppContext } from '#server/context.ts'
import { listMailedSizes } from '#server/features/deliveries/mailed-checkpoints.service.ts'
import { getLogKeys, lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { formatPage, verifierPage } from '#server/features/proofs/verifier.service.ts'
import { formatProof, prove } from '#server/features/revelations/proof.service.ts'
import { createReceipt } from '#server/features/revelations/receipts.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import type { ArchiveFiles } from './archive-files.service.ts'
import { writeReadMe } from './archive-page.presenter.ts'
import { FORMAT_PATH, proofPathOf, receiptPathOf, VERIFIER_PATH } from './exports.rules.ts'

type Known = Parameters<typeof listMailedSizes>[1]

/** The proof of a revelation, as whoever has this right may see it, and to its author the receipt of its last version. */
export async function addProof(
  ctx: AppContext,
  archiveFiles: ArchiveFiles,
  known: Known,
  right: ReadingRight | undefined,
): Promise<void> {
  const { envelope, relation } = known
  const { proof } = await prove(ctx, envelope, right, await listMailedSizes(ctx, known))
  await archiveFiles.addText(proofPathOf(envelope.id), [formatProof(proof)])
  if (!relation.isAuthor) return
  const { receipt } = await createReceipt(ctx, envelope, right)
  if (receipt) await archiveFiles.addText(receiptPathOf(envelope.id), [formatProof(receipt.proof)])
}

/**
 * What it takes to check the proofs of an archive on a machine without a network: the verifier, which knows this log and no
 * other, the specification of the format, and three steps. Without a log there is nothing to check by.
 */
export async function addVerificationKit(
  ctx: AppContext,
  archiveFiles: ArchiveFiles,
  receipts: { hasReceipts: boolean },
): Promise<void> {
  if (!(await lastCheckpoint(ctx))) return
  const [{ key }, page, format] = await Promise.all([
    getLogKeys(ctx),
    verifierPage(ctx),
    formatPage(),
  ])
  if (page === undefined || format === undefined) {
    ctx.log.warn('the verifier is missing in an archive: run `npm run build`')
    return
  }
  await archiveFiles.addText(VERIFIER_PATH, [page])
  await archiveFiles.addText(FORMAT_PATH, [format.text])
  const publicUrl = ctx.config.http.publicUrl.replace(/\/$/, '')
  const facts = { key, formatSha256: format.sha256, publicUrl }
  await archiveFiles.addText('LISEZ-MOI.txt', [writeReadMe(facts, receipts)])
}
