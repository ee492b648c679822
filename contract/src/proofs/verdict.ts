import type { Checkpoint } from './checkpoint.ts'
import type { FieldValue } from './fields.ts'
import type { KnownLog } from './known-log.ts'
import type { AnyProof } from './proof.ts'

/** `later`: nothing is wrong, but it cannot be checked yet, or not with what is at hand. */
export type StepState = 'passed' | 'failed' | 'later'

export type StepName =
  | 'format'
  | 'key'
  | 'checkpoint'
  | 'inclusion'
  | 'versions'
  | 'letter'
  | 'file'
  | 'dates'
  | 'page'
  | 'audience'
  | 'continuity'

/** Why a step came to its state: one for each sentence of `verdict-in-words.ts`. */
export type Because =
  | 'readable'
  | 'unreadable'
  | 'known key'
  | 'former key'
  | 'former key, not linked'
  | 'former key used later'
  | 'unknown key'
  | 'unknown key of the same origin'
  | 'no key carried'
  | 'no log'
  | 'signed with a date'
  | 'signed without a date'
  | 'signed by its own key'
  | 'not signed'
  | 'of another age'
  | 'nothing signed yet'
  | 'included'
  | 'last included'
  | 'included in its own log'
  | 'not included'
  | 'pending'
  | 'in order'
  | 'not in order'
  | 'earlier ones asserted'
  | 'opened'
  | 'different'
  | 'still sealed'
  | 'still sealed, envelope opened'
  | 'partly closed'
  | 'not in the log yet'
  | 'same file'
  | 'same files'
  | 'named files'
  | 'another file'
  | 'file not given'
  | 'files not given'
  | 'copy shown'
  | 'copies shown'
  | 'copies among files'
  | 'dates not contradicted'
  | 'dates unsigned'
  | 'dates of its own'
  | 'dated too early'
  | 'dated too late'
  | 'clock behind'
  | 'shown as proved'
  | 'shown otherwise'
  | 'audience as logged'
  | 'audience not logged'
  | 'only grown'
  | 'rewritten'
  | 'shrunk'
  | 'emptied'
  | 'key changed'
  | 'contradicted before'
  | 'another log before'
  | 'not answered'
  | 'not answered for long'

export interface Step {
  name: StepName
  state: StepState
  because: Because
  /** What the sentence names: instants in ISO 8601, numbers in digits. */
  detail?: Readonly<Record<string, string>>
}

/** A checkpoint kept from before, or the one a downloaded verifier carries. */
export interface HeldCheckpoint {
  key: string
  note: string
  source: 'met' | 'mailed' | 'carried'
  since: string
  /** What the log answered, in base64; undefined when it did not. */
  consistency?: readonly string[] | undefined
  /** How often it did not, and since when. */
  tries?: number | undefined
  silentSince?: string | undefined
  /** Whether the memory of this browser proved it of one log with the checkpoint of this proof. */
  isLinked?: boolean | undefined
}

/** What a verifier has besides the proof. */
export interface Context {
  /** Undefined where no log is known: then nothing is proved. */
  known: KnownLog | undefined
  now: Date
  /** SHA-256 of each file that was given. */
  files?: readonly Uint8Array[] | undefined
  /** How many files are shown by a copy that nothing was sealed of: they are not compared. */
  copies?: number | undefined
  /** Whether the files can only belong to this proof. */
  isOnlyProof?: boolean | undefined
  held?: readonly HeldCheckpoint[] | undefined
  /** When this browser saw the log contradict itself. */
  contradictedAt?: string | undefined
  /** What it saw of that at this very visit. */
  contradiction?: Pick<Step, 'because' | 'detail'> | undefined
  /** The name of another log that this browser was shown in the place of this one. */
  logBefore?: string | undefined
  /** What the page beside it says of the audience. */
  shown?: { audience: string; publicSince: string | null } | undefined
  /** What else that page shows. */
  page?: ShownPage | undefined
}

/** What a page says beside its proof; undefined where it shows nothing of the kind. */
export interface ShownPage {
  id: string
  authorId: string
  version: number
  /** Of the first version. */
  sealedAt: string
  title: string
  kind?: string | undefined
  revealAt: string
  content?: string | undefined
  /** In their order, each with its caption, and the hash in hexadecimal of those that were read. */
  files?: readonly { label: string; sha256?: string | undefined }[] | undefined
}

export interface SealedVersion {
  version: number
  kind: 'create' | 'edit' | 'change'
  sealedAt: string
  index: number | null
}

/** What a proof says. Nothing else may be shown as verified. */
export interface Facts {
  origin: string
  checkpoint: { size: number; signedAt: string | null }
  id?: string
  authorId?: string
  /** Of the leaf that holds the last version. */
  format: 1 | 2
  version: number
  sealedAt: string
  index: number | null
  /** Sealed at or after its own instant. */
  isImmediate: boolean
  title?: string
  content?: string
  revealAt?: string
  files?: readonly { sha256: string; label: string }[]
  /** Named fields that this verifier has no words for. */
  others: readonly ({ name: string } & FieldValue)[]
  /** Who could see it, from when on; empty in format 1. */
  audiences: readonly { value: string; since: string }[]
  publicSince: string | null
  isPublicFromSealing: boolean
  /** What it was sealed as, from when on; empty where no leaf says it, as none did before kinds. */
  kinds: readonly { value: string; since: string }[]
  /** Whether the first leaf says it. */
  isKindKnownFromStart: boolean
  /** Whether the first leaf is of format 1, which says nothing of the audience. */
  isAudienceKnownFromStart: boolean
  versions: readonly SealedVersion[]
  /** The date of the oldest kept checkpoint that held this version already, as the log wrote it. */
  heldSince?: string
  /** Since when whoever verifies has it, by their own clock; undefined where the verifier came with it. */
  heldHereSince?: string
}

export interface Verdict {
  /** `proved` is the only one that is shown in green. */
  state: 'proved' | 'partly' | 'unproved' | 'failed'
  steps: readonly Step[]
  proof: AnyProof | undefined
  checkpoint: Checkpoint | undefined
  /** Of a verdict `proved` or `partly`. */
  facts?: Facts
  /** What is said and not proved: everything in `unproved` and `failed`, the earlier versions of format 1 in `partly`. */
  claims?: Facts
}
