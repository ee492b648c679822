/*
 * On a page made by the browser nothing tells a screen reader that the page has turned. The new page's heading
 * takes the focus, when it appears, unless the person has begun to do something meanwhile.
 */
let isWanted = false

/** The page has turned: the next heading that appears is to be focused. */
export function requestHeadingFocus(): void {
  isWanted = true
  window.addEventListener('keydown', forget, { once: true })
  window.addEventListener('pointerdown', forget, { once: true })
}

export function takeHeadingFocus(heading: HTMLElement): void {
  if (!isWanted) return
  forget()
  heading.focus({ preventScroll: true })
}

function forget(): void {
  isWanted = false
  window.removeEventListener('keydown', forget)
  window.removeEventListener('pointerdown', forget)
}
