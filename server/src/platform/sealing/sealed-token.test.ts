import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openToken, sealToken } from './sealed-text.ts'

const secret = randomBytes(32)

it('opens what it sealed, whatever it says, and the same facts make the same token', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (facts) => {
      const token = sealToken(secret, 'mail', facts)
      expect(token).toMatch(/^[\w-]+$/)
      expect(openToken(secret, 'mail', token)).toEqual(facts)
      expect(sealToken(secret, 'mail', facts)).toBe(token)
    }),
  )
})

it('shows nothing of what it says', () => {
  const token = sealToken(secret, 'mail', 'quelquun@exemple.test')
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('quelquun')
})

it('opens for no other purpose, under no other secret, and not when a single bit was changed', () => {
  const token = sealToken(secret, 'mail', ['a@exemple.test'])
  expect(openToken(secret, 'other', token)).toBeUndefined()
  expect(openToken(randomBytes(32), 'mail', token)).toBeUndefined()
  const bytes = Buffer.from(token, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const altered = Buffer.from(bytes)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(openToken(secret, 'mail', altered.toString('base64url'))).toBeUndefined()
  }
})

it.each(['', 'é', 'a', '....', 'A'.repeat(2000)])('opens nothing in « %s »', (token) => {
  expect(openToken(secret, 'mail', token)).toBeUndefined()
})
