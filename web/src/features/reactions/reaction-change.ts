import { EMOJIS, type Emoji, REACTOR_NAMES, type Reactions } from '#contract/reactions.ts'
import type { Envelope, Revelation } from '#contract/revelations.ts'

export interface ReactionChange {
  emoji: Emoji
  /** Left, or taken back. */
  isOn: boolean
}

/** What a revelation shows at once, before the server has answered. */
export function withMyReaction(
  { my_reactions, reactions_count }: Pick<Revelation, 'my_reactions' | 'reactions_count'>,
  { emoji, isOn }: ReactionChange,
): Partial<Envelope> {
  if (my_reactions.includes(emoji) === isOn) return {}
  return isOn
    ? { my_reactions: [...my_reactions, emoji], reactions_count: reactions_count + 1 }
    : {
        my_reactions: my_reactions.filter((mine) => mine !== emoji),
        reactions_count: Math.max(0, reactions_count - 1),
      }
}

/** The same for who reacted how: lines stay in the order of the emoji, empty ones disappear. */
export function withReactionOf(
  { reactions, summary }: Reactions,
  pseudo: string,
  { emoji, isOn }: ReactionChange,
): Reactions {
  const known = summary.find((line) => line.emoji === emoji)
  const line = known ?? { emoji, count: 0, reacted: false, pseudos: [] }
  if (line.reacted === isOn) return { reactions, summary }
  const others = line.pseudos.filter((name) => name !== pseudo)
  const changed = {
    emoji,
    reacted: isOn,
    count: line.count + (isOn ? 1 : -1),
    pseudos: isOn ? [pseudo, ...others].slice(0, REACTOR_NAMES) : others,
  }
  const lines = [...summary.filter((other) => other.emoji !== emoji), changed]
  return {
    reactions,
    summary: EMOJIS.flatMap((each) => lines.filter((l) => l.emoji === each && l.count > 0)),
  }
}

/** The emoji the server says are mine. */
export function myReactions({ summary }: Reactions): Emoji[] {
  return summary.filter(({ reacted }) => reacted).map(({ emoji }) => emoji)
}
