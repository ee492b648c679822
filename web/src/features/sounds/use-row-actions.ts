import { useLayoutEffect, useRef, useState } from 'react'
import type { RowActions } from './sound-row.tsx'
import { useTurnFavorite } from './sounds.queries.ts'
import { useDownload } from './use-download.ts'
import type { SoundPlayer } from './use-sound-player.ts'

/** What rows ask for. The object stays the same, so that a row renders only when its own sound changes. */
export function useRowActions(
  player: SoundPlayer,
  dialogs: Pick<RowActions, 'explainLock' | 'askDelete'>,
): RowActions {
  const turnFavorite = useTurnFavorite()
  const download = useDownload()
  const newest = useRef({ player, turnFavorite, download, ...dialogs })
  useLayoutEffect(() => {
    newest.current = { player, turnFavorite, download, ...dialogs }
  })
  const [actions] = useState<RowActions>(() => ({
    toggle: (id) => {
      const { player: now } = newest.current
      if (now.current?.id === id) now.toggle()
      else now.play(id)
    },
    turnFavorite: (sound) => newest.current.turnFavorite(sound),
    download: (sound) => void newest.current.download(sound),
    explainLock: (sound) => newest.current.explainLock(sound),
    askDelete: (sound) => newest.current.askDelete(sound),
  }))
  return actions
}
