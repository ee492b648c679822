import { describe, expect, test } from 'vitest'
import type { Reactions } from '#contract/reactions.ts'
import { reactorsInWords } from './reaction-summary.tsx'
import { withMyReaction, withReactionOf } from './reactions.queries.ts'

const party = { emoji: '🎉', count: 4, reacted: false, pseudos: ['ana', 'bob', 'cid'] } as const
const known: Reactions = { reactions: [], summary: [{ ...party, pseudos: [...party.pseudos] }] }

describe('a tap on an emoji', () => {
  test('counts one more, and one less when it is taken back', () => {
    const before = { my_reactions: [], reactions_count: 4 }
    const left = withMyReaction(before, { emoji: '🎉', isOn: true })
    expect(left).toEqual({ my_reactions: ['🎉'], reactions_count: 5 })
    const mine = { my_reactions: ['🎉', '🔥'], reactions_count: 5 }
    const withdrawn = withMyReaction(mine, { emoji: '🎉', isOn: false })
    expect(withdrawn).toEqual({ my_reactions: ['🔥'], reactions_count: 4 })
  })

  test('that changes nothing counts nothing', () => {
    const mine = { my_reactions: ['🎉'], reactions_count: 5 }
    expect(withMyReaction(mine, { emoji: '🎉', isOn: true })).toEqual({})
  })

  test('puts my name first among the three, and takes it away again', () => {
    const left = withReactionOf(known, 'camille', { emoji: '🎉', isOn: true })
    expect(left.summary).toEqual([
      { emoji: '🎉', count: 5, reacted: true, pseudos: ['camille', 'ana', 'bob'] },
    ])
    const withdrawn = withReactionOf(left, 'camille', { emoji: '🎉', isOn: false })
    expect(withdrawn.summary).toEqual([
      { emoji: '🎉', count: 4, reacted: false, pseudos: ['ana', 'bob'] },
    ])
  })

  test('keeps the order of the emoji, and drops a line that is empty', () => {
    const left = withReactionOf(known, 'camille', { emoji: '❤️', isOn: true })
    expect(left.summary.map(({ emoji }) => emoji)).toEqual(['❤️', '🎉'])
    const withdrawn = withReactionOf(left, 'camille', { emoji: '❤️', isOn: false })
    expect(withdrawn.summary.map(({ emoji }) => emoji)).toEqual(['🎉'])
  })
})

test.each([
  [['ana'], 1, '@ana'],
  [['ana', 'bob', 'cid'], 3, '@ana, @bob, @cid'],
  [['ana', 'bob', 'cid'], 4, '@ana, @bob, @cid et 1 autre(s)'],
  [['ana', 'bob', 'cid'], 1204, '@ana, @bob, @cid et 1201 autre(s)'],
])('%o of %i reads « %s »', (pseudos, count, words) => {
  expect(reactorsInWords(pseudos, count)).toBe(words)
})
