import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'inline-boot.js'), 'utf8')
const STORED = '{"state":{"hasVisited":true},"version":0}'
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  document.documentElement.className = ''
})

/** Opens a page as a browser does before it paints: where it is led, and what its root is marked with. */
function openAt(address: string, userAgent = navigator.userAgent) {
  const replace = vi.fn<(to: string) => void>()
  const { pathname, search, hash } = new URL(address, 'https://exemple.test')
  const run = new Function('location', 'navigator', 'addEventListener', SCRIPT)
  run({ pathname, search, hash, replace }, { userAgent }, () => undefined)
  return { ledTo: replace.mock.calls.flat(), marks: document.documentElement.className }
}

test('a first visit to the home page is led to the demo, once', () => {
  expect(openAt('/')).toEqual({ ledTo: ['/demo'], marks: 'is-leaving' })
  expect(localStorage.getItem('demo-store')).toBe(STORED)
  document.documentElement.className = ''
  expect(openAt('/')).toEqual({ ledTo: [], marks: '' })
})

test.each(['/legal', '/?status=revealed', '/demo'])('a link to %s leads there', (address) => {
  expect(openAt(address)).toEqual({ ledTo: [], marks: '' })
  expect(localStorage.getItem('demo-store')).toBeNull()
})

test('what indexes pages stays on the home page', () => {
  expect(openAt('/', CRAWLER)).toEqual({ ledTo: [], marks: '' })
})

test('whoever is signed in stays, and is not shown the page of a visitor', () => {
  localStorage.setItem('auth_token', 'un-jeton')
  expect(openAt('/')).toEqual({ ledTo: [], marks: 'is-known' })
})

test('whoever holds the key of a letter is not shown the page of a visitor', () => {
  expect(openAt('/revelation/un#cle=secret').marks).toBe('is-known')
  document.documentElement.className = ''
  sessionStorage.setItem('delivery-key:un', 'secret')
  expect(openAt('/revelation/un').marks).toBe('is-known')
})

test('a browser that keeps nothing is led nowhere', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('', 'SecurityError')
  })
  expect(openAt('/')).toEqual({ ledTo: [], marks: '' })
})
