import { expect, it } from 'vitest'
import { freeMemory, freeWholeMemory } from './free-memory.ts'
import { CHUNK_SIZE, SEALED_CHUNK_SIZE } from './sealing/sealed-format.ts'

it.each([CHUNK_SIZE, SEALED_CHUNK_SIZE])('%i bytes that are whole are given back', (size) => {
  const bytes = Buffer.allocUnsafeSlow(size)
  freeMemory(bytes)
  expect(bytes.length).toBe(0)
})

it('a part is given back with all around it, and only when that is asked for', () => {
  const whole = Buffer.alloc(8 * SEALED_CHUNK_SIZE)
  freeMemory(whole.subarray(1))
  expect(whole.length).toBe(8 * SEALED_CHUNK_SIZE)
  freeWholeMemory(whole.subarray(1))
  expect(whole.length).toBe(0)
})

it('the memory that small buffers share is left alone', () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')]
  freeWholeMemory(one)
  expect(String(other)).toBe('other')
})
