import type { Emoji } from '#contract/reactions.ts'

/** What each emoji says, for those who do not see it and those who wonder. */
export const EMOJI_NAMES: Record<Emoji, string> = {
  '❤️': 'J’adore',
  '😍': 'Sous le charme',
  '😲': 'Quelle surprise',
  '🎉': 'Bravo',
  '🔥': 'Ça enflamme',
  '😮': 'Sans voix',
  '👍': 'D’accord',
  '👎': 'Pas d’accord',
}

export const HEART: Emoji = '❤️'

/** « @ana, @paul, @zoé et 4 autre(s) »: the first names of a summary, then how many more. */
export function reactorsInWords(pseudos: readonly string[], count: number): string {
  const names = pseudos.map((pseudo) => `@${pseudo}`).join(', ')
  const others = count - pseudos.length
  if (others <= 0) return names
  return names ? `${names} et ${others} autre(s)` : `${others} personne(s)`
}
