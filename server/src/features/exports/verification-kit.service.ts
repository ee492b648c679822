import type { AppContext } from '#server/context.ts'
import { authorRelation } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listMailedSizes } from '#server/features/deliveries/mailed-checkpoints.service.ts'
import { getLogKeys, lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { formatPage, verifierPage } from '#server/features/proofs/verifier.service.ts'
import {
  addConsistency,
  formatProof,
  prove,
  proveMany,
} from '#server/features/revelations/proof.service.ts'
import { createReceipt } from '#server/features/revelations/receipts.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import type { ArchiveFiles } from './archive-files.service.ts'
import { type AboutArchive, writeReadMe } from './archive-page.presenter.ts'
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
  if (relation.isAuthor) await addReceipt(ctx, archiveFiles, envelope, right)
}

/** The same of many letters of one author, for one checkpoint: of none that was withdrawn meanwhile. */
export async function addOwnProofs(
  ctx: AppContext,
  archiveFiles: ArchiveFiles,
  actor: Actor,
  envelopes: readonly EnvelopeRow[],
): Promise<void> {
  const right = grantAuthor(actor, envelopes)
  if (!right) throw new Error('An archive of an account holds its own letters alone')
  const checkpoint = await lastCheckpoint(ctx)
  const proofs = await proveMany(ctx, envelopes, right, checkpoint)
  for (const envelope of envelopes) {
    const proof = proofs.get(envelope.id)
    if (!proof) continue
    const known = { actor, envelope, relation: authorRelation(actor, envelope) }
    await addConsistency(ctx, proof, await listMailedSizes(ctx, known), checkpoint)
    await archiveFiles.addText(proofPathOf(envelope.id), [formatProof(proof)])
    await addReceipt(ctx, archiveFiles, envelope, right)
  }
}

async function addReceipt(
  ctx: AppContext,
  archiveFiles: ArchiveFiles,
  envelope: EnvelopeRow,
  right: ReadingRight | undefined,
): Promise<void> {
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
  about: AboutArchive,
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
  await archiveFiles.addText('LISEZ-MOI.txt', [writeReadMe(facts, about)])
}
