import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { COMMENT_MAX_LENGTH, type Comment, QUICK_COMMENT_MAX_LENGTH } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { CommentForm, SignInToComment, useChangeDraft } from './comment-form.tsx'
import { CommentList } from './comment-list.tsx'
import {
  commentsOf,
  commentsQuery,
  totalOf,
  type UnsentComment,
  useAddComment,
  useDiscardUnsent,
  usePendingRemovals,
  useRemoveComment,
  useUnsentComments,
} from './comments.queries.ts'

interface SectionProps {
  revelation: Revelation
  onReport: (comment: Comment) => void
}

/** All the comments of a revelation, ten by ten, and one's own to write. */
export function CommentSection({ revelation, onReport }: SectionProps) {
  const comments = useComments(revelation.id)
  const { query, total, unsent, heading } = comments
  const isEmpty = query.data && total === 0 && unsent.length === 0
  return (
    <section aria-labelledby="commentaires" className="flex flex-col gap-3">
      <h3 id="commentaires" ref={heading} tabIndex={-1} className="text-xl">
        Commentaires
        {total !== undefined && total > 0 && (
          <span className="tabular-digits ml-2 font-normal text-base text-ink-soft">
            {formatCount(total)}
          </span>
        )}
      </h3>
      <Comments
        comments={comments}
        revelation={revelation}
        maxLength={COMMENT_MAX_LENGTH}
        onRetry={() => (query.data ? query.fetchNextPage() : query.refetch())}
        onReport={onReport}
      />
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

const SEE_ALL_FROM = 5

/** The newest comments inside a card, and a short one to write; from five on, the way to all of them. */
export function QuickComments({ revelation, onReport }: SectionProps) {
  const { id, title } = revelation
  const all = useComments(id)
  const { query, total = 0, unsent, heading } = all
  return (
    <section aria-label={`Commentaires de ${title}`} className="flex flex-col gap-2">
      <h4 ref={heading} tabIndex={-1} className="sr-only">
        Commentaires
      </h4>
      <Comments
        comments={{ ...all, pages: [all.pages.flat().slice(0, SEE_ALL_FROM - 1)] }}
        revelation={revelation}
        maxLength={QUICK_COMMENT_MAX_LENGTH}
        onRetry={() => query.refetch()}
        onReport={onReport}
      />
      {query.data && total === 0 && unsent.length === 0 && (
        <p className="py-2 text-center text-ink-soft text-sm">Aucun commentaire pour l’instant.</p>
      )}
      {total >= SEE_ALL_FROM && (
        <Link
          to={paths.revelation(id)}
          state={{ opens: 'comments' }}
          className="inline-flex min-h-11 items-center justify-center rounded-field font-semibold hover:bg-sunken"
        >
          Voir tous les commentaires ({formatCount(total)})
        </Link>
      )}
    </section>
  )
}

interface CommentsProps extends SectionProps {
  comments: ReturnType<typeof useComments>
  maxLength: number
  onRetry: () => void
}

/** The form, or the way to sign in; then the comments that are loaded, on their way, or that failed to load. */
function Comments({ comments, revelation, maxLength, onRetry, onReport }: CommentsProps) {
  const { id, can } = revelation
  const { user } = useSession()
  const { query, pages, unsent, announcement, retry, edit, remove } = comments
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {user && can.comment && <CommentForm revelationId={id} author={user} maxLength={maxLength} />}
      {!user && <SignInToComment />}
      <CommentList
        revelation={revelation}
        pages={pages}
        unsent={unsent}
        onRetry={retry}
        onEdit={edit}
        onRemove={remove}
        onReport={onReport}
      />
      {query.isPending && <CommentsSkeleton />}
      {query.error && (
        <LoadFailure
          title="Impossible de charger les commentaires"
          isRetrying={query.isFetching}
          onRetry={onRetry}
        >
          {errorSentence(query.error, 'Erreur API')}
        </LoadFailure>
      )}
    </>
  )
}

function CommentsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des commentaires</span>
      <div aria-hidden="true" className="flex flex-col">
        {['w-4/5', 'w-2/5', 'w-3/5'].map((width) => (
          <div key={width} className="flex gap-2.5 py-2">
            <Skeleton className="size-9 rounded-full!" />
            <div className="flex flex-1 flex-col gap-2 pt-1">
              <Skeleton className="h-4 w-32" />
              <Skeleton className={`h-4 ${width}`} />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}

/** The comments as they are shown: with one's own that are on their way, without those being removed. */
function useComments(revelationId: string) {
  const { user } = useSession()
  const query = useInfiniteQuery(commentsQuery(revelationId))
  const removals = usePendingRemovals(revelationId)
  const ownUnsent = useUnsentComments(revelationId, user?.id)
  const loaded = useMemo(() => (query.data ? commentsOf(query.data) : []), [query.data])
  const pages = query.data?.pages.map((page) => without(page.comments, removals)) ?? []
  const unsent = ownUnsent.filter(({ id }) => !loaded.some((comment) => comment.id === id))
  const sending = unsent.filter(({ error }) => !error)
  const total = query.data ? totalOf(query.data) - removals.length + sending.length : undefined

  const addComment = useAddComment(revelationId)
  const discard = useDiscardUnsent(revelationId)
  const changeDraft = useChangeDraft(revelationId)
  const retry = ({ id, content, author }: UnsentComment) => {
    discard(id)
    addComment({ id, content, author })
  }
  const edit = ({ id, content }: UnsentComment) => {
    discard(id)
    changeDraft((draft) => (draft.trim() ? `${draft}\n${content}` : content))
  }

  const heading = useRef<HTMLHeadingElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const removeComment = useRemoveComment(revelationId)
  const remove = useCallback(
    (id: string) => {
      removeComment(id)
      setAnnouncement('Commentaire supprimé')
      // The button that had the focus is gone.
      heading.current?.focus({ preventScroll: true })
    },
    [removeComment],
  )
  return { query, pages, unsent, total, heading, announcement, retry, edit, remove }
}

/** A page that loses nothing stays the same array, so that it is not rendered again. */
function without(comments: Comment[], ids: readonly string[]): Comment[] {
  const isRemoved = ({ id }: Comment) => ids.includes(id)
  return comments.some(isRemoved) ? comments.filter((comment) => !isRemoved(comment)) : comments
}
