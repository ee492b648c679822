import fc from 'fast-check'
import {
  CATEGORIES,
  FILE_TYPES,
  type ListQuery,
  SORTS,
  VISIBILITIES,
  type Visibility,
} from '#contract/revelations.ts'
import { SEARCHED_WORDS } from './secrets.ts'
import { ROLES, type Role } from './worlds.ts'

/** `bearer`: has the personal key of the revelation in question, and no account. */
export type Caller = Role | 'visitor' | 'bearer'
export const OBSERVERS: readonly Caller[] = [
  ...ROLES.filter((role) => role !== 'author'),
  'visitor',
  'bearer',
]

const CHANGES = [
  'title',
  'letter',
  'file',
  'no file',
  'visibility',
  'addressee',
  'teaser',
  'no teaser',
  'later',
  'open soon',
  'everything, in camelCase',
] as const
export type Change = (typeof CHANGES)[number]

export const DOORS = ['original', 'copy', 'variant', 'thumbnail', 'teaser', 'poster'] as const
export type Door = (typeof DOORS)[number]

export interface Seal {
  do: 'seal'
  by: Role
  visibility: Visibility
  to: 'addressee' | 'claimant' | 'author' | 'nobody here'
  /** `far`: after the end of the trace; the worlds differ in the author’s far letters. */
  opens: 'soon' | 'far'
  file: (typeof FILE_TYPES)[number] | 'none'
  pick: number
  /** With fields that no client can set. */
  isForged: boolean
}

type Query = Omit<ListQuery, 'author' | 'cursor'>

export type Step =
  | Seal
  | { do: 'edit'; by: Role; item: number; change: Change; pick: number; isForged: boolean }
  | { do: 'withdraw' | 'notify'; by: Role; item: number }
  | { do: 'read' | 'view'; by: Caller; item: number }
  | { do: 'list'; by: Caller; of: 'everyone' | 'author' | 'friend'; query: Query; isPaged: boolean }
  | { do: 'fetch'; by: Caller; item: number; door: Door; range: string | undefined }
  | { do: 'get a job'; by: Role; item: number }
  | { do: 'sign in'; by: Role }
  | { do: 'register'; name: number }
  | { do: 'wait'; until: '1 h' | '7 h' | '30 h' | 'just before' | 'the instant' }
  | { do: 'work' }

const role = fc.constantFrom(...ROLES)
const caller = fc.constantFrom<Caller[]>(...ROLES, 'visitor', 'bearer')
const mostlyAuthor = fc.oneof(fc.constant('author' as const), fc.constant('author' as const), role)
const item = fc.nat(5)
const pick = fc.nat(11)
const isForged = fc.boolean()

function record<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  // Printed as it is written in a failure.
  return fc.record(model, { noNullPrototype: true })
}

function just<T extends string>(...names: T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...names)
}

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined })
}

function sealBy(by: fc.Arbitrary<Role>, opens: fc.Arbitrary<Seal['opens']>): fc.Arbitrary<Seal> {
  return record({
    do: just('seal'),
    by,
    visibility: fc.oneof(just('public'), just(...VISIBILITIES)),
    to: just('addressee', 'claimant', 'author', 'nobody here'),
    opens,
    file: just('none', ...FILE_TYPES),
    pick,
    isForged,
  })
}

const query = record({
  q: maybe(just(...SEARCHED_WORDS)),
  visibility: maybe(just('all', ...VISIBILITIES)),
  status: maybe(just('all', 'revealed', 'pending')),
  category: maybe(just(...CATEGORIES.slice(0, 2))),
  sort: maybe(just(...SORTS)),
  limit: maybe(fc.integer({ min: 1, max: 3 })),
})
const of = just('everyone', 'everyone', 'author', 'friend')
const range = maybe(just('bytes=0-99', 'bytes=-1', 'bytes=40-', 'bytes=9999999-'))
const change = just(...CHANGES)

const WEIGHTED: [number, fc.Arbitrary<Step>][] = [
  [4, sealBy(mostlyAuthor, just('soon', 'far'))],
  [5, record({ do: just('edit'), by: mostlyAuthor, item, change, pick, isForged })],
  [1, record({ do: just('withdraw'), by: mostlyAuthor, item })],
  [3, record({ do: just('notify'), by: mostlyAuthor, item })],
  [4, record({ do: just('read', 'view'), by: caller, item })],
  [4, record({ do: just('list'), by: caller, of, query, isPaged: fc.boolean() })],
  [3, record({ do: just('fetch'), by: caller, item, door: just(...DOORS), range })],
  [1, record({ do: just('get a job'), by: role, item })],
  [1, record({ do: just('sign in'), by: role })],
  [1, record({ do: just('register'), name: fc.nat(99) })],
  [
    4,
    record({
      do: just('wait'),
      until: just('1 h', '7 h', '30 h', 'just before', 'the instant'),
    }),
  ],
  [3, record({ do: just('work') })],
]
const step = fc.oneof(...WEIGHTED.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Two letters or three that stay locked to begin with, neighbours unlike each other, then anything. */
export const traces: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(sealBy(just('author'), just('far')), { minLength: 2, maxLength: 3 }),
    fc.array(step, { minLength: 5, maxLength: 14 }),
  )
  .map(([seals, steps]) => [
    ...seals.map((seal, index) => ({ ...seal, pick: 2 * seal.pick + index })),
    ...steps,
  ])
