import { Ellipsis, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

// Many read comments, few open this: its code is as long as all the rest of them.
const loadMenu = () => import('./comment-menu.tsx')
const CommentMenu = lazyPart(loadMenu, 'CommentMenu')

interface CommentActionsProps {
  comment: Comment
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

/** What one may do about a comment: take away one's own at a touch, the rest behind « … ». */
export function CommentActions({ comment, onRemove, onReport }: CommentActionsProps) {
  const { id, author_id, author_pseudo, can_delete } = comment
  const { user } = useSession()
  const [isWanted, setWanted] = useState(false)
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
  const more = {
    label: `Plus d’actions pour le commentaire de @${author_pseudo}`,
    icon: <Ellipsis aria-hidden="true" className="size-4.5" />,
    className: look,
  }
  const button = (
    <IconButton
      {...more}
      aria-haspopup="menu"
      onPointerEnter={loadMenu}
      onFocus={loadMenu}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <CommentMenu
        trigger={<IconButton {...more} />}
        onReport={() => onReport(comment)}
        onRemove={can_delete ? () => onRemove(id) : undefined}
      />
    </Suspense>
  )
}

const look = '-my-1.5 -mr-2 opacity-70 hover:opacity-100 focus-visible:opacity-100'
