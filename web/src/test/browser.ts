import { configure, getConfig } from '@testing-library/react'
import { answerStylesQuickly } from './quick-styles.ts'

/*
 * What is done once to the browser that all test files of a worker share: they follow one another in the same window, with
 * the same modules, which spares making both for each file. `resetBrowser` takes away what a test has changed.
 */

configure(({ getElementError }) => ({
  // The first test of a page also waits for the page’s code, and a starved machine for everything.
  asyncUtilTimeout: 120_000,
  // While something is awaited nobody reads why it is not there yet: the page is printed once, at the end.
  getElementError: (message, container) =>
    isAwaiting() ? new Error(message ?? '') : getElementError(message, container),
}))

function isAwaiting(): boolean {
  const { _disableExpensiveErrorDiagnostics: isAwaited } = getConfig() as {
    _disableExpensiveErrorDiagnostics?: boolean
  }
  return isAwaited === true
}

answerStylesQuickly()
// That of the messages changes nothing a test looks at, and jsdom would apply it to every element.
for (const style of document.querySelectorAll('style')) style.remove()

// What jsdom does not have: nothing scrolls, nothing comes into view, nothing has a size, no pointer is captured.
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
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** What tests define on these, which `vi.unstubAllGlobals` and `vi.restoreAllMocks` know nothing of. */
const known = new Map(
  [navigator, URL, HTMLImageElement.prototype].map((target) => [
    target as object,
    Object.getOwnPropertyDescriptors(target) as PropertyDescriptorMap,
  ]),
)

/** The browser as it is before the first test. */
export function resetBrowser(): void {
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
  document.title = ''
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const [target, properties] of known) {
    for (const name of Reflect.ownKeys(target)) {
      if (!Object.hasOwn(properties, name)) Reflect.deleteProperty(target, name)
    }
    Object.defineProperties(target, properties)
  }
}
