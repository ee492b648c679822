import type { InfiniteData } from '@tanstack/react-query'
import type { Comment, CommentPage } from '#contract/comments.ts'

export type CommentPages = InfiniteData<CommentPage, unknown>

export function commentsOf({ pages }: CommentPages): Comment[] {
  return pages.flatMap((page) => page.comments)
}

/** How many there are in all, as the newest answer says. */
export function totalOf({ pages }: CommentPages): number {
  return pages[0]?.total ?? 0
}

/** Puts a comment that was just written first; one that is there already stays where it is. */
export function withComment(known: CommentPages, comment: Comment): CommentPages {
  if (commentsOf(known).some(({ id }) => id === comment.id)) return known
  return changeFirst(known, (first) => ({
    ...first,
    comments: [comment, ...first.comments],
    total: first.total + 1,
  }))
}

export function withoutComment(known: CommentPages, id: string): CommentPages {
  const holds = (page: CommentPage) => page.comments.some((comment) => comment.id === id)
  if (!known.pages.some(holds)) return known
  const pages = known.pages.map((page) =>
    holds(page)
      ? { ...page, comments: page.comments.filter((comment) => comment.id !== id) }
      : page,
  )
  return changeFirst({ ...known, pages }, (first) => ({ ...first, total: first.total - 1 }))
}

/**
 * Brings the newest page up to date and keeps the older ones that were loaded. When so many are new that the two do not
 * meet any more, the newest page stands alone.
 */
export function withNewest(known: CommentPages, newest: CommentPage): CommentPages {
  const comments = commentsOf(known)
  const oldest = newest.comments.at(-1)
  const meetsAt = comments.findIndex(({ id }) => id === oldest?.id)
  if (!newest.next_cursor || meetsAt < 0) return { pages: [newest], pageParams: [null] }
  let met = meetsAt + 1
  const older = known.pages.flatMap((page) => {
    const comments = met > 0 ? page.comments.slice(met) : page.comments
    met = Math.max(0, met - page.comments.length)
    if (comments === page.comments) return [page]
    return comments.length > 0 ? [{ ...page, comments }] : []
  })
  return { pages: [newest, ...older], pageParams: [null, ...older.map(() => null)] }
}

function changeFirst(
  { pages: [first, ...rest], pageParams }: CommentPages,
  change: (page: CommentPage) => CommentPage,
): CommentPages {
  return { pages: first ? [change(first), ...rest] : [], pageParams }
}
