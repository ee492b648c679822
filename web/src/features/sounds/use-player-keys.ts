import type { KeyboardEvent } from 'react'
import type { SoundPlayer } from './use-sound-player.ts'

const STEP_SECONDS = 5

/**
 * The keys of the player, while the focus is on it or on its list: nowhere else, and never where somebody types or
 * where the key already does something.
 */
export function usePlayerKeys(player: SoundPlayer) {
  return (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof Element) || hasOwnKeys(event.target, event.key)) return
    const action = actionOf(player, event.key)
    if (!action) return
    event.preventDefault()
    action()
  }
}

function actionOf(player: SoundPlayer, key: string): (() => void) | undefined {
  switch (key.toLowerCase()) {
    case ' ':
    case 'k':
      return player.toggle
    case 'n':
      return player.next
    case 'p':
      return player.previous
    case 'm':
      return player.toggleMuted
    case 's':
      return player.toggleShuffle
    case 'arrowleft':
      return () => player.seekBy(-STEP_SECONDS)
    case 'arrowright':
      return () => player.seekBy(STEP_SECONDS)
    default:
      return undefined
  }
}

function hasOwnKeys(target: Element, key: string): boolean {
  if (target.closest('input:not([type=range]), textarea, select, [contenteditable]')) return true
  const layer = target.closest('[role=menu], [role=dialog], [role=alertdialog]')
  if (layer && !layer.querySelector('[data-player-sheet]')) return true
  if (key === ' ') return target.closest('button, a, summary, [role=button]') !== null
  return key.startsWith('Arrow') && target.closest('input, [role=slider]') !== null
}
