import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { commentsOf, totalOf } from './comment-pages.ts'
import {
  commentsQuery,
  type UnsentComment,
  useAddComment,
  useRemoveComment,
  useTakeBackComment,
  useUnsentComments,
  useVanishingComments,
} from './comments.queries.ts'
import { useChangeDraft } from './use-comment-draft.ts'

/** The comments as they are to be seen: with mine that are on their way, without those being removed. */
export function useComments(revelationId: string) {
  const { user } = useSession()
  const query = useInfiniteQuery(commentsQuery(revelationId))
  const vanishing = useVanishingComments(revelationId)
  const unsent = useUnsentComments(revelationId, user?.id)
  const all = useMemo(() => (query.data ? commentsOf(query.data) : []), [query.data])
  const pages = query.data?.pages.map((page) => without(page.comments, vanishing)) ?? []
  const onWay = unsent.filter(({ id }) => !all.some((comment) => comment.id === id))
  const isSending = onWay.filter(({ error }) => !error)
  const total = query.data ? totalOf(query.data) - vanishing.length + isSending.length : undefined

  const addComment = useAddComment(revelationId)
  const takeBack = useTakeBackComment(revelationId)
  const changeDraft = useChangeDraft(revelationId)
  const retry = ({ id, content, author }: UnsentComment) => {
    takeBack(id)
    addComment({ id, content, author })
  }
  const edit = ({ id, content }: UnsentComment) => {
    takeBack(id)
    changeDraft((draft) => (draft.trim() ? `${draft}\n${content}` : content))
  }

  const heading = useRef<HTMLHeadingElement>(null)
  const [news, setNews] = useState('')
  const removeComment = useRemoveComment(revelationId)
  const remove = useCallback(
    (id: string) => {
      removeComment(id)
      setNews('Commentaire supprimé')
      // The button that had the focus is gone.
      heading.current?.focus({ preventScroll: true })
    },
    [removeComment],
  )
  return { query, pages, onWay, total, heading, news, retry, edit, remove }
}

/** A page that loses nothing stays the same array, and is not rendered again. */
function without(comments: Comment[], ids: readonly string[]): Comment[] {
  const isLost = ({ id }: Comment) => ids.includes(id)
  return comments.some(isLost) ? comments.filter((comment) => !isLost(comment)) : comments
}
