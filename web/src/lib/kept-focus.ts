/**
 * A list may lose the very row whose button was pressed, and the keyboard with it. Called at the press; the answer is
 * to be called once the page shows what came of it.
 */
export function keepFocus(): () => void {
  const pressed = document.activeElement
  const holder = pressed?.closest<HTMLElement>('[role=tabpanel]') ?? document.querySelector('main')
  // Somebody without a keyboard may have pressed without ever having the focus.
  if (!pressed || pressed === document.body) return () => {}
  let frames = 10
  const giveBack = () => {
    if (document.activeElement === document.body) holder?.focus({ preventScroll: true })
    // The row is still there: it leaves with one of the next frames, or stays.
    else if (document.activeElement === pressed && frames-- > 0) requestAnimationFrame(giveBack)
  }
  return () => requestAnimationFrame(giveBack)
}
