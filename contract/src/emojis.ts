/** The first four stand inline, the others behind « + » (decisions §5). */
export const EMOJIS = ['❤️', '😍', '😲', '🎉', '🔥', '😮', '👍', '👎'] as const
export type Emoji = (typeof EMOJIS)[number]
export const INLINE_EMOJIS = EMOJIS.slice(0, 4)

/** How many pseudos a summary names before « et N autre(s) ». */
export const REACTOR_NAMES = 3
