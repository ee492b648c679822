import { VISIBILITIES, type Visibility } from '#contract/revelations.ts'

/** Whether an audience is at most as wide as another. */
export function isNarrowerOrSame(visibility: Visibility, than: Visibility): boolean {
  return VISIBILITIES.indexOf(visibility) >= VISIBILITIES.indexOf(than)
}

/** The visibility that the browser sent: `is_private` is the older field for it; the narrower of the two counts. */
export function visibilityOf(input: {
  visibility?: Visibility | undefined
  is_private?: boolean | undefined
}): Visibility | undefined {
  return input.is_private ? 'private' : input.visibility
}

/** The window of the teaser, null when there is none. */
export function teaserOf(input: {
  teaser_start?: number | null | undefined
  teaser_end?: number | null | undefined
}): { startSeconds: number; endSeconds: number } | null {
  if (input.teaser_start == null || input.teaser_end == null) return null
  return { startSeconds: input.teaser_start, endSeconds: input.teaser_end }
}
