import { expect, test } from 'vitest'
import type { Plan } from '#contract/subscriptions.ts'
import {
  awaitsVerification,
  expiredPlan,
  megabytesOf,
  oneMonthAfter,
  planAt,
  sealedRevelationLimit,
  storageLimitBytes,
} from './subscriptions.rules.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const MB = 1024 * 1024

function subscribed(plan: Plan, expiresAt: string | null = null, additionalStorageMb = 0) {
  return {
    plan,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    additionalStorageMb,
    isVerified: true,
  }
}

test.each([
  ['nobody ever subscribed', undefined, 'free'],
  ['a plan without an end', subscribed('pro'), 'pro'],
  ['a plan that ends later', subscribed('standard', '2027-03-01T12:00:00.001Z'), 'standard'],
  ['a plan that ends now', subscribed('standard', '2027-03-01T12:00:00Z'), 'free'],
  ['a plan that has ended', subscribed('unlimited', '2026-01-01T00:00:00Z'), 'free'],
] as const)('the plan that counts: %s', (_name, subscription, plan) => {
  expect(planAt(subscription, NOW)).toBe(plan)
})

test('a plan that has ended is named, one that counts is not', () => {
  expect(expiredPlan(subscribed('pro', '2026-01-01T00:00:00Z'), NOW)).toBe('pro')
  expect(expiredPlan(subscribed('pro', '2028-01-01T00:00:00Z'), NOW)).toBeNull()
  expect(expiredPlan(subscribed('free', '2026-01-01T00:00:00Z'), NOW)).toBeNull()
  expect(expiredPlan(undefined, NOW)).toBeNull()
})

test.each([
  ['2026-11-20T12:30:00.005Z', '2026-12-20T12:30:00.005Z'],
  ['2026-12-31T08:00:00.000Z', '2027-01-31T08:00:00.000Z'],
  ['2027-01-31T08:00:00.000Z', '2027-02-28T08:00:00.000Z'],
  ['2028-01-30T08:00:00.000Z', '2028-02-29T08:00:00.000Z'],
  ['2027-10-31T23:59:59.999Z', '2027-11-30T23:59:59.999Z'],
])('a month bought at %s ends at %s', (bought, end) => {
  expect(oneMonthAfter(new Date(bought)).toISOString()).toBe(end)
})

test.each([
  [subscribed('free'), 500],
  [subscribed('free', null, 1000), 1500],
  [subscribed('standard'), 5120],
  [subscribed('pro', null, 10), 51_210],
  [subscribed('pro', '2026-01-01T00:00:00Z', 10), 510],
  [subscribed('unlimited'), Number.POSITIVE_INFINITY],
])('the room of %j is %d MB', (subscription, mb) => {
  expect(storageLimitBytes(subscription, NOW)).toBe(mb * MB)
})

test('an unverified address has the storage of no plan', () => {
  for (const plan of ['free', 'standard', 'pro', 'unlimited'] as const) {
    const unverified = { ...subscribed(plan, null, 1000), isVerified: false }
    expect(storageLimitBytes(unverified, NOW)).toBe(100 * MB)
    expect(awaitsVerification(unverified, NOW)).toBe(true)
    expect(awaitsVerification(subscribed(plan), NOW)).toBe(false)
  }
})

test('only the free plan limits how many revelations are sealed at once', () => {
  expect(sealedRevelationLimit('free')).toBe(5)
  for (const plan of ['standard', 'pro', 'unlimited'] as const) {
    expect(sealedRevelationLimit(plan)).toBe(Number.POSITIVE_INFINITY)
  }
})

test.each([
  [0, 0],
  [1, 0.01],
  [MB, 1],
  [1.234 * MB, 1.24],
  [500 * MB, 500],
  [Number.POSITIVE_INFINITY, -1],
])('%d bytes are %d MB', (bytes, megabytes) => {
  expect(megabytesOf(bytes)).toBe(megabytes)
})
