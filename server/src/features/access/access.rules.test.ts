import { describe, expect, it } from 'vitest'
import { VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import {
  canPreview,
  canRead,
  canViewEnvelope,
  isRevealed,
  type ViewerRelation,
} from './access.rules.ts'

const INSTANT = new Date('2027-01-01T00:00:00Z')
const BEFORE = new Date(INSTANT.getTime() - 1)
const STRANGER: ViewerRelation = {
  isAuthor: false,
  relationship: undefined,
  deliveryIds: [],
}
const VIEWERS = {
  stranger: STRANGER,
  friend: { ...STRANGER, relationship: 'friend' },
  family: { ...STRANGER, relationship: 'family' },
  addressee: { ...STRANGER, deliveryIds: ['first'] },
  secondAddressee: { ...STRANGER, deliveryIds: ['second'] },
  author: { ...STRANGER, isAuthor: true },
} satisfies Record<string, ViewerRelation>

// What each viewer sees: before the instant | after it (E envelope, L letter, - nothing).
const TABLE: Record<keyof typeof VIEWERS, Record<Visibility, string>> = {
  stranger: { public: 'E|L', friends: '-|-', family: '-|-', private: '-|-' },
  friend: { public: 'E|L', friends: 'E|L', family: '-|-', private: '-|-' },
  family: { public: 'E|L', friends: 'E|L', family: 'E|L', private: '-|-' },
  addressee: { public: 'E|L', friends: '-|L', family: '-|L', private: '-|L' },
  secondAddressee: { public: 'E|L', friends: '-|L', family: '-|L', private: '-|L' },
  author: { public: 'L|L', friends: 'L|L', family: 'L|L', private: 'L|L' },
}
const NOTIFIED_ADDRESSEE = { public: 'E|L', friends: 'E|L', family: 'E|L', private: '-|L' }

function seen(
  relation: ViewerRelation,
  visibility: Visibility,
  isNotified: boolean,
  hiddenAt: Date | null = null,
): string {
  const recipients = ['first', 'second'].map((deliveryId) => ({ deliveryId, isNotified }))
  const revelation = { visibility, revealAt: INSTANT, recipients, hiddenAt }
  return [BEFORE, INSTANT]
    .map((now) =>
      canRead(relation, revelation, now)
        ? 'L'
        : canViewEnvelope(relation, revelation, now)
          ? 'E'
          : '-',
    )
    .join('|')
}

describe('the access table', () => {
  const cells = VISIBILITIES.flatMap((visibility) =>
    (Object.keys(VIEWERS) as (keyof typeof VIEWERS)[]).flatMap((viewer) =>
      [false, true].map((notified) => ({ viewer, visibility, notified })),
    ),
  )
  it.each(cells)(
    '$viewer, $visibility, addressee notified: $notified',
    ({ viewer, visibility, notified }) => {
      const expected =
        viewer.toLowerCase().endsWith('addressee') && notified
          ? NOTIFIED_ADDRESSEE[visibility]
          : TABLE[viewer][visibility]
      expect(seen(VIEWERS[viewer], visibility, notified)).toBe(expected)
    },
  )
  it.each(cells)(
    '$viewer, $visibility, notified: $notified, once hidden',
    ({ viewer, visibility, notified }) => {
      const expected = viewer === 'author' ? 'L|L' : '-|-'
      expect(seen(VIEWERS[viewer], visibility, notified, BEFORE)).toBe(expected)
    },
  )
})

it.each([
  ['first', 'addressee', true],
  ['first', 'secondAddressee', false],
  ['second', 'addressee', false],
  ['second', 'secondAddressee', true],
] as const)(
  'the %s recipient notified, before the instant %s knows: %s',
  (notified, viewer, isKnown) => {
    const revelation = {
      visibility: 'friends' as const,
      revealAt: INSTANT,
      recipients: ['first', 'second'].map((deliveryId) => ({
        deliveryId,
        isNotified: deliveryId === notified,
      })),
      hiddenAt: null,
    }
    expect(canViewEnvelope(VIEWERS[viewer], revelation, BEFORE)).toBe(isKnown)
  },
)

it('reveals at the instant, to the millisecond', () => {
  expect(isRevealed({ revealAt: INSTANT }, BEFORE)).toBe(false)
  expect(isRevealed({ revealAt: INSTANT }, INSTANT)).toBe(true)
})

it('shows a file that nothing uses to its sender alone', () => {
  expect(canPreview('me', { ownerId: 'me' })).toBe(true)
  expect(canPreview('you', { ownerId: 'me' })).toBe(false)
  expect(canPreview(undefined, { ownerId: 'me' })).toBe(false)
})
