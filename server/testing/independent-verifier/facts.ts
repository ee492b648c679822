import type { Proof, ProofLeaf } from './exported-proof.ts'
import { stateBetween, type TrustedCheckpoint } from './known-logs.ts'
import type { Checkpoint } from './log.ts'
import { ALWAYS_OPEN, isOpen, type OpenField } from './named-fields.ts'

interface Kind {
  kind: string
  since: string
}

interface Audience {
  audience: string
  since: string
}

/** All that a verdict proved or partly lets anybody show as verified. */
export interface Facts {
  origin: string
  size: number
  signed_at: string | null
  revelation_id: string | null
  author_id: string | null
  version: number
  sealed_at: string
  index: number | null
  fields: Omit<OpenField, 'salt'>[]
  is_immediate: boolean
  audiences: Audience[]
  public_since: string | null
  is_public_from_sealing: boolean
  kinds: Kind[]
  versions: { kind: string; version: number; sealed_at: string; index: number | null }[]
  held_since: string | null
}

export function factsOf(proof: Proof, checkpoint: Checkpoint, trusted: TrustedCheckpoint[]): Facts {
  const { last, leaves, consistency } = proof
  const { version, sealed_at, index } = last
  const fields = openFieldsOf(proof)
  const reveal_at = fields.find(({ name }) => name === 'reveal_at')?.value
  const audiences = audiencesOf(leaves)
  const latest = audiences.at(-1)
  const public_since = latest?.audience === 'public' ? latest.since : null
  const isBound = proof.format === 2 || proof.opening !== null
  const dates = trusted
    .filter(({ at }) => index !== null && index < at.size)
    .filter((one) => stateBetween(checkpoint, one, consistency) === 'passed')
    .flatMap(({ at }) => at.dating?.signed_at ?? [])
  return {
    origin: checkpoint.origin,
    size: checkpoint.size,
    signed_at: checkpoint.dating?.signed_at ?? null,
    revelation_id: isBound ? proof.revelation_id : null,
    author_id: isBound ? proof.author_id : null,
    ...{ version, sealed_at, index, fields },
    is_immediate: typeof reveal_at === 'string' && sealed_at >= reveal_at,
    ...{ audiences, public_since },
    is_public_from_sealing:
      leaves[0].format === 2 && public_since !== null && audiences.length === 1,
    kinds: kindsOf(leaves),
    versions: (proof.format === 1 ? [last] : leaves).map((leaf) => ({
      kind: leaf.kind,
      version: leaf.version,
      sealed_at: leaf.sealed_at,
      index: leaf.index,
    })),
    held_since: dates.toSorted()[0] ?? null,
  }
}

/** Those of the last version but audience and kind. */
export function openFieldsOf({ last, opening }: Proof): Facts['fields'] {
  if (last.format === 2) {
    const open = last.fields.filter(isOpen).filter(({ name }) => !ALWAYS_OPEN.includes(name))
    return open.map(({ name, type, value }) => ({ name, type, value: listedIn(value) }))
  }
  if (!opening) return []
  const { title, content, reveal_date, file_sha256: sha256 } = opening
  return [
    { name: 'content', type: 'text', value: content },
    sha256 === null
      ? { name: 'files', type: 'none', value: null }
      : { name: 'files', type: 'files', value: [{ sha256, label: '' }] },
    { name: 'reveal_at', type: 'instant', value: reveal_date },
    { name: 'title', type: 'text', value: title },
  ]
}

/** Without the names beside a file that are ignored: nobody committed to them. */
function listedIn(value: OpenField['value']): OpenField['value'] {
  if (!Array.isArray(value)) return value
  return value.map(({ sha256, label }) => ({ sha256, label }))
}

export function audiencesOf(leaves: ProofLeaf[]): Audience[] {
  return namedIn(leaves, 'audience').map(([audience, since]) => ({ audience, since }))
}

export function kindsOf(leaves: ProofLeaf[]): Kind[] {
  return namedIn(leaves, 'kind').map(([kind, since]) => ({ kind, since }))
}

/** Each value that the leaves give to a name, from when on; the same one again changes nothing. */
function namedIn(leaves: ProofLeaf[], wanted: string): [value: string, since: string][] {
  const named = leaves.flatMap((leaf): [string, string][] => {
    const field = leaf.format === 2 && leaf.fields.find(({ name }) => name === wanted)
    return field && isOpen(field) ? [[String(field.value), leaf.sealed_at]] : []
  })
  return named.filter(([value], at) => value !== named[at - 1]?.[0])
}
