import { options } from 'preact'

/** What a person does once, and answers at once with the next thing: never what comes in a stream, as scrolling. */
const DISCRETE_EVENTS = new Set([
  'keydown',
  'keyup',
  'click',
  'pointerdown',
  'pointerup',
  'input',
  'change',
  'submit',
  'focusin',
  'focusout',
  'focus',
  'blur',
])

// What tests have replaced stays so: they load this file again after.
let replaced = options.requestAnimationFrame

/**
 * As React: effects of what a person did have run before the next key or tap arrives, all others after the next frame.
 * Preact has all of them wait, and a key pressed meanwhile goes to what had the focus before. It reads this option at each
 * effect, and empties its queue anew when the answer is another than before.
 */
Object.defineProperty(options, 'requestAnimationFrame', {
  configurable: true,
  enumerable: true,
  get: () => replaced ?? (DISCRETE_EVENTS.has(globalThis.event?.type) ? queueMicrotask : undefined),
  set: (schedule) => {
    replaced = schedule
  },
})
