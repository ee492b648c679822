import { describe, expect, test } from 'vitest'
import { bytesFor, forkOf, logOfItems, TestLog } from '../../test/log.ts'
import { base64Of } from './bytes.ts'
import { judgeEvidence } from './evidence.ts'
import { type KnownLog, knownLogOf, signLogKeys } from './known-log.ts'
import {
  contradictedAt,
  emptyMemory,
  heldFor,
  importFormer,
  type LogMemory,
  logMemorySchema,
  merge,
  rememberedOf,
} from './log-memory.ts'
import { type Ask, answer, type LogAnswer, sight } from './sight.ts'

const log = logOfItems(60)
const fork = forkOf(3, 60)
const { origin } = log
const NOW = new Date('2026-11-26T10:00:00.000Z')
const A_DAY_MS = 86_400_000

function later(days: number): Date {
  return new Date(NOW.getTime() + days * A_DAY_MS)
}

function knownAs(key: string, note: string | null = null): KnownLog {
  const known = knownLogOf(key, note)
  if (!known) throw new Error('Not a key')
  return known
}

type Answers = (ask: Ask) => LogAnswer

const honest: Answers = ({ from, to }) => ({ hashes: log.consistency(from, to).map(base64Of) })
const silent: Answers = () => undefined

interface Met {
  answers?: Answers
  source?: 'met' | 'mailed'
  now?: Date
  known?: KnownLog
  statements?: readonly string[]
}

/** Meets a checkpoint as a page does: what is asked is answered at once. */
function meet(memory: LogMemory, note: string, options: Met = {}) {
  const {
    answers = honest,
    source = 'met',
    now = NOW,
    known = knownAs(log.key),
    statements,
  } = options
  const seen = sight(memory, { known, statements, note, source, now })
  let all = seen.memory
  const found = [...seen.found]
  const asks = [...seen.asks]
  for (let ask = asks.shift(); ask; ask = asks.shift()) {
    const next = answer(all, ask, answers(ask), now)
    all = next.memory
    found.push(...next.found)
    asks.push(...next.asks)
  }
  // What is written is what is read again.
  expect(logMemorySchema.parse(JSON.parse(JSON.stringify(all)))).toEqual(all)
  return { memory: all, found, isSigned: seen.isSigned }
}

function heldIn(memory: LogMemory): string[] {
  return rememberedOf(memory, origin).held.map(({ note }) => note)
}

function unprovenIn(memory: LogMemory): string[] {
  return rememberedOf(memory, origin).unproven.map(({ note }) => note)
}

describe('a checkpoint that is met', () => {
  test('is held at first sight, with its key, and then each that continues it', () => {
    const first = meet(emptyMemory(), log.checkpoint(12)).memory
    expect(rememberedOf(first, origin).keys).toEqual([log.key])
    const { memory, found } = meet(first, log.checkpoint(40))
    expect(heldIn(memory)).toEqual([log.checkpoint(12), log.checkpoint(40)])
    expect(found).toEqual([])
    // The checkpoint of the proof itself shows nothing.
    expect(heldFor(memory, origin, log.checkpoint(40))).toEqual([
      expect.objectContaining({ note: log.checkpoint(12), isLinked: true }),
    ])
  })

  test('of a fork never takes the place of the one held, however often the log is silent', () => {
    const before = meet(emptyMemory(), log.checkpoint(12)).memory
    const quiet = meet(before, fork.checkpoint(40), { answers: silent })
    expect(heldIn(quiet.memory)).toEqual([log.checkpoint(12)])
    expect(unprovenIn(quiet.memory)).toEqual([fork.checkpoint(40)])
    expect(contradictedAt(quiet.memory, origin)).toBe(undefined)

    const again = meet(quiet.memory, fork.checkpoint(41), { answers: silent })
    const [held] = heldFor(again.memory, origin, fork.checkpoint(41))
    expect(held).toMatchObject({ note: log.checkpoint(12), tries: 2 })

    const forked: Answers = ({ from, to }) => ({ hashes: fork.consistency(from, to).map(base64Of) })
    const { memory, found } = meet(again.memory, fork.checkpoint(50), { answers: forked })
    expect(found.map(({ kind }) => kind)).toContain('fork')
    expect(heldIn(memory)).toEqual([log.checkpoint(12)])
    expect(contradictedAt(memory, origin)).toBe(NOW.toISOString())
  })

  test('is refused for good only when a path leads nowhere twice', () => {
    const before = meet(emptyMemory(), log.checkpoint(12)).memory
    let asked = 0
    const once: Answers = (ask) => {
      asked += 1
      return asked === 1 ? { hashes: [] } : honest(ask)
    }
    const { memory, found } = meet(before, log.checkpoint(40), { answers: once })
    expect([asked, found.length, heldIn(memory).length]).toEqual([2, 0, 2])
  })

  test('of the same size and another root contradicts without asking anybody', () => {
    const before = meet(emptyMemory(), log.checkpoint(12)).memory
    const { memory, found } = meet(before, fork.checkpoint(12), { answers: silent })
    expect(found.map(({ kind }) => kind)).toEqual(['roots'])
    expect(found[0]?.notes.map(({ note }) => note)).toEqual([
      log.checkpoint(12),
      fork.checkpoint(12),
    ])
    const later = meet(memory, fork.checkpoint(12))
    expect([later.found.length, heldIn(later.memory).length]).toEqual([0, 1])
  })

  test('that is smaller and dated later shows that the log was emptied', () => {
    const dated = (size: number, day: number) =>
      log.checkpoint(size, { signedAt: later(day).toISOString(), v2From: 0 })
    const before = meet(emptyMemory(), dated(40, 0)).memory
    const { found } = meet(before, dated(12, 1), { answers: silent })
    expect(found.map(({ kind }) => kind)).toEqual(['shrunk'])
  })

  test('another first index of format 2 is another log', () => {
    const dated = (v2From: number) => ({ signedAt: NOW.toISOString(), v2From })
    const before = meet(emptyMemory(), log.checkpoint(12, dated(3))).memory
    const { found } = meet(before, log.checkpoint(40, dated(4)))
    expect(found.map(({ kind }) => kind)).toEqual(['v2_from'])
  })
})

