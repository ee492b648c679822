import { useEffect, useRef, useState } from 'react'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { useRenewUrl } from '#web/features/revelations/revelations.queries.ts'
import { playOpeningSound, storedSound } from './opening-sound.ts'

export interface OpeningSoundControls {
  /** Where the voice speaks now: over the opening, or from the letter. */
  speaksIn: 'opening' | 'letter' | undefined
  /** By the gesture that breaks the seal: the crack and the voice, where the reader wants sound. */
  playOpening: () => void
  /** The voice alone. */
  playVoice: () => void
  stop: () => void
}

/** The sound of a revelation's opening: one at a time, silent once the page is left. */
export function useOpeningSound(revelation: Revelation): OpeningSoundControls {
  const renew = useRenewUrl(revelation.id)(voiceUrlOf)
  const url = voiceUrlOf(revelation)
  const [speaksIn, setSpeaksIn] = useState<OpeningSoundControls['speaksIn']>()
  const stopPlaying = useRef(() => {})
  const stop = () => stopPlaying.current()
  useEffect(() => () => stopPlaying.current(), [])

  const play = (place: 'opening' | 'letter') => {
    stop()
    stopPlaying.current = playOpeningSound({
      hasCrack: place === 'opening',
      loadVoice: url === null ? undefined : () => fetchVoice(url, renew),
      onSpeakingChange: (isSpeaking) => setSpeaksIn(isSpeaking ? place : undefined),
    })
  }
  return {
    speaksIn,
    playOpening: () => storedSound.read() && play('opening'),
    playVoice: () => play('letter'),
    stop,
  }
}

function voiceUrlOf(revelation: Revelation): string | null {
  return isOpen(revelation) ? revelation.seal_voice_url : null
}

/** A ticket lives ten minutes, and a page longer: a refused address is asked for once more. */
async function fetchVoice(url: string, renew: () => Promise<string | null>): Promise<ArrayBuffer> {
  const first = await fetch(url)
  if (first.ok) return first.arrayBuffer()
  const fresh = await renew()
  const second = fresh === null ? first : await fetch(fresh)
  if (!second.ok) throw new Error(`The voice of the seal answers ${second.status}`)
  return second.arrayBuffer()
}
