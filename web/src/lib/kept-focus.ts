/**
 * A list may lose the very row whose button was pressed, and the keyboard with it. Called at the press; the answer is
 * to be called once what the page shows of it has been asked again.
 */
export function keepFocus(): () => void {
  const pressed = document.activeElement
  const holder = pressed?.closest<HTMLElement>('[role=tabpanel]') ?? document.querySelector('main')
  // Somebody without a keyboard may have pressed without ever having the focus.
  if (!pressed || pressed === document.body) return () => {}
  const giveBack = () => {
    if (document.activeElement === document.body) holder?.focus({ preventScroll: true })
  }
  // Queries tell the page of their answers by a timer, which may come after the next frame.
  return () => setTimeout(() => requestAnimationFrame(giveBack))
}
