import { randomBytes } from 'node:crypto'
import * as proofs from '#contract/proofs/commitment.ts'

export interface CommittedFacts extends Omit<proofs.CommittedFacts, 'revealAt' | 'fileSha256'> {
  revealAt: Date
  /** Of the plain bytes of the file; undefined without a file. */
  fileSha256: Buffer | undefined
}

/** 32 random bytes: without them a short prediction would be found by trying. */
export function createSalt(): Buffer {
  return randomBytes(32)
}

/** What is published when something is sealed (docs/proof.md), computed as every verifier computes it. */
export function commitmentOf(salt: Buffer, facts: CommittedFacts): Buffer {
  const revealAt = facts.revealAt.toISOString()
  return Buffer.from(proofs.commitmentOf(salt, { ...facts, revealAt }))
}
