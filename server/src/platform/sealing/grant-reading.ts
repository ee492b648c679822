/** One version of a letter: an edit seals another, with another commitment. */
export interface LetterVersion {
  id: string
  commitment: Buffer
}

/** One of the words that an author adds to the mails of a letter. */
export interface NamedNote {
  revelationId: string
  kind: string
}

/**
 * What a right may cover: letters, each in one version; files; files as they were sent, with all that a camera wrote into
 * them; descriptions of voice messages; replies; notes of mails.
 */
export interface Readable {
  letters?: readonly LetterVersion[]
  fileIds?: readonly string[]
  originalIds?: readonly string[]
  voiceIds?: readonly string[]
  replyIds?: readonly string[]
  notes?: readonly NamedNote[]
}

const EVERYTHING = 'everything'

/** Only this module has it: whoever reaches the class by `right.constructor` cannot create a right. */
const GRANT = Symbol('grant')

/**
 * Proof that a rule said yes to what it names, and to nothing else. Nobody else can create one, widen one or change the
 * class: a copy, an heir or an object of the same shape is for nothing.
 */
export class ReadingRight {
  readonly #names: ReadonlySet<string>

  static {
    Object.freeze(ReadingRight)
    Object.freeze(ReadingRight.prototype)
  }

  constructor(grant: symbol, names: Iterable<string>) {
    if (grant !== GRANT)
      throw new Error('A right to read is granted for a reason, never constructed')
    this.#names = new Set(names)
    Object.freeze(this)
  }

  /** Whether `right` was granted by this module, and for this name. */
  static isFor(right: unknown, name: string): boolean {
    if (typeof right !== 'object' || right === null || !(#names in right)) return false
    return right.#names.has(name) || right.#names.has(EVERYTHING)
  }

  /** One right for what any of these rights is for; throws for anything else than rights. */
  static merge(rights: Iterable<ReadingRight>): ReadingRight {
    const names = new Set<string>()
    for (const right of rights) for (const name of right.#names) names.add(name)
    return new ReadingRight(GRANT, names)
  }
}

export function nameOfLetter({ id, commitment }: LetterVersion): string {
  return `letter:${id}/${commitment.toString('hex')}`
}

export function nameOfFile(fileId: string): string {
  return `file:${fileId}`
}

export function nameOfOriginal(fileId: string): string {
  return `original:${fileId}`
}

export function nameOfVoice(voiceId: string): string {
  return `voice:${voiceId}`
}

export function nameOfReply(replyId: string): string {
  return `reply:${replyId}`
}

export function nameOfNote({ revelationId, kind }: NamedNote): string {
  return `note:${kind}:${revelationId}`
}

/** For the named reasons of `features/access` alone (docs/decisions/0046-the-gate-and-hooks.md). */
export function grantReading({
  letters = [],
  fileIds = [],
  originalIds = [],
  voiceIds = [],
  replyIds = [],
  notes = [],
}: Readable): ReadingRight {
  return new ReadingRight(GRANT, [
    ...letters.map(nameOfLetter),
    ...fileIds.map(nameOfFile),
    ...originalIds.map(nameOfOriginal),
    ...voiceIds.map(nameOfVoice),
    ...replyIds.map(nameOfReply),
    ...notes.map(nameOfNote),
  ])
}

/** For the check of a whole installation by its operator alone. */
export function grantReadingOfEverything(): ReadingRight {
  return new ReadingRight(GRANT, [EVERYTHING])
}
