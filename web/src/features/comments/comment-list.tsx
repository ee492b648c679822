import type { Comment } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { CommentItem } from './comment-item.tsx'
import { UnsentItem } from './unsent-comment.tsx'
import type { useComments } from './use-comments.ts'

interface CommentListProps
  extends Pick<ReturnType<typeof useComments>, 'onWay' | 'retry' | 'edit' | 'remove'> {
  revelation: Revelation
  comments: readonly Comment[]
}

export function CommentList({
  revelation,
  comments,
  onWay,
  retry,
  edit,
  remove,
}: CommentListProps) {
  if (comments.length + onWay.length === 0) return null
  return (
    <ul aria-label="Commentaires" className="flex flex-col">
      {onWay.map((comment) => (
        <UnsentItem
          key={comment.id}
          comment={comment}
          onRetry={() => retry(comment)}
          onEdit={() => edit(comment)}
        />
      ))}
      {comments.map((comment) => (
        <CommentItem
          key={comment.id}
          comment={comment}
          isAuthor={comment.author_id === revelation.author_id}
          onRemove={remove}
        />
      ))}
    </ul>
  )
}
