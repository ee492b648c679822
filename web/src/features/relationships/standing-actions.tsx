import { Clock, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Standing } from '#contract/profiles.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { PersonMenu } from './person-menu.tsx'
import { TYPE_WORDS } from './relationship-words.ts'
import { useWithdrawRequest } from './relationships.queries.ts'
import { TypeBadge } from './type-badge.tsx'

const AskDialog = lazy(async () => ({
  default: (await import('./ask-dialog.tsx')).AskDialog,
}))

interface StandingActionsProps {
  personId: string
  pseudo: string
  standing: NonNullable<Standing>
}

/** What I may do about somebody, as we stand now. */
export function StandingActions({ personId, pseudo, standing }: StandingActionsProps) {
  const { relationship, request } = standing
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {relationship && <TypeBadge type={relationship.type} />}
      {!relationship && request?.direction === 'received' && (
        <>
          <p className="text-ink-soft text-sm">Demande reçue · {TYPE_WORDS[request.type].one}</p>
          <AnswerButtons request={request} pseudo={pseudo} />
        </>
      )}
      {!relationship && request?.direction === 'sent' && <SentAction request={request} />}
      {!relationship && !request && (
        <Button
          icon={<UserPlus aria-hidden="true" className="size-5" />}
          onClick={() => setAsking(true)}
        >
          Ajouter
        </Button>
      )}
      <PersonMenu personId={personId} pseudo={pseudo} relationshipId={relationship?.id} />
      {isAsking && (
        <Suspense>
          <AskDialog personId={personId} pseudo={pseudo} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

function SentAction({ request }: { request: NonNullable<NonNullable<Standing>['request']> }) {
  const { mutate: withdraw, isPending, error } = useWithdrawRequest()
  return (
    <>
      <p className="flex items-center gap-1.5 text-ink-soft text-sm">
        <Clock aria-hidden="true" className="size-4" />
        Demande envoyée · {TYPE_WORDS[request.type].one}
      </p>
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
    </>
  )
}
