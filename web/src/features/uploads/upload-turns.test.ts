import { expect, test } from 'vitest'
import { createUploadTurns } from './upload-turns.ts'

/** Takes a turn, and notes when it has come. */
function taker() {
  const turns = createUploadTurns(2)
  const begun: string[] = []
  const take = (name: string, signal = new AbortController().signal) =>
    turns.take(signal).then((end) => {
      begun.push(name)
      return end
    })
  return { turns, begun, take }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('few run at once, and the others follow in their order', async () => {
  const { turns, begun, take } = taker()
  const [first, , third, fourth] = ['a', 'b', 'c', 'd'].map((name) => take(name))
  expect(turns.areTaken()).toBe(true)
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
  const { turns, begun, take } = taker()
  const giveUp = new AbortController()
  const [first, second] = [take('a'), take('b')]
  const third = take('c', giveUp.signal)
  const fourth = take('d')
  giveUp.abort()
  ;(await third)()
  await settled()
  expect(begun, 'an end of what never began frees nothing').not.toContain('d')
  ;(await first)()
  await fourth
  ;(await second)()
  ;(await fourth)()
  expect(turns.areTaken()).toBe(false)
})
