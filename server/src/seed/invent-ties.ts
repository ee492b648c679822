import type { CopyValue } from './copy-rows.ts'
import type { Random } from './random.ts'
import { inventPlea } from './sentences.ts'

interface Person {
  id: string
  createdAt: Date
}

type Row = readonly CopyValue[]

/** Everybody is related to the next ones, and the first account, which one signs in as, to more people. */
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

/** Some wait for an answer of somebody further on; the first account has both received and sent ones. */
export function* inventRequests(
  random: Random,
  people: readonly Person[],
  now: Date,
): Generator<Row> {
  for (const [index, sender] of people.entries()) {
    const receiver = people[requestedBy(index)]
    if (!receiver || (index > 10 && random.below(3) > 0)) continue
    const askedAt = new Date(now.getTime() - random.below(7 * 86_400_000))
    const type = random.pick(['friend', 'family'])
    yield [sender.id, receiver.id, type, random.below(2) ? inventPlea(random) : '', askedAt]
  }
}

/** Never a neighbour: they are related already. */
function requestedBy(index: number): number {
  return index >= 6 && index <= 9 ? 0 : index + 10
}
