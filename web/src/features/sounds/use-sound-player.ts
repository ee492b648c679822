import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { playAlone } from '#web/features/media/play-alone.ts'
import { usePlayer } from '#web/features/media/use-player.ts'
import { isPlayable, playOrder, type Shuffle, soundAfter, soundBefore } from './play-order.ts'
import { renewSound, useCountPlay } from './sounds.queries.ts'
import { usePlayerSettings } from './use-player-settings.ts'

/** Further in than this, « previous » goes back to the start of the same sound. */
const RESTART_SECONDS = 3

interface Playlist {
  /** All that is known. */
  sounds: readonly Sound[]
  /** What is seen: what plays next is among it. */
  shown: readonly Sound[]
}

export type SoundPlayer = ReturnType<typeof useSoundPlayer>

/** One audio element for the whole playlist: a phone lets the same one go on from sound to sound. */
export function useSoundPlayer({ sounds, shown }: Playlist) {
  const [chosenId, choose] = useState<string>()
  const [shuffle, setShuffle] = useState<Shuffle>()
  const order = useMemo(() => playOrder(shown, shuffle), [shown, shuffle])
  const chosen = chosenId ? sounds.find((sound) => sound.id === chosenId) : undefined
  const current = chosen && isPlayable(chosen) ? chosen : order[0]
  const audio = useAudio(current)
  const { media, wantedId, start, pause, countAgain, ...listening } = audio

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
  /** After the last one it is quiet. */
  const goOn = () => {
    const target = soundAfter(order, current?.id)
    if (target) play(target.id)
    else pause()
  }
  return {
    ...listening,
    media,
    pause,
    audioProps: {
      ...audio.audioProps,
      onEnded: () => {
        countAgain()
        goOn()
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
      const target = soundAfter(order, current?.id) ?? order[0]
      if (target?.id === current?.id) seek(0)
      if (target) play(target.id)
    },
    previous: () => {
      const isFarIn = (media.current?.currentTime ?? 0) > RESTART_SECONDS
      const target = isFarIn ? current : (soundBefore(order, current?.id) ?? current)
      if (target?.id === current?.id) seek(0)
      if (target) play(target.id)
    },
    /** To be called while the deleted sound is still known: what comes after it waits to be played. */
    onDeleted: (id: string) => {
      if (id !== current?.id) return
      pause()
      choose((soundAfter(order, id) ?? order.find((sound) => sound.id !== id))?.id)
    },
    isShuffled: shuffle !== undefined,
    toggleShuffle: () =>
      setShuffle(
        shuffle ? undefined : { seed: Math.floor(Math.random() * 2 ** 32), firstId: current?.id },
      ),
  }
}

function useAudio(current: Sound | undefined) {
  const client = useQueryClient()
  const { url, pick } = useVariant(current)
  const renew = async () => {
    return current ? pick(await renewSound(client, current.id)) : null
  }
  const { media, source, state, handlers, retry } = usePlayer<HTMLAudioElement>(url, renew)
  const settings = usePlayerSettings(media)
  const [isPlaying, setPlaying] = useState(false)
  const [hasPlayed, setPlayed] = useState(false)
  const [known, setKnown] = useState<{ id: string | undefined; seconds: number }>()
  // Which sound is meant to be heard: it starts as soon as its address is there, and again under a new one.
  const wantedId = useRef<string>(undefined)

  const start = () => {
    setPlaying(true)
    media.current?.play().catch((error: Error) => {
      // An address that is replaced ends the former attempt; only a refusal of the browser is the end of it.
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
    /** Of the audio element; its end is the playlist’s business. */
    audioProps: {
      ...handlers,
      ref: media,
      ...(source && { src: source }),
      // Nothing is fetched before somebody listens; from then on `retry` fetches again.
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

/** The AAC variant, else the file as it was sent; one that is made while the other plays does not interrupt it. */
function useVariant(current: Sound | undefined) {
  const [picked, setPicked] = useState<{ id: string; isMobile: boolean }>()
  if (current && picked?.id !== current.id) {
    setPicked({ id: current.id, isMobile: Boolean(current.file_mobile_url) })
  }
  const isMobile = picked?.isMobile ?? false
  const addressOf = (sound: Sound | undefined, mobile: boolean) =>
    (mobile ? sound?.file_mobile_url : undefined) ?? sound?.file_url ?? ''
  return {
    url: addressOf(current, isMobile),
    pick: (fresh: Sound): string => {
      const mobile = Boolean(fresh.file_mobile_url)
      setPicked({ id: fresh.id, isMobile: mobile })
      return addressOf(fresh, mobile)
    },
  }
}

/** A sound counts once each time it is played from its start. */
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
