import { createHmac } from 'node:crypto'

/** Lower case, without accents: the form in which words are compared. */
export function searchForm(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Beyond this many pieces the memory starts anew: French letters hold some ten thousand. */
const REMEMBERED_PIECES = 50_000

/**
 * Hashes texts for searching under a secret. `gramsOf` gives the keyed hashes (32 bits) of every three-letter
 * piece of a text, each once. A text that holds a phrase of three letters or more has all the phrase's hashes;
 * the reverse must be checked on the text. Empty below three letters.
 */
export function createBlindIndex(secret: Buffer): { gramsOf(text: string): number[] } {
  const remembered = new Map<string, number>()

  function hashOf(piece: string): number {
    const known = remembered.get(piece)
    if (known !== undefined) return known
    const hash = createHmac('sha256', secret).update(piece).digest().readInt32BE()
    if (remembered.size >= REMEMBERED_PIECES) remembered.clear()
    remembered.set(piece, hash)
    return hash
  }

  return {
    gramsOf(text) {
      const characters = [...searchForm(text)]
      const hashes = new Set<number>()
      for (let start = 0; start + 3 <= characters.length; start += 1) {
        hashes.add(hashOf(characters.slice(start, start + 3).join('')))
      }
      return [...hashes].sort((one, other) => one - other)
    },
  }
}
