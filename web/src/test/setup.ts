import { cleanup, configure } from '@testing-library/react'
import { options } from 'preact'
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from 'vitest'
import { forgetServerClock } from '#web/lib/server-clock.ts'
import { fakeServer } from './fake-api.ts'

// The first test of a page also waits for the page’s code, and a starved machine for everything.
configure({ asyncUtilTimeout: 120_000 })

// What effects do is done before anything is looked at, not a frame later.
options.requestAnimationFrame = queueMicrotask

let consoleError: MockInstance<typeof console.error>

beforeAll(() => {
  fakeServer.listen({ onUnhandledFrame: 'error' })
  // What jsdom does not have: nothing scrolls, nothing comes into view, no pointer is captured.
  Element.prototype.setPointerCapture = () => {}
  window.scrollTo = () => {}
  Element.prototype.scrollIntoView = () => {}
  window.IntersectionObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return []
    }
  } as unknown as typeof IntersectionObserver
})

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error')
})

afterEach(() => {
  cleanup()
  fakeServer.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
  forgetServerClock()
  expect(consoleError.mock.calls, 'nothing is written to console.error').toEqual([])
})

afterAll(() => fakeServer.close())
