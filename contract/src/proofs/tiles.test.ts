import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesFor, TestLog } from '../../test/log.ts'
import { hexOf } from './bytes.ts'
import { hashComplete, parseTilePath, tileOf, tilePath, widthIn } from './tiles.ts'
import { nodesOf, wholeTree } from './tree-paths.ts'

test('a tile has one address, spelled as C2SP has it', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('0/x001/x234/067')
  expect(tilePath({ level: 1, index: 5, width: 7 })).toBe('1/005.p/7')
  fc.assert(
    fc.property(
      fc.record({
        level: fc.integer({ min: 0, max: 6 }),
        index: fc.nat({ max: 2 ** 40 }),
        width: fc.integer({ min: 1, max: 256 }),
      }),
      (tile) => {
        expect(parseTilePath(tilePath(tile))).toEqual(tile)
      },
    ),
  )
})

test.each(['0/5', '0/x000/005', '00/005', '0/005.p/0', '0/005.p/256', '0/005.p/07', '7/000', '0/'])(
  '« %s » is the address of no tile',
  (path) => {
    expect(parseTilePath(path)).toBeUndefined()
  },
)

test('every node of a tree comes out of its tiles', () => {
  const size = 1_500
  const log = new TestLog()
  for (let number = 0; number < size; number += 1) log.append(bytesFor(String(number)))
  for (const node of nodesOf(wholeTree(size))) {
    const { level, index, offset, count } = tileOf(node)
    expect(widthIn(size, level, index)).toBeGreaterThanOrEqual(offset + count)
    const hashes = (log.levels[level * 8] ?? []).slice(index * 256, (index + 1) * 256)
    const found = hashComplete(hashes.slice(offset, offset + count))
    expect(hexOf(found)).toBe(
      hexOf(
        log.hashOf({
          start: node.index * 2 ** node.level,
          end: (node.index + 1) * 2 ** node.level,
        }),
      ),
    )
  }
})
