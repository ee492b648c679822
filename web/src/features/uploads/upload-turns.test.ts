import { expect, test } from 'vitest'
import { createUploadTurns } from './upload-turns.ts'

/** Two turns, and who has begun. */
function turnsOfTwo() {
  const turns = createUploadTurns(2)
  const begun: string[] = []
  const acquire = (name: string, signal = new AbortController().signal) =>
    turns.acquire(signal).then((end) => {
      begun.push(name)
      return end
    })
  return { turns, begun, acquire }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('few run at once, and the others follow in their order', async () => {
  const { turns, begun, acquire } = turnsOfTwo()
  const [first, , third, fourth] = ['a', 'b', 'c', 'd'].map((name) => acquire(name))
  expect(turns.areFull()).toBe(true)
  await settled()
  expect(begun).toEqual(['a', 'b'])
  const endFirst = await first
  endFirst?.()
  // An end that is said twice frees one turn.
  endFirst?.()
  await third
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
  ;(await third)?.()
  await fourth
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('who gives up leaves its place to the next', async () => {
  const { turns, begun, acquire } = turnsOfTwo()
  const abandoned = new AbortController()
  const [first, second] = [acquire('a'), acquire('b')]
  const third = acquire('c', abandoned.signal)
  const fourth = acquire('d')
  abandoned.abort()
  ;(await third)()
  await settled()
  expect(begun, 'an end of what never began frees nothing').not.toContain('d')
  ;(await first)()
  await fourth
  ;(await second)()
  ;(await fourth)()
  expect(turns.areFull()).toBe(false)
})
