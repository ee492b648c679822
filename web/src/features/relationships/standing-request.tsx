import { Hourglass, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Standing } from '#contract/profiles.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { TYPE_WORDS } from './relationship-words.ts'
import { useWithdrawRequest } from './relationships.queries.ts'

interface StandingRequestProps {
  pseudo: string
  standing: NonNullable<Standing>
}

/** A request between us that waits, mine or theirs. */
export function StandingRequest({ pseudo, standing }: StandingRequestProps) {
  const { relationship, request } = standing
  if (relationship || !request) return null
  if (request.direction === 'sent') return <SentRequest request={request} />
  return (
    <Strip
      icon={<UserPlus aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />}
      title={`Demande reçue · ${TYPE_WORDS[request.type].one}`}
    >
      <AnswerButtons request={request} pseudo={pseudo} />
    </Strip>
  )
}

function SentRequest({ request }: { request: { id: string; type: 'friend' | 'family' } }) {
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
