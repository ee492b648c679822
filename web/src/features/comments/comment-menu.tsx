import { Flag, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

interface CommentMenuProps {
  trigger: ReactElement
  onReport: () => void
  /** For whoever may take it away. */
  onRemove: (() => void) | undefined
}

/** What one seldom does about a comment. */
export function CommentMenu({ trigger, onReport, onRemove }: CommentMenuProps) {
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuItem icon={<Flag aria-hidden="true" className="size-5" />} onSelect={onReport}>
        Signaler
      </MenuItem>
      {onRemove && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={onRemove}
        >
          Supprimer
        </MenuItem>
      )}
    </Menu>
  )
}
