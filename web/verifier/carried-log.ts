import * as z from 'zod/mini'
import { hexOf } from '#contract/proofs/bytes.ts'
import { parseLogKey } from '#contract/proofs/checkpoint.ts'
import { openNoteOf } from '#contract/proofs/held-checkpoints.ts'
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
  const key = keys.find((one) => openNoteOf({ key: one, note }))
  const signedAt = key && openNoteOf({ key, note })?.dated?.signedAt
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
  const signedAt = held[0] && openNoteOf(held[0])?.dated?.signedAt
  const received = signedAt ? `, reçue le ${formatInstant(signedAt)}` : ''
  return `Ce vérificateur vérifie les preuves de ${known.origin}. Il ne croit que la clé ${id}${received}.`
}
