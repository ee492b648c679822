import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId, useReducer, useState } from 'react'
import type { User } from '#contract/profiles.ts'
import { SignInLink } from '#web/features/auth/auth-links.tsx'
import { formatCount } from '#web/lib/format.ts'
import { createId } from '#web/lib/ids.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { controlClass, FieldError } from '#web/ui/form-field.tsx'
import { useAddComment } from './comments.queries.ts'

interface CommentFormProps {
  revelationId: string
  author: User
  maxLength: number
}

/** One comment to write; Ctrl and Enter sends it too. */
export function CommentForm({ revelationId, author, maxLength }: CommentFormProps) {
  const id = useId()
  const { draft, setDraft } = useCommentDraft(revelationId)
  const [isRefused, setRefused] = useState(false)
  const addComment = useAddComment(revelationId)
  const content = draft.trim()
  const isTooLong = content.length > maxLength
  const send = () => {
    if (!content) return
    setRefused(isTooLong)
    if (isTooLong) return
    const { id: authorId, pseudo, avatar_url } = author
    addComment({ id: createId(), content, author: { id: authorId, pseudo, avatar_url } })
    setDraft('')
  }
  const sendWithKeys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
  }
  return (
    <form
      aria-label="Écrire un commentaire"
      className="flex items-start gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Avatar name={author.pseudo} src={author.avatar_url} className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="sr-only">
          Votre commentaire
        </label>
        <div className="relative">
          <textarea
            id={id}
            rows={1}
            placeholder="Votre commentaire"
            value={draft}
            aria-describedby={`${id}-count`}
            aria-invalid={isTooLong || undefined}
            aria-errormessage={isRefused && isTooLong ? `${id}-error` : undefined}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={sendWithKeys}
            className={classNames(
              controlClass,
              'field-sizing-content block max-h-60 resize-none pr-13 leading-relaxed',
            )}
          />
          <button
            type="submit"
            disabled={!content}
            aria-label="Envoyer le commentaire"
            title="Envoyer le commentaire"
            className="absolute right-0.5 bottom-0.5 inline-flex size-11 items-center justify-center rounded-field text-wax-ink hover:bg-sunken disabled:text-ink-soft disabled:opacity-55"
          >
            <SendHorizontal aria-hidden="true" className="size-5" />
          </button>
        </div>
        <div className="mt-1 flex items-start justify-between gap-3">
          {isRefused && isTooLong && (
            <FieldError id={`${id}-error`}>
              {`Le commentaire ne peut pas dépasser ${formatCount(maxLength)} caractères`}
            </FieldError>
          )}
          <p
            id={`${id}-count`}
            className={classNames(
              'tabular-digits ml-auto shrink-0 text-xs',
              isTooLong ? 'font-semibold text-wax-ink' : 'text-ink-soft',
            )}
          >
            {formatCount(content.length)} / {formatCount(maxLength)}
            <span className="sr-only"> caractères</span>
          </p>
        </div>
      </div>
    </form>
  )
}

/** The draft survives closing the panel and turning the page; the cache is emptied when the session changes. */
function useCommentDraft(revelationId: string) {
  const { data: draft = '' } = useQuery<string>({
    queryKey: draftKey(revelationId),
    queryFn: skipToken,
    initialData: '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const changeDraft = useChangeDraft(revelationId)
  // The cache announces a change a moment later; a field that is not written at once loses keys.
  const [, renderNow] = useReducer((renders: number) => renders + 1, 0)
  const setDraft = (text: string) => {
    changeDraft(() => text)
    renderNow()
  }
  return { draft, setDraft }
}

/** Changes the draft without subscribing to it: the list of comments does not render at each key. */
export function useChangeDraft(revelationId: string) {
  const client = useQueryClient()
  return (change: (draft: string) => string) => {
    client.setQueryData<string>(draftKey(revelationId), (draft = '') => change(draft))
  }
}

function draftKey(revelationId: string) {
  return ['comment-draft', revelationId]
}

/** In the place of the form, for a visitor. */
export function SignInToComment() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-field bg-sunken px-4 py-3">
      <p>Vous devez être connecté pour commenter</p>
      <SignInLink />
    </div>
  )
}
