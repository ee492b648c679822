import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
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
  const [isWanted, setWanted] = useState(false)
  const isOpen = isPlayable(sound)
  if (!isOpen && !sound.can_delete) return null
  const button = {
    label: `Plus d’actions\u00A0: ${sound.title}`,
    title: 'Plus d’actions',
    icon: <Dots />,
    className: 'relative z-10',
  }
  // A menu weighs more than all the rest of its row: it is made when it is asked for.
  if (!isWanted) {
    return <IconButton {...button} aria-haspopup="menu" onClick={() => setWanted(true)} />
  }
  return (
    <Menu defaultOpen trigger={<IconButton {...button} />}>
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
