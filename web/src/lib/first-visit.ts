/*
 * Whether this browser was here before (behaviour.md 1.3). `inline-boot.js` reads and writes the same entry
 * when a page is loaded.
 */
const KEY = 'demo-store'

/** True where nothing can be stored, so that nobody is led to the demo again and again. */
export function hasVisited(): boolean {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return stored?.state?.hasVisited === true
  } catch {
    return true
  }
}

export function markVisited(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ state: { hasVisited: true }, version: 0 }))
  } catch {
    // The next visit is a first one again.
  }
}
