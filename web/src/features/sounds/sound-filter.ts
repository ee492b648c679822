import type { Sound } from '#contract/sounds.ts'

export interface SoundFilter {
  /** Words of a title or of a pseudo. */
  q: string
  kind: 'all' | 'favorites' | 'upcoming' | 'mine' | `from:${string}`
}

export const NO_FILTER: SoundFilter = { q: '', kind: 'all' }

export function isFiltered({ q, kind }: SoundFilter): boolean {
  return q !== '' || kind !== 'all'
}

export function filterSounds(
  sounds: readonly Sound[],
  { q, kind }: SoundFilter,
  viewerId: string,
): readonly Sound[] {
  if (!isFiltered({ q, kind })) return sounds
  const words = plain(q).split(/\s+/).filter(Boolean)
  return sounds.filter((sound) => {
    const text = plain(`${sound.title} @${sound.author_pseudo}`)
    return isOfKind(sound, kind, viewerId) && words.every((word) => text.includes(word))
  })
}

function isOfKind(sound: Sound, kind: SoundFilter['kind'], viewerId: string): boolean {
  if (kind === 'favorites') return sound.is_favorite
  if (kind === 'upcoming') return !sound.is_revealed
  if (kind === 'mine') return sound.recipient_id === viewerId
  return kind === 'all' || sound.author_id === kind.slice('from:'.length)
}

/** « Évènement » is found by « evenement ». */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
}
