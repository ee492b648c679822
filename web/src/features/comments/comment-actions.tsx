import { Ellipsis, Flag, Trash2 } from 'lucide-react'
import type { Comment } from '#contract/comments.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

interface CommentActionsProps {
  comment: Comment
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

/** What one may do about a comment: take away one's own at a touch, the rest behind « … ». */
export function CommentActions({ comment, onRemove, onReport }: CommentActionsProps) {
  const { id, author_id, author_pseudo, can_delete } = comment
  const { user } = useSession()
  if (user?.id === author_id) {
    return (
      <IconButton
        label={`Supprimer le commentaire de @${author_pseudo}`}
        icon={<Trash2 aria-hidden="true" className="size-4.5" />}
        className={look}
        onClick={() => onRemove(id)}
      />
    )
  }
  return (
    <Menu
      trigger={
        <IconButton
          label={`Plus d’actions pour le commentaire de @${author_pseudo}`}
          icon={<Ellipsis aria-hidden="true" className="size-4.5" />}
          className={look}
        />
      }
    >
      <MenuItem
        icon={<Flag aria-hidden="true" className="size-5" />}
        onSelect={() => onReport(comment)}
      >
        Signaler
      </MenuItem>
      {can_delete && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={() => onRemove(id)}
        >
          Supprimer
        </MenuItem>
      )}
    </Menu>
  )
}

const look = '-my-1.5 -mr-2 opacity-70 hover:opacity-100 focus-visible:opacity-100'
