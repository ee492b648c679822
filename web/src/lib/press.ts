/** A finger that was lifted brings its click within that time, or none. */
const CLICK_LIMIT_MS = 400

let isPressed = false
let waiting: (() => void)[] = []
let limit: ReturnType<typeof setTimeout> | undefined

/**
 * Does at once what no press is waiting for, else after its click: what appears between the two moves what is under the
 * finger, and the click misses it.
 */
export function afterPress(action: () => void): void {
  if (isPressed) waiting.push(action)
  else action()
}

function begin(): void {
  clearTimeout(limit)
  isPressed = true
}

function end(): void {
  clearTimeout(limit)
  isPressed = false
  const actions = waiting
  waiting = []
  for (const action of actions) action()
}

/** Follows the presses of the page. Returns what stops it. */
export function watchPresses(): () => void {
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  window.addEventListener('pointerdown', begin, options)
  // The mouse events of a tap come after the finger has left.
  window.addEventListener('pointerup', () => (limit = setTimeout(end, CLICK_LIMIT_MS)), options)
  for (const type of ['click', 'pointercancel', 'keydown'])
    window.addEventListener(type, end, options)
  return () => {
    stop.abort()
    end()
  }
}
