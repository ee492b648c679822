/** Asked when something is about to move: whoever prefers it sees where it ends at once. */
export function wantsLessMotion(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
}
