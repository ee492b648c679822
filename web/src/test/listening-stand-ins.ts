import { vi } from 'vitest'

interface Listening {
  /** What is heard now: the file of its address, or undefined in silence. */
  audibleFile(): string | undefined
  element(): HTMLAudioElement
  /** The sound has come to its end. */
  end(): void
  /** The server refuses the address from now on, until another one is tried. */
  refuse(): void
}

/** What jsdom does not have of a player: files start at once, know where they are, and end when a test says so. */
export function standInForListening({ isWide = true } = {}): Listening {
  const media = HTMLMediaElement.prototype
  const playing = new WeakSet<HTMLMediaElement>()
  const places = new WeakMap<HTMLMediaElement, number>()
  const dispatch = (player: HTMLMediaElement, ...names: string[]) => {
    for (const name of names) player.dispatchEvent(new Event(name))
  }
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  vi.spyOn(media, 'load').mockImplementation(() => undefined)
  vi.spyOn(media, 'paused', 'get').mockImplementation(function (this: HTMLMediaElement) {
    return !playing.has(this)
  })
  vi.spyOn(media, 'currentTime', 'get').mockImplementation(function (this: HTMLMediaElement) {
    return places.get(this) ?? 0
  })
  vi.spyOn(media, 'currentTime', 'set').mockImplementation(function (
    this: HTMLMediaElement,
    place,
  ) {
    places.set(this, place)
    dispatch(this, 'seeking', 'timeupdate', 'seeked')
  })
  vi.spyOn(media, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    playing.add(this)
    queueMicrotask(() => dispatch(this, 'play', 'loadedmetadata', 'canplay', 'playing'))
  })
  vi.spyOn(media, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    if (!playing.delete(this)) return
    queueMicrotask(() => dispatch(this, 'pause'))
  })
  const element = () => {
    const player = document.querySelector('audio')
    if (!player) throw new Error('The page has no player')
    return player
  }
  return {
    element,
    audibleFile: () =>
      element().paused ? undefined : /\/([^/?]+)\?/.exec(element().getAttribute('src') ?? '')?.[1],
    end: () => {
      playing.delete(element())
      places.delete(element())
      dispatch(element(), 'ended')
    },
    refuse: () => dispatch(element(), 'error'),
  }
}
