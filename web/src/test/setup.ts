// Before React, which looks for it once.
import './watch-renders.ts'
import { focusManager } from '@tanstack/react-query'
import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from 'vitest'
import { resetInterrupted } from '#web/features/uploads/interrupted-upload.ts'
import { resetUnauthorized } from '#web/lib/api-client.ts'
import { resetServerClock } from '#web/lib/clock.ts'
import { resetBrowserTimeZone } from '#web/lib/dates.ts'
import { resetHeadingFocus } from '#web/lib/focus.ts'
import { setReachable } from '#web/lib/online.ts'
import { resetToasts } from '#web/ui/toasts.tsx'
import { resetBrowser } from './browser.ts'
import { fakeServer } from './fake-api.ts'

const EFFECT_ROUNDS = 3
// As React’s scheduler has it: before any test replaces the timers.
const nextRound = globalThis.setImmediate
const { asyncWrapper } = getConfig()

// What was waited for is in the document before its effects have run: a dialog, for one, takes the pointer in them.
configure({
  asyncWrapper: (callback) =>
    asyncWrapper(async () => {
      const result = await callback()
      for (let round = 0; round < EFFECT_ROUNDS; round++)
        await new Promise<void>((resolve) => nextRound(() => resolve()))
      return result
    }),
})

let consoleError: MockInstance<typeof console.error>

beforeAll(() => fakeServer.listen({ onUnhandledFrame: 'error' }))

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error')
})

afterEach(() => {
  cleanup()
  fakeServer.resetHandlers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  const written = consoleError.mock.calls
  vi.restoreAllMocks()
  resetBrowser()
  resetModules()
  expect(written, 'nothing is written to console.error').toEqual([])
})

afterAll(() => fakeServer.close())

/** What modules remember: test files that follow one another share them, and each test starts without a past. */
function resetModules(): void {
  resetServerClock()
  resetBrowserTimeZone()
  setReachable(true)
  resetUnauthorized()
  resetHeadingFocus()
  resetInterrupted()
  resetToasts()
  focusManager.setFocused(undefined)
}
