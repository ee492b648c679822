import type { Proof, ProofLeaf } from './exported-proof.ts'
import { isSame, type Kept, stateBetween } from './known-logs.ts'
import type { Checkpoint } from './log.ts'
import { isOpen, type OpenField } from './named-fields.ts'

interface Audience {
  audience: string
  since: string
}

interface Version {
  version: number
  sealed_at: string
  index: number | null
}

/** All that a verdict proved or partly lets anybody show as verified. */
export interface Facts {
  origin: string
  size: number
  signed_at: string | null
  revelation_id: string | null
  author_id: string | null
  last: Version
  fields: Record<string, OpenField['value']>
  audiences: Audience[]
  public_since: string | null
  versions: Version[]
  /** The earliest date of a kept checkpoint that covers the last version. */
  kept_since: string | null
  is_published_at_once: boolean
}

export function factsOf(proof: Proof, checkpoint: Checkpoint, kept: Kept[]): Facts {
  const { last, leaves, consistency } = proof
  const fields = openFieldsOf(proof)
  const audiences = audiencesOf(leaves)
  const latest = audiences.at(-1)
  const isBound = proof.format === 2 || proof.opening !== null
  const dates = kept
    .filter(({ at }) => last.index !== null && last.index < at.size)
    .filter(({ at }) => at.size < checkpoint.size || isSame(at, checkpoint))
    .filter((one) => stateBetween(checkpoint, one, consistency) === 'passed')
    .flatMap(({ at }) => at.dating?.signed_at ?? [])
  const versions = leaves.filter(({ kind }) => kind !== 'change')
  return {
    origin: checkpoint.origin,
    size: checkpoint.size,
    signed_at: checkpoint.dating?.signed_at ?? null,
    revelation_id: isBound ? proof.revelation_id : null,
    author_id: isBound ? proof.author_id : null,
    last: versionOf(last),
    fields,
    audiences,
    public_since: latest?.audience === 'public' ? latest.since : null,
    versions: proof.format === 1 ? [versionOf(last)] : versions.map(versionOf),
    kept_since: dates.toSorted()[0] ?? null,
    is_published_at_once:
      typeof fields.reveal_at === 'string' && last.sealed_at >= fields.reveal_at,
  }
}

function versionOf({ version, sealed_at, index }: ProofLeaf): Version {
  return { version, sealed_at, index }
}

function openFieldsOf({ last, opening }: Proof): Facts['fields'] {
  if (last.format === 2)
    return Object.fromEntries(last.fields.filter(isOpen).map(({ name, value }) => [name, value]))
  if (!opening) return {}
  const { title, content, reveal_date: reveal_at, file_sha256 } = opening
  const files = file_sha256 === null ? null : [{ sha256: file_sha256, label: '' }]
  return { title, content, reveal_at, files }
}

/** Each one that the leaves name, from when on; the same one again changes nothing. */
export function audiencesOf(leaves: ProofLeaf[]): Audience[] {
  const named = leaves.flatMap((leaf): Audience[] => {
    const field = leaf.format === 2 && leaf.fields.find(({ name }) => name === 'audience')
    if (!field || !isOpen(field)) return []
    return [{ audience: String(field.value), since: leaf.sealed_at }]
  })
  return named.filter(({ audience }, at) => audience !== named[at - 1]?.audience)
}
