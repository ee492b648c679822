import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { playAlone, usePlayer } from '#web/features/media/use-player.ts'
import { usePlayerSettings } from './player-settings.ts'
import { isPlayable, type VoiceMessage } from './voice-message.ts'
import { refetchVoiceMessage, useCountPlay } from './voice-messages.queries.ts'

/** After this long, « previous » returns to the start of the same voice message. */
const RESTART_SECONDS = 3

interface Playlist {
  /** All that are loaded. */
  voiceMessages: readonly VoiceMessage[]
  /** Those that pass the filter: the next one to play is one of them. */
  shown: readonly VoiceMessage[]
}

export type VoicePlayer = ReturnType<typeof useVoicePlayer>

/** One audio element for the whole playlist: a phone lets only the same element play on without a tap. */
export function useVoicePlayer({ voiceMessages, shown }: Playlist) {
  const [chosenId, choose] = useState<string>()
  const [shuffle, setShuffle] = useState<Shuffle>()
  const order = useMemo(() => playOrder(shown, shuffle), [shown, shuffle])
  const chosen = chosenId
    ? voiceMessages.find((voiceMessage) => voiceMessage.id === chosenId)
    : undefined
  const current = chosen && isPlayable(chosen) ? chosen : order[0]
  const audio = useAudio(current)
  const { media, wantedId, start, pause, countAgain, ...rest } = audio

  const play = (id: string) => {
    wantedId.current = id
    choose(id)
    if (id === current?.id) start()
  }
  const seek = (seconds: number) => {
    if (!media.current || !current) return
    choose(current.id)
    media.current.currentTime = Math.min(Math.max(0, seconds), audio.length)
  }
  const playNext = () => {
    const target = voiceMessageAfter(order, current?.id)
    if (target) play(target.id)
    else pause()
  }
  return {
    ...rest,
    media,
    pause,
    audioProps: {
      ...audio.audioProps,
      onEnded: () => {
        countAgain()
        playNext()
      },
    },
    current,
    play,
    seek,
    seekBy: (seconds: number) => seek((media.current?.currentTime ?? 0) + seconds),
    toggle: () => {
      if (audio.isPlaying) pause()
      else if (current) play(current.id)
    },
    next: () => {
      const target = voiceMessageAfter(order, current?.id) ?? order[0]
      if (target?.id === current?.id) seek(0)
      if (target) play(target.id)
    },
    previous: () => {
      const isFarIn = (media.current?.currentTime ?? 0) > RESTART_SECONDS
      const target = isFarIn ? current : (voiceMessageBefore(order, current?.id) ?? current)
      if (target?.id === current?.id) seek(0)
      if (target) play(target.id)
    },
    /** Selects the next one; must be called while the list still has the deleted voice message. */
    onDeleted: (id: string) => {
      if (id !== current?.id) return
      pause()
      choose(
        (voiceMessageAfter(order, id) ?? order.find((voiceMessage) => voiceMessage.id !== id))?.id,
      )
    },
    isShuffled: shuffle !== undefined,
    toggleShuffle: () =>
      setShuffle(
        shuffle ? undefined : { seed: Math.floor(Math.random() * 2 ** 32), firstId: current?.id },
      ),
  }
}

