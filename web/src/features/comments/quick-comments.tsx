import { Link } from 'react-router'
import { type Comment, QUICK_COMMENT_MAX_LENGTH } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentList } from './comment-list.tsx'
import { CommentsFailure } from './comments-failure.tsx'
import { CommentsSkeleton } from './comments-skeleton.tsx'
import { SignInToComment } from './sign-in-to-comment.tsx'
import { useComments } from './use-comments.ts'

const SEE_ALL_FROM = 5

interface QuickCommentsProps {
  revelation: Revelation
  onReport: (comment: Comment) => void
}

/** The newest comments inside a card, and a short one to write; from five on, the way to all of them. */
export function QuickComments({ revelation, onReport }: QuickCommentsProps) {
  const { id, title, can } = revelation
  const { user } = useSession()
  const { query, pages, onWay, total = 0, heading, news, ...actions } = useComments(id)
  return (
    <section aria-label={`Commentaires de ${title}`} className="flex flex-col gap-2">
      <h4 ref={heading} tabIndex={-1} className="sr-only">
        Commentaires
      </h4>
      <p role="status" className="sr-only">
        {news}
      </p>
      {user && can.comment && (
        <CommentForm revelationId={id} author={user} maxLength={QUICK_COMMENT_MAX_LENGTH} />
      )}
      {!user && <SignInToComment />}
      <CommentList
        {...actions}
        revelation={revelation}
        pages={[pages.flat().slice(0, SEE_ALL_FROM - 1)]}
        onWay={onWay}
        onReport={onReport}
      />
      {query.isPending && <CommentsSkeleton />}
      {query.error && (
        <CommentsFailure
          error={query.error}
          isRetrying={query.isFetching}
          onRetry={() => query.refetch()}
        />
      )}
      {query.data && total === 0 && onWay.length === 0 && (
        <p className="py-2 text-center text-ink-soft text-sm">Aucun commentaire pour l’instant.</p>
      )}
      {total >= SEE_ALL_FROM && (
        <Link
          to={paths.revelation(id)}
          state={{ opens: 'comments' }}
          className="inline-flex min-h-11 items-center justify-center rounded-field font-semibold hover:bg-sunken"
        >
          Voir tous les commentaires ({number.format(total)})
        </Link>
      )}
    </section>
  )
}

const number = new Intl.NumberFormat('fr')
