import * as z from 'zod/mini'
import { hexOf } from '#contract/proofs/bytes.ts'
import { openCheckpointOf, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { type KnownLog, knownLogOf } from '#contract/proofs/known-log.ts'
import type { HeldCheckpoint } from '#contract/proofs/verdict.ts'
import { formatInstant } from './element.ts'

/** As the server put it into this page; null in one that came from nowhere. */
const carriedSchema = z.nullable(
  z.object({
    origin: z.string(),
    key: z.string(),
    keys_note: z.nullable(z.string()),
    checkpoint: z.nullable(z.string()),
  }),
)

/** The log that this page believes, with the checkpoint that it was downloaded with. */
export interface CarriedLog {
  known: KnownLog
  held: HeldCheckpoint[]
}

export function readCarriedLog(text: string): CarriedLog | undefined {
  const carried = carriedSchema.safeParse(JSON.parse(text)).data
  const known = carried ? knownLogOf(carried.key, carried.keys_note) : undefined
  if (!carried || !known || known.origin !== carried.origin) return undefined
  const keys = [known.key, ...known.former.map(({ key }) => key)]
  const note = carried.checkpoint ?? ''
  const key = keys.find((one) => openCheckpointOf(one, note))
  const signedAt = key && openCheckpointOf(key, note)?.dated?.signedAt
  const since = signedAt || new Date(0).toISOString()
  return { known, held: key ? [{ key, note, source: 'carried', since }] : [] }
}

/** Whose proofs this page verifies, and by which key. */
export function carriedInWords(carried: CarriedLog | undefined): string {
  if (!carried) {
    return 'Ce vérificateur ne porte aucune clé\u202F: rien de ce qu’il lit ne sera prouvé.'
  }
  const { known, held } = carried
  const id = hexOf(parseLogKey(known.key)?.id ?? new Uint8Array())
  const signedAt = held[0] && openCheckpointOf(held[0].key, held[0].note)?.dated?.signedAt
  const dated = signedAt
    ? ` Il est venu avec un point de contrôle que ce journal a daté du ${formatInstant(signedAt)}.`
    : ''
  return `Ce vérificateur vérifie les preuves de ${known.origin}. Il ne croit que la clé ${id}.${dated}`
}

interface Signer {
  key: string
  /** When another key took its place. */
  replacedAt?: string
  /** Whether it signed after that: whoever stole it may have. */
  isLate?: boolean
}

/** The key of the known log by which a note is signed. */
export function signerOf(note: string, known: KnownLog | undefined): Signer | undefined {
  if (!known) return undefined
  if (openCheckpointOf(known.key, note)) return { key: known.key }
  for (const { key, size, replacedAt } of known.former) {
    const checkpoint = openCheckpointOf(key, note)
    if (checkpoint) return { key, replacedAt, isLate: checkpoint.size > size }
  }
  return undefined
}

/** What is to be said of pasted checkpoints; nothing where the key of today signed them all. */
export function signersInWords(signers: readonly (Signer | undefined)[]): string {
  const isOne = signers.length === 1
  const said = signers.map((signer) => {
    if (!signer) {
      return isOne
        ? 'Ce point de contrôle ne porte pas la signature du journal.'
        : 'L’un de ces points de contrôle, au moins, ne porte pas la signature du journal.'
    }
    if (signer.replacedAt === undefined) return ''
    const subject = isOne ? 'Ce point de contrôle' : 'L’un de ces points de contrôle'
    const replaced = `remplacée le ${formatInstant(signer.replacedAt)}`
    return signer.isLate
      ? `${subject} a été signé par une ancienne clé du journal après qu’elle a été ${replaced}\u202F: il ne dit rien du journal.`
      : `${subject} porte une ancienne clé du journal, ${replaced}\u202F; la nouvelle l’a reconnue.`
  })
  return [...new Set(said)].filter((sentence) => sentence !== '').join(' ')
}
