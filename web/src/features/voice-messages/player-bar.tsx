import { ChevronUp, SkipForward } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { usePlayerKeys } from './player-keys.ts'
import { PlayButton, PlayerPanel } from './player-panel.tsx'
import { usePosition } from './seek-slider.tsx'
import type { VoicePlayer } from './use-voice-player.ts'

/** The small player at the bottom of a phone; a tap on the title opens the whole player. */
export function PlayerBar({ player }: { player: VoicePlayer }) {
  const [isOpen, setOpen] = useState(false)
  const onKeyDown = usePlayerKeys(player)
  const { current, state } = player
  if (!current) return null
  return (
    <>
      <div className="-mx-4 sticky bottom-(--bottom-bar) z-30 border-line border-t bg-surface px-3 pb-[max(0px,env(safe-area-inset-bottom)-var(--bottom-bar))] text-ink shadow-soft sm:mx-0 sm:rounded-t-card sm:border-x">
        <PositionLine player={player} />
        <div className="flex h-16 items-center gap-1.5">
          <button
            type="button"
            aria-label={`Ouvrir le lecteur\u202F: ${current.title}`}
            onClick={() => setOpen(true)}
            className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-field text-left"
          >
            <Avatar name={current.author_pseudo} src={current.author_avatar} className="size-11!" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold leading-snug">{current.title}</span>
              <span className="block truncate text-ink-soft text-sm">
                {state === 'failed' ? 'Lecture impossible' : `@${current.author_pseudo}`}
              </span>
            </span>
            <ChevronUp aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
          </button>
          <PlayButton player={player} small />
          <IconButton
            label="Message suivant"
            icon={<SkipForward aria-hidden="true" className="size-5 fill-current" />}
            onClick={player.next}
          />
        </div>
      </div>
      <Dialog open={isOpen} onOpenChange={setOpen} title="En écoute">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the same shortcuts as on the page, which does not get the keys of a dialog */}
        <div data-player-sheet="" onKeyDown={onKeyDown} className="mt-3">
          <PlayerPanel player={player} />
        </div>
      </Dialog>
    </>
  )
}

function PositionLine({ player: { media, length } }: { player: VoicePlayer }) {
  const place = usePosition(media)
  const percent = length > 0 ? Math.min(100, (100 * place) / length) : 0
  return (
    <div aria-hidden="true" className="-mx-3 -mt-px h-0.5 overflow-hidden">
      <div
        className="h-full origin-left bg-wax-ink"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  )
}
