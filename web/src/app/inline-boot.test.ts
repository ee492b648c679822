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
  document.body.replaceChildren()
})

/** Opens a page as a browser does before it paints: where it is led, and what its root is marked with. */
function openAt(address: string, userAgent = navigator.userAgent) {
  const onParsed: (() => void)[] = []
  const listen = (type: string, listener: () => void) => {
    if (type === 'DOMContentLoaded') onParsed.push(listener)
  }
  const replace = vi.fn<(to: string) => void>()
  const { pathname, search, hash } = new URL(address, 'https://exemple.test')
  const names = ['location', 'navigator', 'addEventListener', 'PerformanceObserver']
  const run = new Function(...names, SCRIPT)
  const observer = class {
    observe() {}
  }
  run({ pathname, search, hash, replace }, { userAgent }, listen, observer)
  const marks = document.documentElement.className
  return {
    ledTo: replace.mock.calls.flat(),
    marks,
    /** The server's page has arrived: what the root is marked with by then. */
    marksOnceParsed: (page: string) => {
      document.body.innerHTML = page
      for (const listener of onParsed) listener()
      return document.documentElement.className
    },
  }
}

test('a first visit to the home page is led to the demo, once', () => {
  expect(openAt('/')).toMatchObject({ ledTo: ['/demo'], marks: 'is-leaving' })
  expect(localStorage.getItem('demo-store')).toBe(STORED)
  document.documentElement.className = ''
  expect(openAt('/')).toMatchObject({ ledTo: [], marks: '' })
})

test.each(['/legal', '/?status=revealed', '/demo'])('a link to %s leads there', (address) => {
  expect(openAt(address)).toMatchObject({ ledTo: [], marks: '' })
  expect(localStorage.getItem('demo-store')).toBeNull()
})

test('what indexes pages stays on the home page', () => {
  expect(openAt('/', CRAWLER)).toMatchObject({ ledTo: [], marks: '' })
})

test('whoever is signed in stays, and is not shown the page of a visitor', () => {
  localStorage.setItem('auth_token', 'un-jeton')
  expect(openAt('/')).toMatchObject({ ledTo: [], marks: 'is-known is-home' })
})

test('whoever holds the key of a letter is not shown the page of a visitor', () => {
  expect(openAt('/revelation/un#cle=secret').marks).toBe('is-known')
  document.documentElement.className = ''
  sessionStorage.setItem('delivery-key:un', 'secret')
  expect(openAt('/revelation/un').marks).toBe('is-known')
  sessionStorage.clear()
  document.documentElement.className = ''
  localStorage.setItem('delivery-key:un', 'secret')
  expect(openAt('/revelation/un').marks).toBe('is-known')
  document.documentElement.className = ''
  expect(openAt('/revelation/deux').marks).toBe('')
})

test('whoever keeps a letter on this device is not led to the demo', () => {
  localStorage.setItem('delivery-key:un', 'secret')
  expect(openAt('/')).toMatchObject({ ledTo: [], marks: '' })
})

test('whoever awaited a public letter is not shown its words, and its sealed page like anybody', () => {
  localStorage.setItem('awaited-letters', '["deux","un"]')
  const open = openAt('/revelation/un')
  expect(open.marks).toBe('is-awaited')
  expect(open.marksOnceParsed('<section class="paper-letter">…</section>')).toBe('is-known')
  document.documentElement.className = ''
  const sealed = openAt('/revelation/un')
  expect(sealed.marksOnceParsed('<article>…</article>')).toBe('')
  for (const address of ['/revelation/trois', '/revelation/', '/legal']) {
    expect(openAt(address).marks).toBe('')
  }
})

test('a browser that keeps nothing is led nowhere', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('', 'SecurityError')
  })
  expect(openAt('/')).toMatchObject({ ledTo: [], marks: '' })
})
