import { Download, Ellipsis, Trash2 } from 'lucide-react'
import type { Sound } from '#contract/sounds.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { isPlayable } from './play-order.ts'
import { useDownload } from './use-download.ts'

interface SoundMenuProps {
  sound: Sound
  onDelete: () => void
}

/** What one seldom does with a sound; nothing when there is nothing to do. */
export function SoundMenu({ sound, onDelete }: SoundMenuProps) {
  const download = useDownload()
  const isOpen = isPlayable(sound)
  if (!isOpen && !sound.can_delete) return null
  return (
    <Menu
      trigger={
        <IconButton
          label={`Plus d’actions : ${sound.title}`}
          title="Plus d’actions"
          icon={<Ellipsis aria-hidden="true" className="size-5" />}
          className="relative z-10"
        />
      }
    >
      {isOpen && (
        <MenuItem
          icon={<Download aria-hidden="true" className="size-5" />}
          onSelect={() => void download(sound)}
        >
          Télécharger
        </MenuItem>
      )}
      {sound.can_delete && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={onDelete}
        >
          Supprimer
        </MenuItem>
      )}
    </Menu>
  )
}
