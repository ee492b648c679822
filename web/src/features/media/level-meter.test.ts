import { expect, test } from 'vitest'
import { loudness } from './level-meter.tsx'

const voice = (strength: number) => new Float32Array(1024).fill(strength)

test('silence draws nothing, a shout draws all, and twice as loud is one step more', () => {
  expect(loudness(voice(0))).toBe(0)
  expect(loudness(voice(1))).toBe(1)
  const steps = [0.05, 0.1, 0.2, 0.4].map((strength) => loudness(voice(strength)))
  const rises = steps.slice(1).map((level, place) => level - (steps[place] ?? 0))
  for (const rise of rises) expect(rise).toBeCloseTo(0.1, 2)
})
