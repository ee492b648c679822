import { createHmac } from 'node:crypto'

/** Lower case, without accents: the form in which words are compared. */
export function searchForm(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/**
 * Keyed hashes (32 bits) of every three-letter piece of a text. A text that holds a phrase of three letters or
 * more has all the phrase's hashes; the reverse must be checked on the text. Empty below three letters.
 */
export function gramsOf(secret: Buffer, text: string): number[] {
  const characters = [...searchForm(text)]
  const pieces = new Set<string>()
  for (let start = 0; start + 3 <= characters.length; start += 1) {
    pieces.add(characters.slice(start, start + 3).join(''))
  }
  return [...pieces]
    .map((piece) => createHmac('sha256', secret).update(piece).digest().readInt32BE())
    .sort((one, other) => one - other)
}
