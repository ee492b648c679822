import type { AppContext } from '#server/context.ts'

/** The part of a file somebody asks for: the teaser may be seen with the envelope, the rest is the letter. */
export type MediaPart = 'envelope' | 'letter'

/**
 * Answers whether the holder of a ticket may have a part of a file now, for the files of one feature;
 * undefined when the file is none of that feature's. `holder` is what `holderOf` wrote in the ticket.
 */
export type MediaGate = (
  ctx: AppContext,
  request: { mediaId: string; part: MediaPart; holder: string },
) => Promise<boolean | undefined>
