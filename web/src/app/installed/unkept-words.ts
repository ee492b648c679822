/** What is written in such a form is kept on the device as it is typed. */
const KEPT = '[data-kept]'
const WORDS =
  'textarea, input:not([type="search"], [type="file"], [type="checkbox"], [type="radio"])'

let typedAt: string | undefined

/** Notes on which page something was typed that a reload would erase. */
export function watchTyping(): void {
  document.addEventListener(
    'input',
    ({ target }) => {
      const isWords = target instanceof Element && target.matches(WORDS) && !target.closest(KEPT)
      if (isWords) typedAt = window.location.pathname
    },
    { capture: true },
  )
}

/** Whether the page of now may hold words that are nowhere else. */
export function holdsUnkeptWords(): boolean {
  return typedAt === window.location.pathname
}
