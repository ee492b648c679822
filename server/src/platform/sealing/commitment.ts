import { createHash, randomBytes } from 'node:crypto'

const DOMAIN = 'revelations.app/commitment/v1'

export interface CommittedFacts {
  id: string
  authorId: string
  title: string
  content: string
  revealAt: Date
  /** Of the plain bytes of the file; undefined without a file. */
  fileSha256: Buffer | undefined
}

/** 32 random bytes: without them a short prediction would be found by trying. */
export function createSalt(): Buffer {
  return randomBytes(32)
}

/** SHA-256 over length-prefixed fields (docs/decisions/0005): what is published when something is sealed. */
export function commitmentOf(salt: Buffer, facts: CommittedFacts): Buffer {
  const fields = [
    DOMAIN,
    salt,
    facts.id,
    facts.authorId,
    facts.title.normalize('NFC'),
    facts.content.normalize('NFC'),
    facts.revealAt.toISOString(),
    facts.fileSha256 ?? '',
  ]
  const hash = createHash('sha256')
  for (const field of fields) {
    const bytes = Buffer.from(field as string)
    const length = Buffer.alloc(8)
    length.writeBigUInt64BE(BigInt(bytes.length))
    hash.update(length).update(bytes)
  }
  return hash.digest()
}
