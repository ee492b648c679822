import { describe, expect, it } from 'vitest'
import { counted } from './mail-content.ts'

describe('counted', () => {
  it.each([
    [0, '0 réaction'],
    [1, '1 réaction'],
    [2, '2 réactions'],
  ])('writes %d as « %s »', (number, words) => {
    expect(counted(number, 'réaction', 'réactions')).toBe(words)
  })
})
