import { EMOJIS } from '#contract/reactions.ts'
import type { CopyValue } from './copy-rows.ts'
import type { Random } from './random.ts'
import { inventComment, inventPlea } from './sentences.ts'

interface Item {
  id: string
  visibility: string
  createdAt: Date
  revealAt: Date
  isRevealed: boolean
}

export interface Talk {
  /** Rows for COPY: revelation, author, emoji, instant. */
  reactions: CopyValue[][]
  /** Rows for COPY: id, revelation, author, content, instant. */
  comments: CopyValue[][]
}

/** The number of revelations with reactions and comments, however many are seeded. */
const TALKED_ABOUT = 20_000
const MOST_REACTIONS = 9
const MOST_COMMENTS = 6

/** Reactions and comments under a public revelation; under most of them if few are seeded. */
export function inventTalk(
  random: Random,
  people: readonly { id: string }[],
  item: Item,
  total: number,
  now: Date,
): Talk {
  const isTalkedAbout = random.next() < TALKED_ABOUT / total
  if (item.visibility !== 'public' || !isTalkedAbout) return { reactions: [], comments: [] }
  const randomInstant = () => {
    const since = item.createdAt.getTime()
    return new Date(since + random.below(Math.max(1, now.getTime() - since)))
  }
  const reactions = new Map<string, CopyValue[]>()
  for (let left = random.below(MOST_REACTIONS + 1); left > 0; left -= 1) {
    const author = random.pick(people)
    // The first emoji are the most frequent.
    const emoji = EMOJIS[Math.min(random.below(EMOJIS.length), random.below(EMOJIS.length))] ?? '❤️'
    reactions.set(`${author.id}/${emoji}`, [item.id, author.id, emoji, randomInstant()])
  }
  const comments = Array.from({ length: random.below(MOST_COMMENTS + 1) }, () => {
    const writtenAt = randomInstant()
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

interface Person {
  id: string
  createdAt: Date
}

type Row = readonly CopyValue[]

/** Relates everybody to the next person, and the first account, for signing in, to more people. */
export function* inventRelationships(random: Random, people: readonly Person[]): Generator<Row> {
  for (const [index, person] of people.entries()) {
    for (const step of index === 0 ? [1, 2, 3, 4, 5] : [1]) {
      const other = people[index + step]
      const [low, high] = [person.id, other?.id ?? ''].sort()
      if (other && low && high)
        yield [low, high, random.pick(['friend', 'family']), other.createdAt]
    }
  }
}

/** Requests to people further on; the first account has received and sent ones. */
export function* inventRequests(
  random: Random,
  people: readonly Person[],
  now: Date,
): Generator<Row> {
  for (const [index, sender] of people.entries()) {
    const receiver = people[receiverOf(index)]
    if (!receiver || (index > 10 && random.below(3) > 0)) continue
    const sentAt = new Date(now.getTime() - random.below(7 * 86_400_000))
    const type = random.pick(['friend', 'family'])
    yield [sender.id, receiver.id, type, random.below(2) ? inventPlea(random) : '', sentAt]
  }
}

/** Never a neighbour, who is related already. */
function receiverOf(index: number): number {
  return index >= 6 && index <= 9 ? 0 : index + 10
}
