import * as z from 'zod/mini'
import { bytesOfBase64, HASH_SIZE } from './bytes.ts'

export const PROOF_FORMAT = 'revelations.app/proof/v1'

const hexHash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
/** ISO 8601, UTC, with milliseconds: the bytes that were hashed. */
const instant = z.string().check(
  z.regex(/^.{24}$/),
  z.refine((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text),
)
/** What was hashed is NFC; another spelling of the same text is not what was sealed. */
const nfcText = z
  .string()
  .check(z.refine((text) => text.isWellFormed() && text.normalize('NFC') === text))
const treeHash = z.string().check(z.refine((text) => bytesOfBase64(text)?.length === HASH_SIZE))

const sealedVersionSchema = z.object({
  version: z.int().check(z.gte(1)),
  kind: z.enum(['create', 'edit']),
  sealed_at: instant,
  commitment: hexHash,
  /** Its place in the log; null for the minute until it has one. */
  leaf: z.nullable(z.int().check(z.gte(0))),
  inclusion: z.nullable(z.array(treeHash)),
})
export type SealedVersion = z.infer<typeof sealedVersionSchema>

/** What opens the commitment of the last version: for whoever may read the letter. */
const openingSchema = z.object({
  author_id: uuid,
  title: nfcText,
  content: nfcText,
  reveal_date: instant,
  salt: hexHash,
  file_sha256: z.nullable(hexHash),
})

/** All that somebody needs to check a revelation without asking anybody (docs/proof.md). */
export const proofSchema = z.object({
  format: z.literal(PROOF_FORMAT),
  revelation_id: uuid,
  /** The key of the log, and its last signed checkpoint; null while the log is empty. */
  key: z.nullable(z.string()),
  checkpoint: z.nullable(z.string()),
  versions: z.array(sealedVersionSchema).check(z.minLength(1)),
  opening: z.nullable(openingSchema),
})
export type Proof = z.infer<typeof proofSchema>
