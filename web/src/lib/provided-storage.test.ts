import { afterEach, expect, it, vi } from 'vitest'
import { isStorageTemporary, provideStorages } from './provided-storage.ts'

const own = Object.getOwnPropertyDescriptor(window, 'localStorage')

afterEach(() => {
  vi.restoreAllMocks()
  if (own) Object.defineProperty(window, 'localStorage', own)
})

function refuse(get: () => Storage | null): void {
  Object.defineProperty(window, 'localStorage', { configurable: true, get })
}

it.each([
  [
    'refuses',
    () => {
      throw new DOMException('denied', 'SecurityError')
    },
  ],
  ['lacks', () => null],
])('gives the page a storage of its own where the browser %s one', async (_, get) => {
  refuse(get)
  await provideStorages()
  localStorage.setItem('one', 'un')
  localStorage.setItem('two', 'deux')
  expect(Object.keys(localStorage)).toEqual(['one', 'two'])
  expect(localStorage.getItem('one')).toBe('un')
  expect([localStorage.length, localStorage.key(1)]).toEqual([2, 'two'])
  localStorage.removeItem('one')
  expect(localStorage.getItem('one')).toBeNull()
  localStorage.clear()
  expect([localStorage.length, isStorageTemporary()]).toEqual([0, true])
})

it('gives one where there is no room for anything, and leaves one that is merely full', async () => {
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  localStorage.setItem('kept', 'oui')
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(full)
  await provideStorages()
  expect(localStorage.getItem('kept')).toBe('oui')
  localStorage.clear()
  await provideStorages()
  localStorage.setItem('later', 'oui')
  expect(localStorage.getItem('later')).toBe('oui')
})

it('leaves the storages of a browser that has them', async () => {
  const before = localStorage
  await provideStorages()
  expect(localStorage).toBe(before)
  expect([before.length, isStorageTemporary()]).toEqual([0, false])
})
