import type { ReceivedRequest, SentRequest } from '#contract/relationships.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatRelative } from '#web/lib/french-dates.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { PersonList, PersonRow } from './person-row.tsx'
import { UNVERIFIED } from './relationship-words.ts'
import { useWithdrawRequest } from './relationships.queries.ts'
import { TypeBadge } from './type-badge.tsx'

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
