import { Hourglass, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Standing } from '#contract/profiles.ts'
import type { ReceivedRequest, SentRequest } from '#contract/relationships.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatRelative } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { PersonList, PersonRow } from './person-row.tsx'
import { TYPE_WORDS, TypeBadge, UNVERIFIED } from './relationship-types.tsx'
import { useWithdrawRequest } from './relationships.queries.ts'

export function ReceivedRequests({ requests }: { requests: ReceivedRequest[] }) {
  if (requests.length === 0) return null
  return (
    <Panel title={`Demandes reçues (${requests.length})`}>
      <PersonList>
        {requests.map((request) => (
          <PersonRow
            key={request.id}
            person={request.sender}
            badge={<TypeBadge type={request.type} />}
            details={[
              request.sender.email ?? UNVERIFIED,
              formatRelative(request.created_at, serverNow()),
            ]}
            actions={<AnswerButtons request={request} pseudo={request.sender.pseudo} />}
            below={<RequestMessage>{request.message}</RequestMessage>}
          />
        ))}
      </PersonList>
    </Panel>
  )
}

export function SentRequests({ requests }: { requests: SentRequest[] }) {
  if (requests.length === 0) return null
  return (
    <Panel title={`Demandes envoyées (${requests.length})`}>
      <PersonList>
        {requests.map((request) => (
          <SentRow key={request.id} request={request} />
        ))}
      </PersonList>
    </Panel>
  )
}

function SentRow({ request }: { request: SentRequest }) {
  const { mutate: withdraw, isPending, error } = useWithdrawRequest()
  const { id, receiver, type, created_at, message } = request
  return (
    <PersonRow
      person={receiver}
      badge={<TypeBadge type={type} />}
      details={['En attente', formatRelative(created_at, serverNow())]}
      actions={
        <Button
          variant="secondary"
          busy={isPending}
          aria-label={`Retirer la demande à @${receiver.pseudo}`}
          onClick={() => withdraw(id)}
        >
          Retirer
        </Button>
      }
      below={
        <>
          <RequestMessage>{message}</RequestMessage>
          {error && (
            <Notice tone="error">{errorSentence(error, 'Erreur lors de la suppression')}</Notice>
          )}
        </>
      }
    />
  )
}

function RequestMessage({ children }: { children: string }) {
  if (!children) return null
  return (
    <blockquote className="whitespace-pre-line border-line-strong border-l-3 pl-3 text-ink-soft [overflow-wrap:anywhere]">
      {children}
    </blockquote>
  )
}

interface StandingRequestProps {
  pseudo: string
  standing: NonNullable<Standing>
}

/** The pending request on the profile of a person, sent or received. */
export function StandingRequest({ pseudo, standing }: StandingRequestProps) {
  const { relationship, request } = standing
  if (relationship || !request) return null
  if (request.direction === 'sent') return <SentRequestStrip request={request} />
  return (
    <Strip
      icon={<UserPlus aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />}
      title={`Demande reçue · ${TYPE_WORDS[request.type].one}`}
    >
      <AnswerButtons request={request} pseudo={pseudo} />
    </Strip>
  )
}

function SentRequestStrip({ request }: { request: { id: string; type: 'friend' | 'family' } }) {
  const { mutate: withdraw, isPending, error } = useWithdrawRequest()
  return (
    <Strip
      icon={<Hourglass aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />}
      title={`Demande envoyée · ${TYPE_WORDS[request.type].one}`}
    >
      <Button
        variant="secondary"
        busy={isPending}
        aria-label="Annuler la demande"
        onClick={() => withdraw(request.id)}
      >
        Annuler
      </Button>
      {error && (
        <Notice tone="error">{errorSentence(error, 'Erreur lors de la suppression')}</Notice>
      )}
    </Strip>
  )
}

interface StripProps {
  icon: ReactNode
  title: string
  children: ReactNode
}

function Strip({ icon, title, children }: StripProps) {
  return (
    <div className="mt-4 flex max-w-xl flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-surface py-2.5 pr-2.5 pl-4 shadow-soft">
      {icon}
      <p className="min-w-0 flex-1 basis-40 font-semibold">{title}</p>
      <div className="ml-auto flex flex-wrap gap-2">{children}</div>
    </div>
  )
}
