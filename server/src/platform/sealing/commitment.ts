import { randomBytes } from 'node:crypto'
import * as proofs from '#contract/proofs/commitment.ts'

export interface CommittedFacts extends Omit<proofs.CommittedFacts, 'revealAt' | 'fileSha256'> {
  revealAt: Date
  /** Of the plain bytes of the file; undefined without a file. */
  fileSha256: Buffer | undefined
}

/** 32 random bytes, without which a short prediction could be guessed from its commitment. */
export function createSalt(): Buffer {
  return randomBytes(32)
}

/** The commitment that is published at sealing (docs/proof.md), computed as every verifier computes it. */
export function commitmentOf(salt: Buffer, facts: CommittedFacts): Buffer {
  const revealAt = facts.revealAt.toISOString()
  return Buffer.from(proofs.commitmentOf(salt, { ...facts, revealAt }))
}
