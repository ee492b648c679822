import { useQuery } from '@tanstack/react-query'
import { Ban, Ellipsis, Flag, Mail, Reply as ReplyIcon, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { REPLY_MAX_LENGTH, type Replies, type Reply } from '#contract/replies.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import {
  repliesQuery,
  useAnswerReply,
  useBlockReplies,
  useMarkRepliesRead,
  useRemoveReply,
  useUnblockReplies,
} from './replies.queries.ts'
import { AnswerBody, Moment, ReplyBody } from './reply-body.tsx'

interface ReceivedRepliesProps {
  revelation: OwnRevelation
  onReport: (reply: Reply) => void
}

/** For the author of a letter: what its readers answered; nothing while nobody did. */
export function ReceivedReplies({ revelation, onReport }: ReceivedRepliesProps) {
  const query = useQuery(repliesQuery(revelation.id))
  const { data } = query
  if (data) {
    if (data.replies.length === 0 && data.blocks.length === 0) return null
    return <ReceivedRepliesSection known={data} revelation={revelation} onReport={onReport} />
  }
  if (!query.error) return null
  return <QueryFailure query={query} title="Les réponses n’ont pas pu être chargées" />
}

interface SectionProps extends ReceivedRepliesProps {
  known: Replies
}

function ReceivedRepliesSection({ known, revelation, onReport }: SectionProps) {
  const { replies, blocks } = known
  const { id } = revelation
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const unread = replies.filter(({ read_at }) => read_at === null).map((reply) => reply.id)
  const [fresh, setFresh] = useState<readonly string[]>([])
  // What came unread stays new as long as the page is open: to be seen is to be read.
  if (unread.some((replyId) => !fresh.includes(replyId))) setFresh([...fresh, ...unread])
  useMarkRead(section, id, unread.join())
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={headingId}
      className="print:hidden flex flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      <div>
        <h2 id={headingId} className="text-xl sm:text-2xl">
          Réponses
        </h2>
        <p className="text-ink-soft text-sm">Rien que pour vous.</p>
      </div>
      {replies.length > 0 && (
        <ul className="divide-y divide-line">
          {replies.map((reply) => (
            <ReceivedReply
              key={reply.id}
              revelationId={id}
              reply={reply}
              isNew={fresh.includes(reply.id)}
              onReport={onReport}
            />
          ))}
        </ul>
      )}
      {blocks.length > 0 && <Blocks revelationId={id} blocks={blocks} />}
    </section>
  )
}

/** Says once that they were seen, when they come into sight. */
function useMarkRead(
  section: RefObject<HTMLElement | null>,
  revelationId: string,
  unread: string,
): void {
  const markRead = useMarkRepliesRead(revelationId)
  const lastRead = useRef('')
  const onSeen = useEffectEvent(() => {
    if (lastRead.current === unread) return
    lastRead.current = unread
    markRead()
  })
  useEffect(() => {
    if (!unread || !section.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
    })
    observer.observe(section.current)
    return () => observer.disconnect()
  }, [section, unread])
}

interface ReceivedReplyProps {
  revelationId: string
  reply: Reply
  isNew: boolean
  onReport: (reply: Reply) => void
}

function ReceivedReply({ revelationId, reply, isNew, onReport }: ReceivedReplyProps) {
  const { from, created_at, answer, can } = reply
  const who = nameOf(from)
  const [isWriting, setWriting] = useState(false)
  return (
    <li tabIndex={-1} className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-center gap-3">
        <Avatar name={from.pseudo ?? who} src={from.avatar_url} />
        <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 text-sm">
          <span className="font-semibold text-base [overflow-wrap:anywhere]">
            {who === from.address ? <EmailAddress>{who}</EmailAddress> : who}
          </span>
          <Moment at={created_at} />
          {isNew && <Badge className="py-0.5!">Nouvelle</Badge>}
        </p>
        <ReplyMenu {...{ revelationId, reply, who, onReport }} />
      </div>
      <ReplyBody revelationId={revelationId} reply={reply} voiceTitle={`la réponse de ${who}`} />
      {answer && <AnswerBody answer={answer} head="Vous avez répondu" />}
      {can.answer && isWriting ? (
        <AnswerForm
          revelationId={revelationId}
          replyId={reply.id}
          who={who}
          onClose={() => setWriting(false)}
        />
      ) : (
        <WriteBack reply={reply} onWrite={() => setWriting(true)} />
      )}
    </li>
  )
}

/** A pseudo or a name; an address where neither is known. */
function nameOf({ pseudo, name, address }: Reply['from']): string {
  if (pseudo) return `@${pseudo}`
  return name ?? address ?? 'Votre destinataire'
}

interface WriteBackProps {
  reply: Reply
  onWrite: () => void
}

