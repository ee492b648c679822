import type { Sound, SoundCategory } from '#contract/sounds.ts'

export const CATEGORY_LABELS: Record<SoundCategory, string> = {
  message: 'Message',
  music: 'Musique',
  memory: 'Souvenir',
  story: 'Histoire',
}

/** For whom a sound is, in the eyes of whoever reads. */
export function audienceWords(sound: Sound, viewerId: string): string {
  if (!sound.recipient_id) return 'Tout le cercle'
  if (sound.recipient_id === viewerId) return 'Pour vous'
  return `Pour @${sound.recipient_pseudo ?? 'quelqu’un'}`
}
