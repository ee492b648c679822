import { base64Of } from '../../src/proofs/bytes.ts'
import type { ProofV2 } from '../../src/proofs/proof.ts'
import { fieldsWith } from '../letters.ts'
import { bytesFor, itemOf } from '../log.ts'
import { type Bundle, type Corpus, exportOf, heldOf, NOW, textOf } from './corpus.ts'
import { altered, type Json, leavesOf, listAt, type Mutation, type Random } from './random.ts'
import { type Sealed, SIZE, SIZES, sealLeaf, signedNote, V2_FROM } from './world.ts'

const A_MINUTE_MS = 60_000
const A_DAY_MS = 24 * 60 * A_MINUTE_MS
const A_YEAR_MS = 365 * A_DAY_MS
/** What a checkpoint may miss that was sealed while it was signed. */
const UNDER_WAY_MS = 15 * A_MINUTE_MS

const STEPS = [1, 1000, A_MINUTE_MS, UNDER_WAY_MS - 1, UNDER_WAY_MS, UNDER_WAY_MS + 1, A_DAY_MS]
const FAR = [A_DAY_MS - 1, A_DAY_MS + 1, 30 * A_DAY_MS, A_YEAR_MS, 30 * A_YEAR_MS]

function shifted(instant: string, random: Random): string {
  const by = random.oneOf([...STEPS, ...FAR]) * random.oneOf([1, -1])
  return new Date(Date.parse(instant) + by).toISOString()
}

const INSTANTS = [
  '1999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
]

function anyDate(instant: string, random: Random): string {
  return random.below(5) === 0 ? random.oneOf(INSTANTS) : shifted(instant, random)
}

/** A date in the proof that nobody signed. */
export function redate(bundle: Bundle, random: Random): Mutation {
  const proof = altered(bundle, (copy) => {
    const leaf = random.oneOf(leavesOf(copy))
    const field = listAt(leaf, 'fields').find(({ type }) => type === 'instant')
    const opening = copy.opening as Json | null
    const where = random.below(4)
    if (where === 0 && field) field.value = anyDate(String(field.value), random)
    else if (where === 0 && opening)
      opening.reveal_date = anyDate(String(opening.reveal_date), random)
    else if (where === 1)
      copy.checkpoint = String(copy.checkpoint).replace(
        /signed_at (.*)/,
        (_, date) => `signed_at ${anyDate(date, random)}`,
      )
    else leaf.sealed_at = anyDate(String(leaf.sealed_at), random)
  })
  const given = { ...bundle.given, now: random.below(3) === 0 ? anyDate(NOW, random) : NOW }
  return { name: 'dates: unsigned', proof, given }
}

/**
 * A letter with a false date that the log took, signed rightly at another: the operator lies to somebody who holds a true
 * checkpoint from before. A date that is accepted lies after it, but for what was under way.
 */
export function lie(_: Bundle, random: Random, { site, signed, known, liar }: Corpus): Mutation {
  const size = random.oneOf(SIZES.filter((size) => size > V2_FROM && size <= SIZE))
  const held = heldOf(site, size)
  const heldAt = site.notes.get(size)?.signedAt ?? NOW
  const { id, authorId } = itemOf(10_000 + liar.log.size).facts
  const letter: Sealed = { id, authorId, blinding: bytesFor(`blinding of ${id}`), leaves: [] }
  const sealedAt = anyDate(random.oneOf([heldAt, NOW]), random)
  const reveal_at = {
    type: 'instant' as const,
    value: anyDate(random.oneOf([NOW, sealedAt]), random),
  }
  const fields = fieldsWith({ reveal_at })
  sealLeaf(liar.log, letter, { kind: 'create', version: 1, sealedAt, fields })
  liar.letters.push(letter)
  const now = liar.log.size
  const signedAt = anyDate(random.oneOf([heldAt, sealedAt, NOW]), random)
  const note = signedNote(liar, now, signedAt)
  liar.notes.set(now, note)
  signed.set(textOf(note.note), { world: liar, note })
  const consistency = liar.log.consistency(size, now).map(base64Of)
  const proof = exportOf(liar, letter, now) as ProofV2
  const from = new Date(Date.parse(heldAt) - UNDER_WAY_MS).toISOString()
  const to = new Date(Date.parse(NOW) + A_DAY_MS).toISOString()
  return {
    name: 'dates: signed',
    proof,
    given: { known, now: NOW, held: [{ ...held, consistency }] },
    sealedWithin: [from, to],
  }
}
