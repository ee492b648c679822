import { vi } from 'vitest'

/** What jsdom does not have of media: files get an address, and every video says how long it is. */
export function standInForMedia({ duration }: { duration: number }): void {
  let count = 0
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: () => `blob:test/${++count}`,
      revokeObjectURL: () => undefined,
    }),
  )
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  const media = HTMLMediaElement.prototype
  vi.spyOn(media, 'load').mockImplementation(() => undefined)
  vi.spyOn(media, 'pause').mockImplementation(() => undefined)
  vi.spyOn(media, 'play').mockImplementation(async () => undefined)
  vi.spyOn(media, 'duration', 'get').mockReturnValue(duration)
  vi.spyOn(media, 'src', 'set').mockImplementation(function (this: HTMLMediaElement, url: string) {
    this.setAttribute('src', url)
    queueMicrotask(() => this.dispatchEvent(new Event('durationchange')))
  })
  // Frames cannot be drawn: the film strip falls back to its plain look.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
}
