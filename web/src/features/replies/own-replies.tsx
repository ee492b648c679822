import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { Replies, Reply } from '#contract/replies.ts'
import type { Revelation } from '#contract/revelations.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { browserTimeZone, formatShortInstant } from '#web/lib/dates.ts'
import { replyDeferredHere } from '#web/lib/reader-marks.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { repliesQuery, useRemoveReply } from './replies.queries.ts'
import { AnswerBody, Moment, ReplyBody } from './reply-body.tsx'
import { ReplyComposer } from './reply-composer.tsx'
import { useReplyComposer } from './use-reply-composer.ts'

const CARD_CLASS =
  'print:hidden flex flex-col gap-5 rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6'

/** For whom the letter was addressed to: what they answer its author, and what they answered already. */
export function OwnReplies({ revelation }: { revelation: Revelation }) {
  const query = useQuery(repliesQuery(revelation.id))
  const { data, error } = query
  if (data) {
    // Whom the author wants no reply from, and who wrote none, is told nothing.
    if (!data.can_reply && data.replies.length === 0) return null
    return <OwnRepliesSection revelation={revelation} known={data} />
  }
  // The link was revoked meanwhile, or the letter is gone: the page says so by itself.
  if (!error || (error instanceof ApiError && [403, 404].includes(error.status))) return null
  return <QueryFailure query={query} title="Vos réponses n’ont pas pu être chargées" />
}

interface OwnRepliesSectionProps {
  revelation: Revelation
  known: Replies
}

function OwnRepliesSection({ revelation, known }: OwnRepliesSectionProps) {
  const { id, author_pseudo } = revelation
  const { replies, can_reply } = known
  const headingId = useId()
  const [wants, setWants] = useState<'reply' | 'sent'>()
  const [isDeferred, setDeferred] = useState(() => replyDeferredHere.has(id))
  const composer = useReplyComposer(id, () => setWants('sent'))
  const isFirst = replies.length === 0
  const isOpen = can_reply && (wants === 'reply' || (!isDeferred && (isFirst || !composer.isBlank)))
  const status = () => {
    if (!can_reply) return 'Vous ne pouvez plus répondre à cette lettre.'
    if (wants === 'sent' && !isFirst) return 'Votre réponse est partie.'
    if (isOpen) return `Votre réponse n’est lue que par @${author_pseudo}.`
    return isDeferred ? 'C’est gardé pour vous. Vous pourrez répondre plus tard.' : ''
  }

  const reopen = () => {
    replyDeferredHere.remove(id)
    setDeferred(false)
    setWants('reply')
  }
  return (
    <section tabIndex={-1} aria-labelledby={headingId} className={CARD_CLASS}>
      <div>
        <h2
          id={headingId}
          className={classNames(
            'text-balance text-xl [overflow-wrap:anywhere] sm:text-2xl',
            isFirst && !isOpen && 'sr-only',
          )}
        >
          {isFirst
            ? `Dites à @${author_pseudo} que vous l’avez lue`
            : `Votre réponse à @${author_pseudo}`}
        </h2>
        <p role="status" className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
          {status()}
        </p>
      </div>
      {!isFirst && (
        <ul className="flex flex-col gap-4">
          {replies.map((reply) => (
            <OwnReply key={reply.id} revelation={revelation} reply={reply} />
          ))}
        </ul>
      )}
      {isOpen && (
        <ReplyComposer
          composer={composer}
          onDefer={() => {
            replyDeferredHere.add(id)
            setDeferred(true)
            setWants(undefined)
          }}
        />
      )}
      {!isOpen && can_reply && (
        <Button variant="secondary" className="self-start" onClick={reopen}>
          {isDeferred || isFirst ? 'Répondre' : 'Ajouter un mot ou votre voix'}
        </Button>
      )}
    </section>
  )
}

interface OwnReplyProps {
  revelation: Revelation
  reply: Reply
}

function OwnReply({ revelation: { id, author_pseudo }, reply }: OwnReplyProps) {
  const { created_at, read_at, answer } = reply
  return (
    <li className="flex flex-col gap-3">
      <div className="rounded-card bg-sunken px-4 pt-3 pb-1">
        <ReplyBody revelationId={id} reply={reply} voiceTitle="votre réponse" />
        <div className="flex items-center justify-between gap-3">
          <p className="text-ink-soft text-sm [overflow-wrap:anywhere]">
            Envoyée <Moment at={created_at} />
            {read_at !== null && (
              <>
                {' · '}Lue par @{author_pseudo} le{' '}
                <time dateTime={read_at}>{formatShortInstant(read_at, browserTimeZone())}</time>
              </>
            )}
          </p>
          <RemoveReply revelationId={id} replyId={reply.id} />
        </div>
      </div>
      {answer && <AnswerBody answer={answer} head={`@${author_pseudo} vous a répondu`} />}
    </li>
  )
}

interface RemoveReplyProps {
  revelationId: string
  replyId: string
}

function RemoveReply({ revelationId, replyId }: RemoveReplyProps) {
  const [isConfirming, setConfirming] = useState(false)
  const { mutate: remove, isPending, error } = useRemoveReply(revelationId)
  return (
    <>
      <IconButton
        label="Supprimer cette réponse"
        icon={<Trash2 aria-hidden="true" className="size-4.5" />}
        className="-mr-2"
        onClick={() => setConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Supprimer cette réponse&#8239;?"
        description="Personne ne pourra plus la lire ni l’entendre."
        confirmLabel="Supprimer"
        busy={isPending}
        error={error ? errorSentence(error, NOT_REMOVED) : undefined}
        onConfirm={() => remove(replyId)}
      />
    </>
  )
}

const NOT_REMOVED = 'La réponse n’a pas pu être supprimée. Réessayez.'
