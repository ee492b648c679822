import { describe, expect, it } from 'vitest'
import type { Comment, CommentPage } from '#contract/comments.ts'
import { aComment } from '#web/test/samples.ts'
import {
  type CommentPages,
  commentsOf,
  totalOf,
  withComment,
  withNewest,
  withoutComment,
} from './comments.queries.ts'

function page(ids: string[], next_cursor: string | null = null, total = 40): CommentPage {
  return { comments: ids.map(comment), total, next_cursor }
}

function comment(id: string): Comment {
  return aComment({ id, created_at: '2026-11-20T12:00:00.000Z' })
}

const known: CommentPages = {
  pages: [page(['f', 'e', 'd'], 'after d'), page(['c', 'b', 'a'], 'after a')],
  pageParams: [null, 'after d'],
}

function idsOf(pages: CommentPages): string {
  return commentsOf(pages)
    .map(({ id }) => id)
    .join('')
}

describe('loaded pages of comments', () => {
  it('adds a new comment first, once', () => {
    const written = withComment(known, comment('g'))
    expect(idsOf(written)).toBe('gfedcba')
    expect(totalOf(written)).toBe(41)
    expect(withComment(written, comment('g'))).toBe(written)
  })

  it('removes a comment from whichever page it is on', () => {
    const removed = withoutComment(known, 'b')
    expect(idsOf(removed)).toBe('fedca')
    expect(totalOf(removed)).toBe(39)
    expect(withoutComment(known, 'unknown')).toBe(known)
  })

  it('replaces the newest page and leaves the older ones', () => {
    const refreshed = withNewest(known, page(['h', 'f', 'd'], 'after d', 41))
    expect(idsOf(refreshed)).toBe('hfdcba')
    expect(totalOf(refreshed)).toBe(41)
    expect(refreshed.pages.at(-1)?.next_cursor).toBe('after a')
  })

  it('drops the older pages when the newest one no longer overlaps them', () => {
    const refreshed = withNewest(known, page(['z', 'y', 'x'], 'after x', 90))
    expect(idsOf(refreshed)).toBe('zyx')
    expect(refreshed.pages.at(-1)?.next_cursor).toBe('after x')
  })

  it('leaves only the newest page when it is the last one', () => {
    expect(idsOf(withNewest(known, page(['f', 'e'], null, 2)))).toBe('fe')
  })
})
