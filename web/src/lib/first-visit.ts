/*
 * Whether this browser was here before (behaviour.md 1.3). `before-paint.js` reads and writes the same entry
 * when a page is loaded.
 */
const KEY = 'demo-store'

/** True where nothing can be kept: whoever cannot be remembered would be led to the demo again and again. */
export function hasVisited(): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return kept?.state?.hasVisited === true
  } catch {
    return true
  }
}

export function markVisited(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ state: { hasVisited: true }, version: 0 }))
  } catch {
    // Then it is not remembered.
  }
}
