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
  const { checkpoint, versions, opening } = await readVisible(
    ctx,
    viewer,
    id,
    async ({ envelope, relation }) => {
      const { checkpoint, versions } = await proveVersions(ctx, envelope.id)
      const right = grantReader(relation, envelope, ctx.now())
      const opening = right && (await openingOf(ctx, right, envelope))
      const isLast = versions.at(-1)?.commitment === envelope.commitment.toString('hex')
      return { checkpoint, versions, opening, isWhole: isLast && (!right || opening !== undefined) }
    },
  )
  return {
    format: PROOF_FORMAT,
    revelation_id: id,
    key: checkpoint?.logKey ?? null,
    checkpoint: checkpoint?.note ?? null,
    versions,
    opening: opening ?? null,
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
