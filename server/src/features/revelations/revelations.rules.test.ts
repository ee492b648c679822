import { expect, it } from 'vitest'
import { isNarrowerOrSame, visibilityOf } from './revelations.rules.ts'

it('knows which audience is narrower', () => {
  expect(isNarrowerOrSame('private', 'public')).toBe(true)
  expect(isNarrowerOrSame('friends', 'friends')).toBe(true)
  expect(isNarrowerOrSame('public', 'family')).toBe(false)
})

it('takes the narrower of two visibilities that contradict each other', () => {
  expect(visibilityOf({ visibility: 'public', is_private: true })).toBe('private')
  expect(visibilityOf({ visibility: 'friends', is_private: false })).toBe('friends')
  expect(visibilityOf({ is_private: false })).toBeUndefined()
})
