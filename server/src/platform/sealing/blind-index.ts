import { createHmac, createSecretKey } from 'node:crypto'

const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss' }

/** Lower case, without accents and ligatures: the form in which searches compare words (`search_form` in PostgreSQL). */
export function searchForm(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[œæß]/g, (letter) => LIGATURES[letter] ?? letter)
}

/** The cache is cleared beyond this number of pieces: French letters contain some ten thousand. */
const CACHED_PIECES_MAX = 50_000

/**
 * Hashes texts for searching under a secret. `gramsOf` returns the keyed hashes (32 bits) of every three-letter piece of a
 * text, each once, and none below three letters. A text that contains a phrase has all hashes of the phrase; the reverse
 * must be checked on the text.
 */
export function createBlindIndex(secret: Buffer): { gramsOf(text: string): number[] } {
  const key = createSecretKey(secret)
  const cache = new Map<string, number>()

  function hashOf(piece: string): number {
    const known = cache.get(piece)
    if (known !== undefined) return known
    const hash = createHmac('sha256', key).update(piece).digest().readInt32BE()
    if (cache.size >= CACHED_PIECES_MAX) cache.clear()
    cache.set(piece, hash)
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
