import { CircleAlert, Ellipsis, Flag, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Comment } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { browserTimeZone, formatRelative, formatShortInstant } from '#web/lib/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { UnsentComment } from './comments.queries.ts'

interface CommentListProps {
  revelation: Revelation
  pages: readonly Comment[][]
  unsent: readonly Unsent[]
  onRetry: (comment: Unsent) => void
  onEdit: (comment: Unsent) => void
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

type Unsent = UnsentComment & { isWaiting: boolean; error: Error | null }

export function CommentList({
  revelation,
  pages,
  unsent,
  onRetry,
  onEdit,
  onRemove,
  onReport,
}: CommentListProps) {
  const shown = pages.filter((page) => page.length > 0)
  if (shown.length + unsent.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: one list for its reader, in pages for the browser
    <div role="list" aria-label="Commentaires">
      {unsent.map((comment) => (
        <UnsentItem
          key={comment.id}
          comment={comment}
          onRetry={() => onRetry(comment)}
          onEdit={() => onEdit(comment)}
        />
      ))}
      {shown.map((page) => (
        <Page
          key={page.at(-1)?.id}
          comments={page}
          authorId={revelation.author_id}
          onRemove={onRemove}
          onReport={onReport}
        />
      ))}
    </div>
  )
}

interface PageProps {
  comments: readonly Comment[]
  authorId: string
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

/** A page renders once and is laid out when it comes into sight, so that ten thousand comments stay cheap. */
const Page = memo(function Page({ comments, authorId, onRemove, onReport }: PageProps) {
  return (
    <div className="[contain-intrinsic-size:auto_40rem] [content-visibility:auto]">
      {comments.map((comment) => (
        <CommentItem
          key={comment.id}
          comment={comment}
          isAuthor={comment.author_id === authorId}
          onRemove={onRemove}
          onReport={onReport}
        />
      ))}
    </div>
  )
})

interface CommentItemProps {
  comment: Comment
  /** Written by the author of the revelation. */
  isAuthor: boolean
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

const CommentItem = memo(function CommentItem({
  comment,
  isAuthor,
  onRemove,
  onReport,
}: CommentItemProps) {
  const { author_id, author_pseudo, author_avatar, content, created_at } = comment
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list it belongs to
    <div role="listitem" className="flex gap-2.5 py-2">
      <Avatar name={author_pseudo} src={author_avatar} />
      <CommentBody
        head={
          <>
            <Link
              to={paths.profile(author_id)}
              className="-my-3 truncate py-3 font-semibold hover:underline"
            >
              @{author_pseudo}
            </Link>
            {isAuthor && <Badge className="py-0.5!">Auteur</Badge>}
            <time
              dateTime={created_at}
              title={formatShortInstant(created_at, browserTimeZone())}
              className="shrink-0 text-ink-soft"
            >
              {formatRelative(created_at, serverNow())}
            </time>
          </>
        }
        content={content}
      />
      <CommentActions comment={comment} onRemove={onRemove} onReport={onReport} />
    </div>
  )
})

const FOLDED_LENGTH = 480
const FOLDED_LINES = 8

interface CommentBodyProps {
  head: ReactNode
  content: string
}

/** Who and when, then the text with its line breaks; a long one is folded. */
function CommentBody({ head, content }: CommentBodyProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const isLong = content.length > FOLDED_LENGTH || content.split('\n').length > FOLDED_LINES
  const isFolded = isLong && !isUnfolded
  return (
    <div className="min-w-0 flex-1">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm">{head}</p>
      <p
        className={classNames(
          'whitespace-pre-wrap [overflow-wrap:anywhere]',
          isFolded && 'line-clamp-6',
        )}
      >
        {content}
      </p>
      {isFolded && (
        <button
          type="button"
          className="-ml-2 min-h-11 px-2 font-semibold text-ink-soft text-sm hover:text-ink hover:underline"
          onClick={() => setUnfolded(true)}
        >
          Lire la suite
        </button>
      )}
    </div>
  )
}

interface CommentActionsProps {
  comment: Comment
  onRemove: (id: string) => void
  onReport: (comment: Comment) => void
}

/** One's own comment is removed at a touch; what one may do about another's is behind « … ». */
function CommentActions({ comment, onRemove, onReport }: CommentActionsProps) {
  const { id, author_id, author_pseudo, can_delete } = comment
  const { user } = useSession()
  if (user?.id === author_id) {
    return (
      <IconButton
        label={`Supprimer le commentaire de @${author_pseudo}`}
        icon={<Trash2 aria-hidden="true" className="size-4.5" />}
        className={ACTION_CLASS}
        onClick={() => onRemove(id)}
      />
    )
  }
  return (
    <Menu
      trigger={
        <IconButton
          label={`Plus d’actions pour le commentaire de @${author_pseudo}`}
          icon={<Ellipsis aria-hidden="true" className="size-4.5" />}
          className={ACTION_CLASS}
        />
      }
    >
      <MenuItem
        icon={<Flag aria-hidden="true" className="size-5" />}
        onSelect={() => onReport(comment)}
      >
        Signaler
      </MenuItem>
      {can_delete && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={() => onRemove(id)}
        >
          Supprimer
        </MenuItem>
      )}
    </Menu>
  )
}

const ACTION_CLASS = '-my-1.5 -mr-2 opacity-70 hover:opacity-100 focus-visible:opacity-100'

interface UnsentItemProps {
  comment: Unsent
  onRetry: () => void
  onEdit: () => void
}

/** A comment as its author sees it before the server has it, or when it could not be sent. */
function UnsentItem({ comment, onRetry, onEdit }: UnsentItemProps) {
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
