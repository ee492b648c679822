/** What somebody did before the page had any code, as `inline-boot.js` recorded it. */
type EarlyGesture =
  | { type: 'click'; target: HTMLElement }
  | { type: 'input'; target: HTMLInputElement; value: string | boolean }
  | { type: 'submit'; target: HTMLFormElement; submitter: HTMLElement | null }

declare global {
  interface Window {
    drainEarlyGestures?: () => EarlyGesture[]
  }
}

/** Does again, once and in its order, what was done before React listened; what has left the page is dropped. */
export function replayGestures(gestures: EarlyGesture[]): void {
  for (const gesture of gestures.splice(0)) {
    if (gesture.target.isConnected) repeat(gesture)
  }
}

function repeat(gesture: EarlyGesture): void {
  const { type, target } = gesture
  if (type === 'click') target.click()
  else if (type === 'submit') target.requestSubmit(gesture.submitter)
  else if (typeof gesture.value === 'string') typeAgain(target, target.value || gesture.value)
  else if (target.checked !== gesture.value) target.click()
}

function typeAgain(field: HTMLInputElement, value: string): void {
  // React compares with what was last written through the field itself: emptied that way, then filled behind its back.
  field.value = ''
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
  native?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
