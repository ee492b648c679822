import { useLayoutEffect, useRef, useState } from 'react'
import type { RowActions } from './sound-row.tsx'
import type { SoundPlayer } from './use-sound-player.ts'

/** What rows ask for. The object stays the same, so that a row renders only when its own sound changes. */
export function useRowActions(
  player: SoundPlayer,
  dialogs: Pick<RowActions, 'explainLock' | 'askDelete'>,
): RowActions {
  const newest = useRef({ player, dialogs })
  useLayoutEffect(() => {
    newest.current = { player, dialogs }
  })
  const [actions] = useState<RowActions>(() => ({
    toggle: (id) => {
      const { player: now } = newest.current
      if (now.current?.id === id) now.toggle()
      else now.play(id)
    },
    explainLock: (sound) => newest.current.dialogs.explainLock(sound),
    askDelete: (sound) => newest.current.dialogs.askDelete(sound),
  }))
  return actions
}