/** A few words at once, or a letter that waits like the first one. */
function WriteBack({ reply: { from, can }, onWrite }: WriteBackProps) {
  if (!can.answer && !from.address) return null
  return (
    <div className="flex flex-wrap gap-2">
      {can.answer && (
        <Button
          variant="secondary"
          icon={<ReplyIcon aria-hidden="true" className="size-5" />}
          onClick={onWrite}
        >
          Répondre
        </Button>
      )}
      {from.address && (
        <ButtonLink
          variant="ghost"
          className="text-left"
          to={paths.create}
          // Not in the address of the page, which logs and histories remember.
          state={{ addressee: from.address }}
          icon={<Mail aria-hidden="true" className="size-5 shrink-0" />}
        >
          Répondre par une lettre scellée
        </ButtonLink>
      )}
    </div>
  )
}

interface AnswerFormProps {
  revelationId: string
  replyId: string
  who: string
  onClose: () => void
}

function AnswerForm({ revelationId, replyId, who, onClose }: AnswerFormProps) {
  const [content, setContent] = useState('')
  const { mutate: answer, isPending, error } = useAnswerReply(revelationId)
  const refused = error instanceof ApiError ? error.fields.content : undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (content.trim()) answer({ replyId, content })
      }}
    >
      <TextArea
        ref={focusOnAppearing}
        label={`Votre réponse à ${who}`}
        hint="Une seule fois, et rien que pour cette personne."
        rows={3}
        limit={REPLY_MAX_LENGTH}
        length={content.length}
        value={content}
        error={refused}
        onChange={({ target }) => setContent(target.value)}
      />
      {error && !refused && (
        <Notice tone="error" title="Votre réponse n’est pas partie">
          {errorSentence(error, 'Réessayez dans un instant.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isPending} busyLabel="Envoi…" disabled={!content.trim()}>
          Envoyer la réponse
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Annuler
        </Button>
      </div>
    </form>
  )
}

function focusOnAppearing(field: HTMLTextAreaElement | null): void {
  field?.focus()
}

interface ReplyMenuProps extends Omit<ReceivedReplyProps, 'isNew'> {
  who: string
}

function ReplyMenu({ revelationId, reply, who, onReport }: ReplyMenuProps) {
  const [confirming, setConfirming] = useState<'block' | 'remove'>()
  const block = useBlockReplies(revelationId)
  const remove = useRemoveReply(revelationId)
  const close = () => setConfirming(undefined)
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Plus d’actions pour la réponse de ${who}`}
            icon={<Ellipsis aria-hidden="true" className="size-5" />}
            className="-mr-2"
          />
        }
      >
        {reply.can.block && (
          <MenuItem
            icon={<Ban aria-hidden="true" className="size-5 shrink-0" />}
            onSelect={() => setConfirming('block')}
          >
            Ne plus recevoir de réponses de cette personne
          </MenuItem>
        )}
        {reply.can.report && (
          <MenuItem
            icon={<Flag aria-hidden="true" className="size-5" />}
            onSelect={() => onReport(reply)}
          >
            Signaler
          </MenuItem>
        )}
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={() => setConfirming('remove')}
        >
          Supprimer
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={confirming === 'block'}
        onOpenChange={close}
        title="Ne plus recevoir de réponses de cette personne&#8239;?"
        description={`${who} pourra toujours lire vos lettres, mais plus y répondre. Vous pourrez revenir sur ce choix ici.`}
        confirmLabel="Ne plus recevoir"
        busy={block.isPending}
        error={block.error ? errorSentence(block.error, NOT_DONE) : undefined}
        onConfirm={() => block.mutate(reply.id, { onSuccess: close })}
      />
      <ConfirmDialog
        open={confirming === 'remove'}
        onOpenChange={close}
        title="Supprimer cette réponse&#8239;?"
        description="Elle disparaît aussi pour la personne qui l’a écrite."
        confirmLabel="Supprimer"
        busy={remove.isPending}
        error={remove.error ? errorSentence(remove.error, NOT_DONE) : undefined}
        onConfirm={() => remove.mutate(reply.id)}
      />
    </>
  )
}

const NOT_DONE = 'Cela n’a pas pu être fait. Réessayez.'

interface BlocksProps {
  revelationId: string
  blocks: Replies['blocks']
}

function Blocks({ revelationId, blocks }: BlocksProps) {
  const { mutate: unblock, isPending, error, variables } = useUnblockReplies(revelationId)
  return (
    <details className="border-line border-t pt-2">
      <summary className="min-h-11 cursor-pointer content-center rounded-field font-semibold text-ink-soft">
        Vous ne recevez plus de réponses de…
      </summary>
      <ul className="divide-y divide-line">
        {blocks.map(({ id, address }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <EmailAddress>{address}</EmailAddress>
            <Button
              variant="secondary"
              busy={isPending && variables === id}
              onClick={() => unblock(id)}
            >
              Débloquer
            </Button>
          </li>
        ))}
      </ul>
      {error && <Notice tone="error">{errorSentence(error, NOT_DONE)}</Notice>}
    </details>
  )
}
