import { describe, expect, test } from 'vitest'
import type { Comment, CommentPage } from '#contract/comments.ts'
import { aComment } from '#web/test/samples.ts'
import {
  type CommentPages,
  commentsOf,
  totalOf,
  withComment,
  withNewest,
  withoutComment,
} from './comment-pages.ts'

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

describe('the pages that are loaded', () => {
  test('take a new comment first, once', () => {
    const written = withComment(known, comment('g'))
    expect(idsOf(written)).toBe('gfedcba')
    expect(totalOf(written)).toBe(41)
    expect(withComment(written, comment('g'))).toBe(written)
  })

  test('lose one that was removed, wherever it stands', () => {
    const removed = withoutComment(known, 'b')
    expect(idsOf(removed)).toBe('fedca')
    expect(totalOf(removed)).toBe(39)
    expect(withoutComment(known, 'unknown')).toBe(known)
  })

  test('meet the newest page: what came is added, what went is gone, older ones stay', () => {
    const met = withNewest(known, page(['h', 'f', 'd'], 'after d', 41))
    expect(idsOf(met)).toBe('hfdcba')
    expect(totalOf(met)).toBe(41)
    expect(met.pages.at(-1)?.next_cursor).toBe('after a')
  })

  test('give way to a newest page they do not meet any more', () => {
    const met = withNewest(known, page(['z', 'y', 'x'], 'after x', 90))
    expect(idsOf(met)).toBe('zyx')
    expect(met.pages.at(-1)?.next_cursor).toBe('after x')
  })

  test('are all there is when the newest page is the only one', () => {
    expect(idsOf(withNewest(known, page(['f', 'e'], null, 2)))).toBe('fe')
  })
})
