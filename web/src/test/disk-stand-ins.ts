import 'fake-indexeddb/auto'
import { afterAll, beforeAll, vi } from 'vitest'

const databases = globalThis.indexedDB
Reflect.deleteProperty(globalThis, 'indexedDB')

/**
 * What jsdom does not have of databases, for all tests of a file: what was asked of one may end after its test. Each test
 * deletes those it makes.
 */
export function standInForDatabases(): void {
  beforeAll(() => {
    globalThis.indexedDB = databases
  })
  afterAll(() => void Reflect.deleteProperty(globalThis, 'indexedDB'))
}

/** Node copies what goes to the disk, and knows nothing of the Blobs of jsdom: they never change, so they are shared. */
export function storeBlobsWhole(): void {
  const copy = globalThis.structuredClone
  const copyDeep = (value: unknown): unknown => {
    if (value instanceof Blob) return value
    if (Array.isArray(value)) return value.map(copyDeep)
    if (value !== null && typeof value === 'object' && value.constructor === Object) {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyDeep(part)]))
    }
    return copy(value)
  }
  vi.stubGlobal('structuredClone', copyDeep)
}

/** A device with so much room left on its disk, in bytes. */
export function standInForDisk({ room }: { room: number }): void {
  storeBlobsWhole()
  const estimate = async () => ({ quota: room, usage: 0 })
  Object.defineProperty(navigator, 'storage', { value: { estimate }, configurable: true })
}
