import { expect, test } from 'vitest'
import {
  achievementsOf,
  byMonth,
  engagementOf,
  growthOf,
  labelOf,
  monthsUntil,
  nearest,
  parseSpan,
  scoreOf,
  topContributorOf,
} from './circle.rules.ts'

test.each([
  [0, 0, 0, 0, 0, 'À améliorer'],
  [1, 0, 0, 0, 10, 'À améliorer'],
  [0, 1, 0, 0, 5, 'À améliorer'],
  [0, 1, 1, 10, 25, 'À améliorer'],
  [3, 1, 0, 0, 35, 'À améliorer'],
  [3, 2, 0, 0, 40, 'Moyenne'],
  [2, 3, 1, 3, 41, 'Moyenne'],
  [4, 3, 1, 3, 61, 'Bonne'],
  [5, 2, 0, 0, 60, 'Bonne'],
  [7, 1, 0, 0, 75, 'Bonne'],
  [8, 0, 0, 0, 80, 'Excellente'],
  [6, 3, 1, 3, 81, 'Excellente'],
  [10, 0, 0, 0, 100, 'Excellente'],
  [50, 900, 8_000, 89, 100, 'Excellente'],
])(
  '%i members, %i deliveries and %i interactions: engagement %i, score %i, « %s »',
  (members, deliveries, interactions, engagement, score, label) => {
    const averageEngagement = engagementOf(deliveries, interactions)
    expect(averageEngagement).toBe(engagement)
    expect(scoreOf({ members, deliveries, averageEngagement })).toBe(score)
    expect(labelOf(score)).toBe(label)
  },
)

test.each([
  [79, 'Bonne'],
  [59, 'Moyenne'],
  [39, 'À améliorer'],
])('%i is still « %s »', (score, label) => {
  expect(labelOf(score)).toBe(label)
})

test.each([
  [2, 25, 125],
  [3, 1, 3],
  [8, 1, 1],
  [1_000, 1, 0],
])(
  'for %i deliveries and %i interactions the engagement is %i',
  (deliveries, count, engagement) => {
    expect(engagementOf(deliveries, count)).toBe(engagement)
  },
)

test.each([
  [0, 0, 0],
  [3, 0, 100],
  [3, 2, 50],
  [1, 3, -67],
  [0, 4, -100],
  [4, 4, 0],
])('%i this month after %i last month is a growth of %i %%', (thisMonth, lastMonth, growth) => {
  expect(growthOf(thisMonth, lastMonth)).toBe(growth)
})

test.each([
  [{ members: 0, deliveries: 0, score: 0 }, []],
  [{ members: 4, deliveries: 1, score: 79 }, ['first_revelation']],
  [{ members: 5, deliveries: 9, score: 79 }, ['first_revelation', 'family_builder']],
  [{ members: 0, deliveries: 10, score: 50 }, ['first_revelation', 'storyteller']],
  [{ members: 8, deliveries: 0, score: 80 }, ['family_builder', 'family_champion']],
])('%j reaches %j', (circle, reached) => {
  const achievements = achievementsOf(circle)
  expect(achievements).toHaveLength(4)
  expect(achievements.filter((one) => one.is_reached).map(({ id }) => id)).toEqual(reached)
})

test('who leads this month leads, else who leads over all time, else nobody', () => {
  const tallies = [
    { authorId: 'a', place: 0, count: 9 },
    { authorId: 'b', place: 11, count: 2 },
    { authorId: 'b', place: 12, count: 1 },
  ]
  expect(topContributorOf(tallies, 12)).toEqual({ authorId: 'b', deliveries: 1, period: 'month' })
  expect(topContributorOf(tallies.slice(0, 2), 12)).toEqual({
    authorId: 'a',
    deliveries: 9,
    period: 'all',
  })
  expect(topContributorOf([], 12)).toEqual({ authorId: null, deliveries: 0, period: 'none' })
})

test('of two who sealed as many this month, the one who sealed more before leads', () => {
  const tallies = [
    { authorId: 'a', place: 12, count: 2 },
    { authorId: 'b', place: 12, count: 2 },
    { authorId: 'b', place: 3, count: 1 },
  ]
  expect(topContributorOf(tallies, 12).authorId).toBe('b')
  expect(topContributorOf(tallies.toReversed(), 12).authorId).toBe('b')
})

test.each([
  ['2026-11-20T12:00:00Z', 'Europe/Brussels', '2025-12', '2026-11', '2026-10-31T23:00:00.000Z'],
  // The clocks moved on 29 March: April begins in summer time.
  ['2026-04-01T00:30:00Z', 'Europe/Brussels', '2025-05', '2026-04', '2026-03-31T22:00:00.000Z'],
  // Still March in Brussels an hour before midnight, already April in Tokyo.
  ['2026-03-31T21:59:00Z', 'Europe/Brussels', '2025-04', '2026-03', '2026-02-28T23:00:00.000Z'],
  ['2026-03-31T21:59:00Z', 'Asia/Tokyo', '2025-05', '2026-04', '2026-03-31T15:00:00.000Z'],
  // The 31st has no counterpart in February.
  ['2027-01-31T23:30:00Z', 'America/New_York', '2026-02', '2027-01', '2027-01-01T05:00:00.000Z'],
  ['2026-12-31T23:30:00Z', 'Europe/Brussels', '2026-02', '2027-01', '2026-12-31T23:00:00.000Z'],
])(
  'at %s in %s the months go from %s to %s, which began at %s',
  (now, zone, first, last, start) => {
    const months = monthsUntil(new Date(now), zone)
    expect(months).toHaveLength(12)
    expect([months[0]?.month, months[11]?.month]).toEqual([first, last])
    expect(months[11]?.startsAt.toISOString()).toBe(start)
  },
)

test('what came before the months shown is in none of them', () => {
  const tallies = [
    { place: 0, count: 7 },
    { place: 1, count: 2 },
    { place: 3, count: 4 },
    { place: 3, count: 1 },
  ]
  expect(byMonth(tallies, 3)).toEqual([2, 0, 5])
})

test.each([
  ['2026-03-29', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2028-02-28', '2028-03-01', '2028-02-27T23:00:00.000Z', '2028-03-01T23:00:00.000Z'],
])('from %s to %s is from %s until before %s in Brussels', (from, to, start, end) => {
  expect(parseSpan({ from, to }, 'Europe/Brussels')).toEqual({
    from: new Date(start),
    to: new Date(end),
  })
})

test('a span that runs backwards or is too long is rejected', () => {
  const refusals = [
    parseSpan({ from: '2026-02-02', to: '2026-02-01' }, 'UTC'),
    parseSpan({ from: '2026-01-01', to: '2028-03-11' }, 'UTC'),
  ]
  for (const refusal of refusals) expect(refusal).toHaveProperty('refusal')
  // 800 days, both ends included.
  expect(parseSpan({ from: '2026-01-01', to: '2028-03-10' }, 'UTC')).toHaveProperty('from')
})

test('of too many dates the nearest to now stay, before and after it, the soonest first', () => {
  const days = [9, 3, 21, 12, 10].map((day) => ({ revealAt: new Date(Date.UTC(2026, 10, day)) }))
  const found = nearest(days, new Date('2026-11-11T00:00:00Z'), 3)
  expect(found.map(({ revealAt }) => revealAt.getUTCDate())).toEqual([9, 10, 12])
})
