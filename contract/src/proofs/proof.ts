import * as z from 'zod/mini'
import { isInstant } from './instant.ts'

export const PROOF_FORMAT = 'revelations.app/proof/v1'
export const PROOF_FORMAT_2 = 'revelations.app/proof/v2'

const hexHash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
const instant = z.string().check(z.refine(isInstant))
/** Half of a surrogate pair is no text that could be signed. */
const text = z.string().check(z.refine((text) => text.isWellFormed()))
/** What was hashed is NFC; another spelling of the same text is not what was sealed. */
const nfcText = z
  .string()
  .check(z.refine((text) => text.isWellFormed() && text.normalize('NFC') === text))
/** 32 bytes in base64: of the last digit before the padding two bits mean nothing. */
const treeHash = z.string().check(z.regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/))
const versionNumber = z.int().check(z.gte(1))
const leafIndex = z.nullable(z.int().check(z.gte(0)))
const inclusionPath = z.nullable(z.array(treeHash))

/** Nobody edits more often; what is longer only keeps a verifier busy. */
const MAX_VERSIONS = 10_000
const MAX_LEAVES = 1_000

const sealedVersionSchema = z.object({
  version: versionNumber,
  kind: z.enum(['create', 'edit']),
  sealed_at: instant,
  commitment: hexHash,
  /** Its place in the log; null for the minute until it has one. */
  leaf: leafIndex,
  inclusion: inclusionPath,
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

/** That the tree of an earlier size, such as one that was mailed, is the beginning of the tree of the checkpoint. */
const consistencySchema = z.array(
  z.object({ from: z.int().check(z.gte(0)), hashes: z.array(treeHash) }),
)

/** All that somebody needs to check a revelation of format 1 without asking anybody (docs/proof.md). */
export const proofSchema = z.object({
  format: z.literal(PROOF_FORMAT),
  revelation_id: uuid,
  /** The key of the log, and its last signed checkpoint; null while the log is empty. */
  key: z.nullable(text),
  checkpoint: z.nullable(text),
  versions: z.array(sealedVersionSchema).check(z.minLength(1), z.maxLength(MAX_VERSIONS)),
  opening: z.nullable(openingSchema),
  consistency: z.optional(consistencySchema),
})
export type Proof = z.infer<typeof proofSchema>

const fieldName = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/))
const openField = { name: fieldName, salt: hexHash }
const fileWithLabel = z.object({ sha256: hexHash, label: nfcText })

/** Closed, it is told by its hash alone; open, by its salt and its value. */
const proofFieldSchema = z.union([
  z.discriminatedUnion('type', [
    z.strictObject({ ...openField, type: z.literal('none'), value: z.null() }),
    z.strictObject({ ...openField, type: z.literal('text'), value: nfcText }),
    z.strictObject({ ...openField, type: z.literal('instant'), value: instant }),
    z.strictObject({
      ...openField,
      type: z.literal('files'),
      value: z.array(fileWithLabel).check(z.minLength(1)),
    }),
  ]),
  z.strictObject({ name: fieldName, hash: hexHash }),
])
export type ProofField = z.infer<typeof proofFieldSchema>

const ofAnyLeaf = {
  version: versionNumber,
  sealed_at: instant,
  index: leafIndex,
  inclusion: inclusionPath,
}

/** Nothing is exported of what was withdrawn: there is no leaf that deletes. */
const proofLeafSchema = z.discriminatedUnion('format', [
  z.object({
    ...ofAnyLeaf,
    format: z.literal(2),
    kind: z.enum(['create', 'edit', 'change']),
    fields: z.array(proofFieldSchema).check(z.minLength(1), z.maxLength(64)),
  }),
  z.object({
    ...ofAnyLeaf,
    format: z.literal(1),
    kind: z.enum(['create', 'edit']),
    commitment: hexHash,
  }),
])
export type ProofLeaf = z.infer<typeof proofLeafSchema>

/** The same of a revelation that has leaves of format 2 (docs/proof.md, « Exported proof 2 »). */
export const proofV2Schema = z.object({
  format: z.literal(PROOF_FORMAT_2),
  key: z.nullable(text),
  checkpoint: z.nullable(text),
  revelation_id: uuid,
  author_id: uuid,
  blinding: hexHash,
  leaves: z.array(proofLeafSchema).check(z.minLength(1), z.maxLength(MAX_LEAVES)),
  /** While the last version is of format 1. */
  opening: z.nullable(z.omit(openingSchema, { author_id: true })),
  consistency: z.optional(consistencySchema),
})
export type ProofV2 = z.infer<typeof proofV2Schema>

export const anyProofSchema = z.discriminatedUnion('format', [proofSchema, proofV2Schema])
export type AnyProof = z.infer<typeof anyProofSchema>
