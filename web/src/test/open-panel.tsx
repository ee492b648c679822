import { screen } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { type Comment, type CommentPage, listComments } from '#contract/comments.ts'
import { listReactions, type Reactions } from '#contract/reactions.ts'
import { type Envelope, getRevelation, recordView } from '#contract/revelations.ts'
import { answer } from './fake-api.ts'
import { renderPage } from './render-page.tsx'
import { anEnvelope, aUser, nothingAllowed } from './samples.ts'

export const NO_REACTIONS: Reactions = { reactions: [], summary: [] }

export function aCommentPage(comments: Comment[], rest: Partial<CommentPage> = {}): CommentPage {
  return { comments, total: comments.length, next_cursor: null, ...rest }
}

interface Scene {
  revelation?: Partial<Envelope>
  /** A visitor otherwise. */
  isSignedIn?: boolean
  api?: RequestHandler[]
  isOpen?: boolean
}

/** The page of a revelation with its panel open, before a server that knows no comment and no reaction. */
export async function openPanel({
  revelation = {},
  isSignedIn = true,
  api = [],
  isOpen = true,
}: Scene = {}) {
  const shown = anEnvelope({
    can: { ...nothingAllowed(), react: isSignedIn, comment: isSignedIn },
    ...revelation,
  })
  const user = renderPage(`/revelation/${shown.id}`, {
    ...(isSignedIn && { user: aUser() }),
    api: [
      ...api,
      answer(getRevelation, { revelation: shown }),
      answer(recordView, { views_count: 1 }),
      answer(listComments, aCommentPage([])),
      answer(listReactions, NO_REACTIONS),
    ],
  })
  const toggle = await screen.findByRole('button', { name: 'Réactions et commentaires' })
  if (isOpen) await user.click(toggle)
  return { user, revelation: shown, toggle }
}
