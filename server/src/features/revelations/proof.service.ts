import { PROOF_FORMAT, type Proof } from '#contract/proofs/proof.ts'
import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { readVisible } from '#server/features/access/envelopes.service.ts'
import { grantReader } from '#server/features/access/grants.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import { proveVersions } from '#server/features/proofs/log.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openCommitted } from './letters.service.ts'

/**
 * The seal of a revelation for a viewer who may know of it, and what opens its commitment for one who may read the letter, by
 * the same gate as the revelation itself.
 */
export async function getProof(ctx: AppContext, viewer: Viewer, id: string): Promise<Proof> {
  const { proof } = await readVisible(ctx, viewer, id, ({ envelope, relation }) =>
    prove(ctx, envelope, grantReader(relation, envelope, ctx.now())),
  )
  return proof
}

/** `isWhole` unless the envelope is no longer the last version, or a letter that may be read does not open. */
export async function prove(
  ctx: AppContext,
  envelope: EnvelopeRow,
  right: ReadingRight | undefined,
): Promise<{ proof: Proof; isWhole: boolean }> {
  const { checkpoint, versions } = await proveVersions(ctx, envelope.id)
  const opening = right && (await openingOf(ctx, right, envelope))
  const isLast = versions.at(-1)?.commitment === envelope.commitment.toString('hex')
  return {
    proof: {
      format: PROOF_FORMAT,
      revelation_id: envelope.id,
      key: checkpoint?.logKey ?? null,
      checkpoint: checkpoint?.note ?? null,
      versions,
      opening: opening ?? null,
    },
    isWhole: isLast && (!right || opening !== undefined),
  }
}

async function openingOf(
  ctx: AppContext,
  right: ReadingRight,
  envelope: EnvelopeRow,
): Promise<Proof['opening'] | undefined> {
  const opened = await openCommitted(ctx, right, envelope)
  if (!opened) return undefined
  return {
    author_id: envelope.authorId,
    title: envelope.title.normalize('NFC'),
    content: opened.content.normalize('NFC'),
    reveal_date: envelope.revealAt.toISOString(),
    salt: opened.salt.toString('hex'),
    file_sha256: opened.fileSha256?.toString('hex') ?? null,
  }
}
