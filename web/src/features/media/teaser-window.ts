import {
  TEASER_DEFAULT_SECONDS,
  TEASER_MAX_SECONDS,
  TEASER_MIN_SECONDS,
} from '#contract/sealing.ts'

/** The part of a video to show before the reveal, in tenths of seconds. */
export interface TeaserWindow {
  start: number
  end: number
}

/** The first ten seconds, or all of a shorter video; undefined under a second. */
export function defaultWindow(duration: number): TeaserWindow | undefined {
  const end = Math.min(TEASER_DEFAULT_SECONDS, lastTenth(duration))
  return end < TEASER_MIN_SECONDS ? undefined : { start: 0, end }
}

/** Moves the start within the limits; the end stays. */
export function moveStart({ end }: TeaserWindow, to: number): TeaserWindow {
  const start = clamp(to, Math.max(0, end - TEASER_MAX_SECONDS), end - TEASER_MIN_SECONDS)
  return { start: toTenth(start), end }
}

/** Moves the end within the limits; the start stays. */
export function moveEnd({ start }: TeaserWindow, to: number, duration: number): TeaserWindow {
  const furthest = Math.min(lastTenth(duration), start + TEASER_MAX_SECONDS)
  return { start, end: toTenth(clamp(to, start + TEASER_MIN_SECONDS, furthest)) }
}

/** Moves the window within the limits, without changing its length. */
export function slide(window: TeaserWindow, to: number, duration: number): TeaserWindow {
  const length = lengthOf(window)
  const start = toTenth(clamp(to, 0, lastTenth(duration) - length))
  return { start, end: toTenth(start + length) }
}

export function lengthOf({ start, end }: TeaserWindow): number {
  return toTenth(end - start)
}

/** Why a window cannot be a teaser; undefined when it can. */
export function validateTeaser({ start, end }: TeaserWindow, duration: number): string | undefined {
  const length = toTenth(end - start)
  if (length < TEASER_MIN_SECONDS)
    return 'La fin de l’extrait doit être au moins 1\u00A0s après son début'
  if (length > TEASER_MAX_SECONDS) return 'Le teaser dépasse la durée maximale autorisée'
  if (end > lastTenth(duration)) return 'L’extrait dépasse la fin de la vidéo'
  return undefined
}

const WIDEST_VIEW_SECONDS = 90

/**
 * The part of the video under the handles: of a long one the minute and a half around the window, so that a finger can aim. It
 * begins on a tenth, from which steps are counted.
 */
export function viewAround(window: TeaserWindow, duration: number): TeaserWindow {
  if (duration <= WIDEST_VIEW_SECONDS) return { start: 0, end: duration }
  const middle = (window.start + window.end) / 2
  const furthest = duration - WIDEST_VIEW_SECONDS
  const start = lastTenth(clamp(middle - WIDEST_VIEW_SECONDS / 2, 0, furthest))
  return { start, end: toTenth(start + WIDEST_VIEW_SECONDS) }
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

function toTenth(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

/** The last whole tenth of a second. */
function lastTenth(seconds: number): number {
  // A binary fraction may be slightly under the tenth it means.
  return Math.floor(seconds * 10 + 1e-6) / 10
}
