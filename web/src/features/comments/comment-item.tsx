import { memo, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Comment } from '#contract/comments.ts'
import { paths } from '#web/app/paths.ts'
import { formatRelative } from '#web/lib/french-dates.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CommentActions } from './comment-actions.tsx'

interface CommentItemProps {
  comment: Comment
  /** Written by the author of the revelation. */
  isAuthor: boolean
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

export const CommentItem = memo(function CommentItem({
  comment,
  isAuthor,
  onRemove,
  onReport,
}: CommentItemProps) {
  const { author_id, author_pseudo, author_avatar, content, created_at } = comment
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list it belongs to
    <div role="listitem" className="flex gap-2.5 py-2">
      <Avatar name={author_pseudo} src={author_avatar} />
      <CommentBody
        head={
          <>
            <Link
              to={paths.profile(author_id)}
              className="-my-3 truncate py-3 font-semibold hover:underline"
            >
              @{author_pseudo}
            </Link>
            {isAuthor && <Badge className="py-0.5!">Auteur</Badge>}
            <time
              dateTime={created_at}
              title={fullDate.format(new Date(created_at))}
              className="shrink-0 text-ink-soft"
            >
              {formatRelative(created_at, serverNow())}
            </time>
          </>
        }
        content={content}
      />
      <CommentActions comment={comment} onRemove={onRemove} onReport={onReport} />
    </div>
  )
})

const fullDate = new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeStyle: 'short' })

const FOLDED_LENGTH = 480
const FOLDED_LINES = 8

interface CommentBodyProps {
  head: ReactNode
  content: string
}

/** Who and when, then the words with their line breaks; many of them are folded. */
export function CommentBody({ head, content }: CommentBodyProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const isLong = content.length > FOLDED_LENGTH || content.split('\n').length > FOLDED_LINES
  const isFolded = isLong && !isUnfolded
  return (
    <div className="min-w-0 flex-1">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm">{head}</p>
      <p
        className={classNames(
          'whitespace-pre-wrap [overflow-wrap:anywhere]',
          isFolded && 'line-clamp-6',
        )}
      >
        {content}
      </p>
      {isFolded && (
        <button
          type="button"
          className="-ml-2 min-h-11 px-2 font-semibold text-ink-soft text-sm hover:text-ink hover:underline"
          onClick={() => setUnfolded(true)}
        >
          Lire la suite
        </button>
      )}
    </div>
  )
}
