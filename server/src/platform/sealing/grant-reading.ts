/** One version of a letter: an edit seals another, with another commitment. */
export interface LetterVersion {
  id: string
  commitment: Buffer
}

/** What a right may cover: the text of letters, each in one version; files; descriptions of voice messages. */
export interface Readable {
  letters?: readonly LetterVersion[]
  fileIds?: readonly string[]
  voiceIds?: readonly string[]
}

const EVERYTHING = 'everything'

/**
 * Proof that a rule said yes to what it names, and to nothing else. Only its type leaves the folder of the rules: who holds
 * one can neither widen it nor create another.
 */
export class ReadingRight {
  readonly #names: ReadonlySet<string>

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
    Object.freeze(this)
  }

  covers(name: string): boolean {
    return this.#names.has(name) || this.#names.has(EVERYTHING)
  }

  /** What any of these rights covers. */
  static merge(rights: readonly ReadingRight[]): ReadingRight {
    return new ReadingRight(rights.flatMap((right) => [...right.#names]))
  }
}

export function nameOfLetter({ id, commitment }: LetterVersion): string {
  return `letter:${id}/${commitment.toString('hex')}`
}

export function nameOfFile(fileId: string): string {
  return `file:${fileId}`
}

export function nameOfVoice(voiceId: string): string {
  return `voice:${voiceId}`
}

/** For the named reasons of `features/access` alone (docs/decisions/0046-the-gate-and-hooks.md). */
export function grantReading({
  letters = [],
  fileIds = [],
  voiceIds = [],
}: Readable): ReadingRight {
  return new ReadingRight([
    ...letters.map(nameOfLetter),
    ...fileIds.map(nameOfFile),
    ...voiceIds.map(nameOfVoice),
  ])
}

/** For the check of a whole installation by its operator alone. */
export function grantReadingOfEverything(): ReadingRight {
  return new ReadingRight([EVERYTHING])
}
