import { CircleAlert } from 'lucide-react'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CommentBody } from './comment-item.tsx'
import type { UnsentComment } from './comments.queries.ts'

interface UnsentItemProps {
  comment: UnsentComment & { isWaiting: boolean; error: Error | null }
  onRetry: () => void
  onEdit: () => void
}

/** A comment as its author sees it at once, and what became of it when it could not be sent. */
export function UnsentItem({ comment, onRetry, onEdit }: UnsentItemProps) {
  const { author, content, isWaiting, error } = comment
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list it belongs to
    <div role="listitem" className="flex gap-2.5 py-2">
      <Avatar
        name={author.pseudo}
        src={author.avatar_url}
        className={error ? undefined : 'opacity-60'}
      />
      <div className="min-w-0 flex-1">
        <CommentBody
          head={
            <>
              <span className="truncate font-semibold">@{author.pseudo}</span>
              {!error && (
                <span className="text-ink-soft">{isWaiting ? 'En attente d’envoi' : 'Envoi…'}</span>
              )}
            </>
          }
          content={content}
        />
        {error && (
          <div role="alert" className="mt-1 text-sm">
            <p className="flex items-start gap-1.5 font-medium text-wax-ink">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              Erreur lors de l'envoi du commentaire
            </p>
            <p className="text-ink-soft">{reasonOf(error)}</p>
            <div className="-ml-3 flex">
              <TextButton onClick={onRetry}>Réessayer</TextButton>
              <TextButton onClick={onEdit}>Modifier</TextButton>
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

function reasonOf(error: Error): string {
  const field = error instanceof ApiError ? error.fields.content : undefined
  return field ?? errorSentence(error, '')
}

function TextButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-11 rounded-field px-3 font-semibold hover:bg-sunken"
    >
      {children}
    </button>
  )
}
