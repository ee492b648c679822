import { MessageCircle } from 'lucide-react'
import { COMMENT_MAX_LENGTH, type Comment } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentList } from './comment-list.tsx'
import { CommentsFailure } from './comments-failure.tsx'
import { CommentsSkeleton } from './comments-skeleton.tsx'
import { SignInToComment } from './sign-in-to-comment.tsx'
import { useComments } from './use-comments.ts'

interface CommentSectionProps {
  revelation: Revelation
  onReport: (comment: Comment) => void
}

/** All the comments of a revelation, ten by ten, and one's own to write. */
export function CommentSection({ revelation, onReport }: CommentSectionProps) {
  const { id, can } = revelation
  const { user } = useSession()
  const { query, pages, onWay, total, heading, news, ...actions } = useComments(id)
  const isEmpty = query.data && total === 0 && onWay.length === 0
  return (
    <section aria-labelledby="commentaires" className="flex flex-col gap-3">
      <h3 id="commentaires" ref={heading} tabIndex={-1} className="text-xl">
        Commentaires
        {total !== undefined && total > 0 && (
          <span className="digits ml-2 font-normal text-base text-ink-soft">
            {number.format(total)}
          </span>
        )}
      </h3>
      <p role="status" className="sr-only">
        {news}
      </p>
      {user && can.comment && (
        <CommentForm revelationId={id} author={user} maxLength={COMMENT_MAX_LENGTH} />
      )}
      {!user && <SignInToComment />}
      <CommentList
        {...actions}
        revelation={revelation}
        pages={pages}
        onWay={onWay}
        onReport={onReport}
      />
      {query.isPending && <CommentsSkeleton />}
      {query.error && (
        <CommentsFailure
          error={query.error}
          isRetrying={query.isFetching}
          onRetry={() => (query.data ? query.fetchNextPage() : query.refetch())}
        />
      )}
      {isEmpty && (
        <p className="flex flex-col items-center gap-2 py-6 text-center text-ink-soft">
          <MessageCircle aria-hidden="true" className="size-8" />
          Aucun commentaire pour l’instant.
        </p>
      )}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <Button
          variant="secondary"
          className="self-center"
          busy={query.isFetchingNextPage}
          busyLabel="Chargement de la suite"
          onClick={() => query.fetchNextPage()}
        >
          Charger plus de commentaires
        </Button>
      )}
    </section>
  )
}

const number = new Intl.NumberFormat('fr')
