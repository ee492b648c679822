import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newDataKey } from '#testing/sealed-bytes.ts'
import { SealBroken } from './sealed-format.ts'
import { openText, sealText } from './sealed-text.ts'

const key = await newDataKey()

test('any well-formed text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string(), (text, field) => {
      expect(openText(key, field, sealText(key, field, text))).toBe(text)
    }),
  )
})

test('a text shows nothing of itself, and never the same bytes twice', () => {
  const sealed = sealText(key, 'content', 'La réponse est oui.')

  expect(sealed.includes('réponse')).toBe(false)
  expect(sealText(key, 'content', 'La réponse est oui.').equals(sealed)).toBe(false)
})

test('a text opens under its own field and its own key only', async () => {
  const sealed = sealText(key, 'content', 'La réponse est oui.')

  expect(() => openText(key, 'file_name', sealed)).toThrow(SealBroken)
  expect(() => openText(key, '', sealed)).toThrow(SealBroken)
  const other = await newDataKey()
  expect(() => openText(other, 'content', sealed)).toThrow(SealBroken)
})

test('a text altered at any bit, cut or lengthened does not open', () => {
  const sealed = sealText(key, 'content', 'La réponse est oui.')

  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => openText(key, 'content', altered)).toThrow(SealBroken)
  }
  for (let size = 0; size < sealed.length; size += 1) {
    expect(() => openText(key, 'content', sealed.subarray(0, size))).toThrow(SealBroken)
  }
  expect(() => openText(key, 'content', Buffer.concat([sealed, Buffer.of(0)]))).toThrow(SealBroken)
})

test('a text that UTF-8 would change is refused rather than changed', () => {
  expect(() => sealText(key, 'content', 'a\ud800b')).toThrow(TypeError)
})
