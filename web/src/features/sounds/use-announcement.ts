import { useState } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { useDueReveals } from './use-due-reveals.ts'
import type { SoundPlayer } from './use-sound-player.ts'

/** What a screen reader is told: once when a sound starts, stops or opens, and never how far it is. */
export function useAnnouncement(player: SoundPlayer, sounds: readonly Sound[]): string {
  const { current, isPlaying, hasPlayed } = player
  const state = hasPlayed && current ? stateOf(current, isPlaying) : ''
  const [said, say] = useState({ state: '', text: '' })
  if (said.state !== state) say({ state, text: state })
  useDueReveals(sounds, (opened) => {
    const titles = opened.map(({ title, author_pseudo }) => `${title}, de @${author_pseudo}`)
    say((now) => ({ ...now, text: `Vient de s’ouvrir\u00A0: ${titles.join('\u00A0; ')}` }))
  })
  return said.text
}

function stateOf({ title, author_pseudo }: Sound, isPlaying: boolean): string {
  return `${isPlaying ? 'Lecture' : 'En pause'}\u00A0: ${title}, de @${author_pseudo}`
}
