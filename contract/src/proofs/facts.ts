import type { Checkpoint } from './checkpoint.ts'
import { compareHeld, type OpenHeld } from './continuity.ts'
import type { OpenField, ReadProof } from './read-proof.ts'
import type { Facts } from './verdict.ts'

const WITH_WORDS = ['audience', 'content', 'files', 'kind', 'reveal_at', 'title']

/** What a proof says, whether it holds or not. */
export function factsOf(
  { proof, leaves, last, authorId, letter }: ReadProof,
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
): Facts {
  const title = textOf(letter, 'title')
  const content = textOf(letter, 'content')
  const revealAt = textOf(letter, 'reveal_at')
  const files = letter.find(({ name }) => name === 'files')
  const oldest = oldestHeld(last.index, checkpoint, held, proof)
  const heldSince = oldest?.checkpoint.dated?.signedAt
  // The id of format 1 is in the opening alone.
  const isBound = last.format === 2 || authorId !== undefined
  return {
    origin: checkpoint?.origin ?? '',
    checkpoint: { size: checkpoint?.size ?? 0, signedAt: checkpoint?.dated?.signedAt ?? null },
    ...(isBound && { id: proof.revelation_id }),
    ...(isBound && authorId !== undefined && { authorId }),
    format: last.format,
    version: last.version,
    sealedAt: last.sealedAt,
    index: last.index,
    isImmediate: revealAt !== undefined && last.sealedAt >= revealAt,
    ...(title !== undefined && { title }),
    ...(content !== undefined && { content }),
    ...(revealAt !== undefined && { revealAt }),
    ...(files && { files: files.type === 'files' ? files.value : [] }),
    others: letter.filter(({ name }) => !WITH_WORDS.includes(name)),
    ...audiencesOf(leaves),
    ...kindsOf(leaves),
    versions: leaves.map(({ version, kind, sealedAt, index }) => ({
      ...{ version, kind, sealedAt, index },
    })),
    ...(heldSince !== undefined && { heldSince }),
    ...(oldest && oldest.held.source !== 'carried' && { heldHereSince: oldest.held.since }),
  }
}

function textOf(fields: readonly OpenField[], name: string): string | undefined {
  const field = fields.find((one) => one.name === name)
  return field?.type === 'text' || field?.type === 'instant' ? field.value : undefined
}

/** What the leaves name one after the other, from when on; the same again changes nothing. */
function namedOverTime(leaves: ReadProof['leaves'], name: 'audience' | 'kind') {
  const named: { value: string; since: string }[] = []
  for (const { fields, sealedAt } of leaves) {
    const value = textOf(fields, name)
    if (value !== undefined && value !== named.at(-1)?.value) named.push({ value, since: sealedAt })
  }
  return named
}

function kindsOf(leaves: ReadProof['leaves']) {
  const isKindKnownFromStart = textOf(leaves[0]?.fields ?? [], 'kind') !== undefined
  return { kinds: namedOverTime(leaves, 'kind'), isKindKnownFromStart }
}

function audiencesOf(leaves: ReadProof['leaves']) {
  const audiences = namedOverTime(leaves, 'audience')
  const now = audiences.at(-1)
  const publicSince = now?.value === 'public' ? now.since : null
  const isAudienceKnownFromStart = leaves[0]?.format === 2
  return {
    audiences,
    publicSince,
    isAudienceKnownFromStart,
    isPublicFromSealing: isAudienceKnownFromStart && publicSince !== null && audiences.length === 1,
  }
}

/** The kept checkpoint with the oldest date that covers the leaf and that this one is proved to continue. */
function oldestHeld(
  index: number | null,
  checkpoint: Checkpoint | undefined,
  held: readonly OpenHeld[],
  proof: ReadProof['proof'],
): OpenHeld | undefined {
  if (index === null || !checkpoint) return undefined
  return held
    .filter(
      (one) =>
        one.checkpoint.dated &&
        one.checkpoint.size > index &&
        compareHeld(one, checkpoint, proof).state === 'passed',
    )
    .toSorted((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1))[0]
}

function dateOf({ checkpoint, held }: OpenHeld): string {
  // Of one date, the one that was here first.
  return `${checkpoint.dated?.signedAt} ${held.since}`
}