describe('a log that denies a size which it signed', () => {
  const before = meet(emptyMemory(), log.checkpoint(50)).memory
  const endingWith =
    (end: string): Answers =>
    () => ({ end })

  test('was set back when it is smaller now', () => {
    const answers = endingWith(log.checkpoint(40))
    const { memory, found } = meet(before, log.checkpoint(40), { answers })
    expect(found.map(({ kind, consistency }) => [kind, consistency])).toEqual([['fork', null]])
    expect(heldIn(memory)).toEqual([log.checkpoint(50)])
  })

  test('did not answer when it is not, or when what it shows is not signed', () => {
    const other = new TestLog(log.origin, bytesFor('another seed'))
    other.append(bytesFor('a leaf'))
    for (const end of [log.checkpoint(55), log.checkpoint(60), other.checkpoint(), '']) {
      const { memory, found } = meet(before, log.checkpoint(55), { answers: endingWith(end) })
      expect([found.length, unprovenIn(memory)]).toEqual([0, [log.checkpoint(55)]])
    }
  })
})

describe('the key of the log', () => {
  const next = new TestLog(origin, bytesFor('the next seed'))
  next.levels.splice(0, 1, ...log.levels)
  const replaced = { size: 50, root: log.root(50), replacedAt: NOW.toISOString() }
  const statement = signLogKeys(
    { next: next.seed, last: log.seed },
    { origin, former: [{ key: log.key, ...replaced }] },
  )
  const before = meet(emptyMemory(), log.checkpoint(12)).memory

  test('that is another one, without the former one having signed it, is kept against the site', () => {
    const { memory, found, isSigned } = meet(before, next.checkpoint(55), {
      known: knownAs(next.key),
    })
    expect([found.map(({ kind }) => kind), isSigned]).toEqual([['key'], false])
    expect(rememberedOf(memory, origin).keys).toEqual([log.key])
    expect(heldIn(memory)).toEqual([log.checkpoint(12)])
  })

  test('of a forged mail accuses nobody and is kept nowhere', () => {
    const { memory, found, isSigned } = meet(before, next.checkpoint(55), { source: 'mailed' })
    expect([memory, found, isSigned]).toEqual([before, [], false])
  })

  test('that the former one signed is pinned after it, and what it signs continues the log', () => {
    const known = knownAs(next.key, statement)
    const statements = [statement]
    const { memory, found } = meet(before, next.checkpoint(55), { known, statements })
    expect(found).toEqual([])
    expect(rememberedOf(memory, origin).keys).toEqual([log.key, next.key])
    expect(heldIn(memory)).toEqual([log.checkpoint(12), next.checkpoint(55)])
    // What the former one signs now is nothing of this log.
    const late = meet(memory, log.checkpoint(60), { known, statements, source: 'mailed' })
    expect(late.isSigned).toBe(false)
    const inTime = meet(memory, log.checkpoint(40), {
      known,
      statements,
      source: 'mailed',
    })
    expect(heldIn(inTime.memory)).toContain(log.checkpoint(40))
    // A site that goes back to the former key is not believed.
    const back = meet(memory, log.checkpoint(60))
    expect([back.isSigned, back.found.length]).toEqual([false, 0])
  })

  describe('replaced twice since it was pinned', () => {
    const third = new TestLog(origin, bytesFor('the seed after it'))
    third.levels.splice(0, 1, ...log.levels)
    const [first, second] = [
      { key: log.key, ...replaced },
      { ...replaced, key: next.key, size: 55, root: log.root(55) },
    ]
    const last = signLogKeys(
      { next: third.seed, last: next.seed },
      { origin, former: [first, second] },
    )
    const known = knownAs(third.key, last)
    const meetThird = (statements: readonly string[]) =>
      meet(before, third.checkpoint(60), { known, statements })

    test('leads to the one of today by the statements of all', () => {
      const { memory, found, isSigned } = meetThird([statement, last])
      expect([isSigned, found]).toEqual([true, []])
      expect(rememberedOf(memory, origin).keys).toEqual([log.key, next.key, third.key])
      expect(heldIn(memory)).toEqual([log.checkpoint(12), third.checkpoint(60)])
    })

    const stranger = new TestLog(origin, bytesFor('a thief'))
    const by = (seeds: Parameters<typeof signLogKeys>[0], former = [first]) =>
      signLogKeys(seeds, { origin, former })
    test.each([
      ['one is missing', []],
      ['the pinned key did not sign the next', [by({ next: next.seed, last: stranger.seed })]],
      ['the next is another one', [by({ next: stranger.seed, last: log.seed })]],
      [
        'they tell the past in two ways',
        [by({ next: next.seed, last: log.seed }, [{ ...first, size: 40, root: log.root(40) }])],
      ],
    ])('accuses the site where %s', (_, statements) => {
      const { memory, found, isSigned } = meetThird([...statements, last])
      expect([isSigned, found.map(({ kind }) => kind)]).toEqual([false, ['key']])
      expect(rememberedOf(memory, origin).keys).toEqual([log.key])
      expect(heldIn(memory)).toEqual([log.checkpoint(12)])
      expect(judgeEvidence(found[0], known).state).toBe('claimed')
    })
  })
})

