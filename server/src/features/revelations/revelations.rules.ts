import { type FileType, VISIBILITIES, type Visibility } from '#contract/revelations.ts'

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

/** Why this text cannot be what is said in a file of this kind; undefined when it can. */
export function refuseFileWords(kind: FileType | null, words: string): string | undefined {
  if (kind === 'audio') return undefined
  if (kind !== 'video') return 'Joignez d’abord une vidéo ou un enregistrement'
  const isWebVtt = SIGNATURE.test(words) && CUE.test(words.slice(words.indexOf('\n')))
  return isWebVtt ? undefined : 'Ces sous-titres ne sont pas au format WebVTT'
}

// One expression for both would try each line as the end of the first: seconds of a long text without a cue.
const SIGNATURE = /^WEBVTT(?:[ \t][^\n]*)?\n/
const CUE = /\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+/
