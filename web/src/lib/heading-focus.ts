/*
 * On a page made by the browser nothing tells a screen reader that the page has turned. The new page's heading
 * takes the focus, when it appears, unless the person has begun to do something meanwhile.
 */
let isWanted = false

/** The page has turned: the next heading that appears is to be focused. */
export function requestHeadingFocus(): void {
  isWanted = true
  window.addEventListener('keydown', resetHeadingFocus, { once: true })
  window.addEventListener('pointerdown', resetHeadingFocus, { once: true })
}

export function takeHeadingFocus(heading: HTMLElement): void {
  if (!isWanted) return
  resetHeadingFocus()
  heading.focus({ preventScroll: true })
}

/** No heading is to be focused any more: the person does something, or a test is over. */
export function resetHeadingFocus(): void {
  isWanted = false
  window.removeEventListener('keydown', resetHeadingFocus)
  window.removeEventListener('pointerdown', resetHeadingFocus)
}
