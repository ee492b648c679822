import { fields, sha256 } from './bytes.ts'

export interface Opened {
  salt: string
  revelation_id: string
  author_id: string
  title: string
  content: string
  reveal_date: string
  file_sha256: string | null
}

export interface Leaf {
  kind: string
  version: number
  commitment: string
  sealed_at: string
}

export function commitmentOf(opened: Opened): string {
  return sha256(
    fields(
      'revelations.app/commitment/v1',
      Buffer.from(opened.salt, 'hex'),
      opened.revelation_id,
      opened.author_id,
      opened.title.normalize('NFC'),
      opened.content.normalize('NFC'),
      opened.reveal_date,
      Buffer.from(opened.file_sha256 ?? '', 'hex'),
    ),
  ).toString('hex')
}

export function leafBytes(leaf: Leaf): Buffer {
  return fields(
    'revelations.app/leaf/v1',
    leaf.kind,
    leaf.version,
    Buffer.from(leaf.commitment, 'hex'),
    leaf.sealed_at,
  )
}

export function leafHash(leaf: Leaf): Buffer {
  return sha256(Buffer.of(0), leafBytes(leaf))
}
