import { EMOJIS } from '#contract/reactions.ts'
import type { CopyValue } from './copy-rows.ts'
import type { Random } from './random.ts'
import { inventComment } from './sentences.ts'

interface Item {
  id: string
  visibility: string
  createdAt: Date
  revealAt: Date
  isRevealed: boolean
}

export interface Talk {
  /** As they are copied: revelation, author, emoji, instant. */
  reactions: CopyValue[][]
  /** Id, revelation, author, content, instant. */
  comments: CopyValue[][]
}

/** However many are seeded, people talk about so many of them: the rest of a million is as quiet as it would be. */
const TALKED_ABOUT = 20_000
const MOST_REACTIONS = 9
const MOST_COMMENTS = 6

/** What people leave under a public revelation; under most of them when there are few. */
export function inventTalk(
  random: Random,
  people: readonly { id: string }[],
  item: Item,
  total: number,
  now: Date,
): Talk {
  const isTalkedAbout = random.next() < TALKED_ABOUT / total
  if (item.visibility !== 'public' || !isTalkedAbout) return { reactions: [], comments: [] }
  const somewhen = () => {
    const since = item.createdAt.getTime()
    return new Date(since + random.below(Math.max(1, now.getTime() - since)))
  }
  const reactions = new Map<string, CopyValue[]>()
  for (let left = random.below(MOST_REACTIONS + 1); left > 0; left -= 1) {
    const author = random.pick(people)
    // The first emoji are the ones at hand.
    const emoji = EMOJIS[Math.min(random.below(EMOJIS.length), random.below(EMOJIS.length))] ?? '❤️'
    reactions.set(`${author.id}/${emoji}`, [item.id, author.id, emoji, somewhen()])
  }
  const comments = Array.from({ length: random.below(MOST_COMMENTS + 1) }, () => {
    const writtenAt = somewhen()
    const isOpen = item.isRevealed && writtenAt >= item.revealAt
    return [
      random.uuid(),
      item.id,
      random.pick(people).id,
      inventComment(random, isOpen),
      writtenAt,
    ]
  })
  return { reactions: [...reactions.values()], comments }
}
