import { Download, Trash2 } from 'lucide-react'
import type { Sound } from '#contract/sounds.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { isPlayable } from './play-order.ts'

interface SoundMenuProps {
  sound: Sound
  onDownload: (sound: Sound) => void
  onDelete: (sound: Sound) => void
}

/** What one seldom does with a sound; nothing when there is nothing to do. */
export function SoundMenu({ sound, onDownload, onDelete }: SoundMenuProps) {
  const isOpen = isPlayable(sound)
  if (!isOpen && !sound.can_delete) return null
  return (
    <Menu
      trigger={
        <IconButton
          label={`Plus d’actions\u00A0: ${sound.title}`}
          title="Plus d’actions"
          icon={<Dots />}
          className="relative z-10"
        />
      }
    >
      {isOpen && (
        <MenuItem
          icon={<Download aria-hidden="true" className="size-5" />}
          onSelect={() => onDownload(sound)}
        >
          Télécharger
        </MenuItem>
      )}
      {sound.can_delete && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={() => onDelete(sound)}
        >
          Supprimer
        </MenuItem>
      )}
    </Menu>
  )
}

/** Characters rather than a drawing, which each row of a long list would have to paint. */
function Dots() {
  return (
    <span aria-hidden="true" className="font-bold text-base leading-none tracking-tight">
      •••
    </span>
  )
}
