import { expect, it } from 'vitest'
import { isNarrowerOrSame, refuseFileWords, visibilityOf } from './revelations.rules.ts'

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

it.each([
  ['WEBVTT\n00:00.000 --> 00:01.000\nOui', undefined],
  ['WEBVTT - à la cerisaie\nSTYLE\n\n1\n00:00:00.000 --> 00:00:01.000\nOui', undefined],
  ['WEBVTTOO\n\n00:00.000 --> 00:01.000\nOui', expect.any(String)],
  ['WEBVTT 00:00.000 --> 00:01.000', expect.any(String)],
])('knows the captions of a film: %j', (words, refusal) => {
  expect(refuseFileWords('video', words)).toEqual(refusal)
})

it('keeps nobody waiting for captions without an end', () => {
  const startedAt = performance.now()
  for (const line of ['\n', '00:00.000 \n', '00:00.000\t']) {
    const words = `WEBVTT\n${line.repeat(200_000 / line.length)}Oui`
    expect(refuseFileWords('video', words)).toEqual(expect.any(String))
  }
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
