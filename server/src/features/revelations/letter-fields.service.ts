import type { Kind } from '#contract/kinds.ts'
import type { FieldValue } from '#contract/proofs/fields.ts'
import type { ProofField } from '#contract/proofs/proof.ts'
import type { Visibility } from '#contract/revelations.ts'
import { closeField, openField } from '#server/features/proofs/fields.rules.ts'
import { type CommittedFacts, createSalt } from '#server/platform/sealing/commitment.ts'

/** What the seal names of a file: the SHA-256 of its plain bytes, and the words that go with it. */
export interface SealedFile {
  sha256: Buffer
  caption: string | null
}

/** What a leaf of a letter commits to (docs/proof.md): who may see it and what it is sealed as, besides what it says. */
export type LetterDraft = Omit<CommittedFacts, 'fileSha256'> & {
  visibility: Visibility
  kind: Kind
  /** In their author’s order. */
  files: readonly SealedFile[]
}

/** What opens the two fields that only readers see. */
export interface SealedSalts {
  content: Buffer
  files: Buffer
}

/** Those that only readers see. */
const SEALED = ['content', 'files']

type SealedFacts = Pick<LetterDraft, 'content' | 'files'>

/** The fields of a new version as they are disclosed to a viewer of the envelope, and the salts that are sealed with the letter. */
export function commitFields(draft: LetterDraft): {
  open: ProofField[]
  disclosed: ProofField[]
  salts: SealedSalts
} {
  const salts = { content: createSalt(), files: createSalt() }
  const revealAt = draft.revealAt.toISOString()
  const open = [
    audienceField(draft.visibility),
    openField('content', contentOf(draft), salts.content),
    openField('files', filesOf(draft), salts.files),
    kindField(draft.kind),
    openField('reveal_at', { type: 'instant', value: revealAt }, createSalt()),
    openField('title', { type: 'text', value: draft.title }, createSalt()),
  ]
  const disclosed = open.map((field) => (SEALED.includes(field.name) ? closeField(field) : field))
  return { open, disclosed, salts }
}

/** Who may see it from now on. */
export function audienceField(visibility: Visibility): ProofField {
  return openField('audience', { type: 'text', value: visibility }, createSalt())
}

/** What it is sealed as from now on. */
export function kindField(kind: Kind): ProofField {
  return openField('kind', { type: 'text', value: kind }, createSalt())
}

/** The fields that are disclosed to a viewer of the envelope, with those open that only readers see. */
export function openForReaders(
  disclosed: readonly ProofField[],
  { salts, ...sealed }: SealedFacts & { salts: SealedSalts },
): ProofField[] {
  return disclosed.map((field) => {
    if (field.name === 'content') return openField('content', contentOf(sealed), salts.content)
    if (field.name === 'files') return openField('files', filesOf(sealed), salts.files)
    return field
  })
}

/** Whether the envelope has what was committed to. */
export function matchesEnvelope(
  disclosed: readonly ProofField[],
  { title, revealAt }: Pick<CommittedFacts, 'title' | 'revealAt'>,
): boolean {
  return disclosed.every((field) => {
    if (!('value' in field)) return true
    if (field.name === 'title') return field.value === title.normalize('NFC')
    return field.name !== 'reveal_at' || field.value === revealAt.toISOString()
  })
}

function contentOf({ content }: SealedFacts): FieldValue {
  return { type: 'text', value: content }
}

function filesOf({ files }: SealedFacts): FieldValue {
  if (files.length === 0) return { type: 'none' }
  return {
    type: 'files',
    value: files.map(({ sha256, caption }) => ({
      sha256: sha256.toString('hex'),
      label: caption ?? '',
    })),
  }
}