describe('the memory', () => {
  test('keeps few of those met, the oldest and the newest among them, and every one pasted', () => {
    let memory = emptyMemory()
    for (let day = 0; day < 50; day += 1) {
      const source = day === 20 ? 'mailed' : 'met'
      memory = meet(memory, log.checkpoint(day + 10), { source, now: later(day) }).memory
    }
    const sizes = heldIn(memory).map((note) => Number(note.split('\n')[1]))
    expect(sizes.length).toBeLessThanOrEqual(9)
    expect(sizes).toEqual(expect.arrayContaining([10, 30, 59]))
  })

  test('refuses new ones when many wait, and the oldest stay', () => {
    let { memory } = meet(emptyMemory(), log.checkpoint(12))
    for (let size = 13; size < 60; size += 1) {
      memory = meet(memory, fork.checkpoint(size), { answers: silent }).memory
    }
    expect(unprovenIn(memory)).toHaveLength(32)
    expect(unprovenIn(memory)[0]).toBe(fork.checkpoint(13))
  })

  test('of two tabs loses nothing of either', () => {
    const shared = meet(emptyMemory(), log.checkpoint(12)).memory
    const one = meet(shared, fork.checkpoint(12)).memory
    const other = meet(shared, log.checkpoint(40)).memory
    for (const both of [merge(one, other, NOW), merge(other, one, NOW)]) {
      expect(heldIn(both)).toEqual([log.checkpoint(12), log.checkpoint(40)])
      expect(rememberedOf(both, origin).contradictions).toHaveLength(1)
    }
  })

  test('of two tabs that were shown two logs takes neither for a continuation of the other', () => {
    const shared = meet(emptyMemory(), log.checkpoint(3)).memory
    const forked: Answers = ({ from, to }) => ({ hashes: fork.consistency(from, to).map(base64Of) })
    const one = meet(shared, log.checkpoint(40)).memory
    const other = meet(shared, fork.checkpoint(41), { answers: forked }).memory
    expect(heldIn(other)).toHaveLength(2)
    const both = merge(one, other, NOW)
    expect(heldIn(both)).toEqual([log.checkpoint(3), log.checkpoint(40)])
    expect(unprovenIn(both)).toEqual([fork.checkpoint(41)])
    const { found } = meet(both, log.checkpoint(50), { answers: forked })
    expect(found.length).toBeGreaterThan(0)
  })
})

describe('the one checkpoint of former versions', () => {
  const former = { key: log.key, checkpoint: log.checkpoint(12) }

  test('is held, with its key', () => {
    const memory = importFormer(emptyMemory(), former, NOW)
    expect(memory && heldIn(memory)).toEqual([log.checkpoint(12)])
    expect(memory && rememberedOf(memory, origin).keys).toEqual([log.key])
  })

  test('waits when an old tab wrote it again, and is left alone when it cannot be read', () => {
    const { memory } = meet(emptyMemory(), log.checkpoint(20))
    const again = importFormer(memory, former, NOW)
    expect(again && [heldIn(again), unprovenIn(again)]).toEqual([
      [log.checkpoint(20)],
      [log.checkpoint(12)],
    ])
    const other = new TestLog(origin, bytesFor('another seed'))
    other.append(bytesFor('a leaf'))
    for (const stored of [
      null,
      'log',
      { key: log.key, checkpoint: `${log.checkpoint(12)} ` },
      { key: other.key, checkpoint: other.checkpoint() },
    ]) {
      expect(importFormer(memory, stored, NOW)).toBe(undefined)
    }
  })
})
