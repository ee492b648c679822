import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useIsPast } from '#web/lib/clock.ts'
import { usePollUntil } from '#web/lib/hooks.ts'
import type { VoicePlayer } from './use-voice-player.ts'
import type { VoiceMessage } from './voice-message.ts'
import { refetchPageOf } from './voice-messages.queries.ts'

/** The text for a screen reader when a voice message starts, stops or is revealed; never its position. */
export function useAnnouncement(
  player: VoicePlayer,
  voiceMessages: readonly VoiceMessage[],
): string {
  const { current, isPlaying, hasPlayed } = player
  const state = hasPlayed && current ? stateOf(current, isPlaying) : ''
  const [announced, announce] = useState({ state: '', text: '' })
  if (announced.state !== state) announce({ state, text: state })
  useDueReveals(voiceMessages, (revealed) => {
    const titles = revealed.map(({ title, author_pseudo }) => `${title}, de @${author_pseudo}`)
    announce((now) => ({ ...now, text: `Vient de s’ouvrir\u202F: ${titles.join('\u202F; ')}` }))
  })
  return announced.text
}

function stateOf({ title, author_pseudo }: VoiceMessage, isPlaying: boolean): string {
  return `${isPlaying ? 'Lecture' : 'En pause'}\u202F: ${title}, de @${author_pseudo}`
}

const NEVER = '9999-12-31T00:00:00.000Z'

/** Refetches each locked voice message at its instant, and reports those that are revealed. */
function useDueReveals(
  voiceMessages: readonly VoiceMessage[],
  onRevealed: (revealed: VoiceMessage[]) => void,
): void {
  const client = useQueryClient()
  const next = useMemo(() => nextToReveal(voiceMessages), [voiceMessages])
  const isDue = useIsPast(next?.reveal_date ?? NEVER)
  usePollUntil(isDue, async () => {
    if (next) await refetchPageOf(client, next.id)
  })
  const locked = useRef(new Set<string>())
  const report = useEffectEvent(onRevealed)
  useEffect(() => {
    const revealed = voiceMessages.filter(({ id, is_revealed }) => {
      if (!is_revealed) locked.current.add(id)
      return is_revealed && locked.current.delete(id)
    })
    if (revealed.length > 0) report(revealed)
  }, [voiceMessages])
}

function nextToReveal(voiceMessages: readonly VoiceMessage[]): VoiceMessage | undefined {
  let next: VoiceMessage | undefined
  for (const voiceMessage of voiceMessages) {
    if (voiceMessage.is_revealed || !voiceMessage.reveal_date) continue
    if (!next?.reveal_date || voiceMessage.reveal_date < next.reveal_date) next = voiceMessage
  }
  return next
}