function useAudio(current: VoiceMessage | undefined) {
  const client = useQueryClient()
  const { url, pick } = useVariant(current)
  const renew = async () => {
    return current ? pick(await refetchVoiceMessage(client, current.id)) : null
  }
  const { media, source, state, handlers, retry } = usePlayer<HTMLAudioElement>(url, renew)
  const settings = usePlayerSettings(media)
  const [isPlaying, setPlaying] = useState(false)
  const [hasPlayed, setPlayed] = useState(false)
  const [known, setKnown] = useState<{ id: string | undefined; seconds: number }>()
  // The voice message that should play: it starts once its address is known, and again under a new address.
  const wantedId = useRef<string>(undefined)

  const start = () => {
    setPlaying(true)
    media.current?.play().catch((error: Error) => {
      // A replaced address ends the former attempt; only a refusal of the browser stops the player.
      if (error.name === 'NotAllowedError') pause()
    })
  }
  const pause = () => {
    wantedId.current = undefined
    media.current?.pause()
    setPlaying(false)
  }
  const isWanted = () => current !== undefined && wantedId.current === current.id
  const count = useCountOnce(current?.id)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address, and nothing else, is what starts
  useLayoutEffect(() => {
    if (isWanted()) start()
    else setPlaying(false)
  }, [source])

  return {
    media,
    state,
    isPlaying: isPlaying && state !== 'failed',
    hasPlayed,
    length: current?.duration ?? (known?.id === current?.id ? known?.seconds : undefined) ?? 0,
    retry: () => {
      wantedId.current = current?.id
      return retry()
    },
    wantedId,
    start,
    pause,
    ...settings,
    /** For the audio element; the playlist adds `onEnded`. */
    audioProps: {
      ...handlers,
      ref: media,
      ...(source && { src: source }),
      // Nothing is fetched before the first play; from then on `retry` fetches again.
      preload: hasPlayed ? ('auto' as const) : ('none' as const),
      onPlay: ({ currentTarget }: { currentTarget: HTMLAudioElement }) => {
        playAlone(currentTarget)
        setPlaying(true)
        setPlayed(true)
      },
      onPause: ({ currentTarget }: { currentTarget: HTMLAudioElement }) => {
        if (currentTarget.ended || !currentTarget.paused) return
        wantedId.current = undefined
        setPlaying(false)
      },
      onCanPlay: () => {
        handlers.onCanPlay()
        if (isWanted() && media.current?.paused) start()
      },
      onPlaying: () => {
        handlers.onPlaying()
        count.begin()
      },
      onDurationChange: ({ currentTarget: { duration } }: { currentTarget: HTMLAudioElement }) => {
        if (Number.isFinite(duration)) setKnown({ id: current?.id, seconds: duration })
      },
    },
    countAgain: count.again,
  }
}

/** The AAC variant, else the file as it was sent; a variant that becomes ready meanwhile does not interrupt the file. */
function useVariant(current: VoiceMessage | undefined) {
  const [picked, setPicked] = useState<{ id: string; isMobile: boolean }>()
  if (current && picked?.id !== current.id) {
    setPicked({ id: current.id, isMobile: Boolean(current.file_mobile_url) })
  }
  const isMobile = picked?.isMobile ?? false
  const addressOf = (voiceMessage: VoiceMessage | undefined, mobile: boolean) =>
    (mobile ? voiceMessage?.file_mobile_url : undefined) ?? voiceMessage?.file_url ?? ''
  return {
    url: addressOf(current, isMobile),
    pick: (fresh: VoiceMessage): string => {
      const mobile = Boolean(fresh.file_mobile_url)
      setPicked({ id: fresh.id, isMobile: mobile })
      return addressOf(fresh, mobile)
    },
  }
}

/** A voice message counts once each time it is played from its start. */
function useCountOnce(id: string | undefined) {
  const countPlay = useCountPlay()
  const countedId = useRef<string>(undefined)
  useEffect(() => {
    if (countedId.current !== id) countedId.current = undefined
  }, [id])
  return {
    begin: () => {
      if (!id || countedId.current === id) return
      countedId.current = id
      countPlay(id)
    },
    again: () => {
      countedId.current = undefined
    },
  }
}

/** `seed` decides the order; it begins with what played when the shuffle started. */
interface Shuffle {
  seed: number
  firstId: string | undefined
}

/** The playable ones in their order. A shuffled order is stable when voice messages come and go: each id has its own rank. */
function playOrder(voiceMessages: readonly VoiceMessage[], shuffle?: Shuffle): VoiceMessage[] {
  const playable = voiceMessages.filter(isPlayable)
  if (!shuffle) return playable
  const ranks = new Map(playable.map(({ id }) => [id, shuffledRank(id, shuffle.seed)]))
  const shuffled = playable.toSorted((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0))
  const first = Math.max(
    0,
    shuffled.findIndex(({ id }) => id === shuffle.firstId),
  )
  return [...shuffled.slice(first), ...shuffled.slice(0, first)]
}

/** Undefined at the end; the first one for an id that is not in the order. */
function voiceMessageAfter(
  order: readonly VoiceMessage[],
  id: string | undefined,
): VoiceMessage | undefined {
  return order[order.findIndex((voiceMessage) => voiceMessage.id === id) + 1]
}

function voiceMessageBefore(
  order: readonly VoiceMessage[],
  id: string | undefined,
): VoiceMessage | undefined {
  return order[order.findIndex((voiceMessage) => voiceMessage.id === id) - 1]
}

/** A hash (FNV-1a with a final mix) between 0 and 2³². */
function shuffledRank(id: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
