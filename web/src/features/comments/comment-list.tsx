import { memo } from 'react'
import type { Comment } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { CommentItem } from './comment-item.tsx'
import { UnsentItem } from './unsent-comment.tsx'
import type { useComments } from './use-comments.ts'

interface CommentListProps
  extends Pick<ReturnType<typeof useComments>, 'onWay' | 'retry' | 'edit' | 'remove'> {
  revelation: Revelation
  pages: readonly Comment[][]
  onReport: (comment: Comment) => void
}

export function CommentList({
  revelation,
  pages,
  onWay,
  retry,
  edit,
  remove,
  onReport,
}: CommentListProps) {
  const shown = pages.filter((page) => page.length > 0)
  if (shown.length + onWay.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: one list for its reader, in pages for the browser
    <div role="list" aria-label="Commentaires">
      {onWay.map((comment) => (
        <UnsentItem
          key={comment.id}
          comment={comment}
          onRetry={() => retry(comment)}
          onEdit={() => edit(comment)}
        />
      ))}
      {shown.map((page) => (
        <Page
          key={page.at(-1)?.id}
          comments={page}
          authorId={revelation.author_id}
          onRemove={remove}
          onReport={onReport}
        />
      ))}
    </div>
  )
}

interface PageProps {
  comments: readonly Comment[]
  authorId: string
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

/** Ten thousand comments stay cheap: a page renders once, and is laid out when it comes into sight. */
const Page = memo(function Page({ comments, authorId, onRemove, onReport }: PageProps) {
  return (
    <div className="[contain-intrinsic-size:auto_40rem] [content-visibility:auto]">
      {comments.map((comment) => (
        <CommentItem
          key={comment.id}
          comment={comment}
          isAuthor={comment.author_id === authorId}
          onRemove={onRemove}
          onReport={onReport}
        />
      ))}
    </div>
  )
})
