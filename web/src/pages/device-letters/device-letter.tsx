import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ReceivedState } from '#contract/received.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { isToBeOpened } from '#web/features/openings/use-own-opening.ts'
import { LetterCard } from '#web/features/received/letter-card.tsx'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { useReveal } from '#web/features/revelations/use-reveal.ts'
import { errorSentence, isGone } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/loading.tsx'

interface DeviceLetterProps {
  id: string
  onForget: () => void
}

/** A letter that this device keeps the key of, as it is now. */
export function DeviceLetter({ id, onForget }: DeviceLetterProps) {
  const { data: revelation, error, isFetching, refetch } = useQuery(revelationQuery(id))
  if (error && isGone(error)) {
    return (
      <Unreadable
        title="Cette lettre ne s’ouvre plus ici"
        actions={
          <Button variant="secondary" onClick={onForget}>
            Oublier
          </Button>
        }
      >
        Son auteur a désactivé ce lien, ou l’a effacée.
      </Unreadable>
    )
  }
  if (revelation) return <KnownLetter revelation={revelation} onForget={onForget} />
  if (!error) return <LoadingLetter />
  return (
    <Unreadable
      title="Cette lettre n’a pas pu être trouvée"
      actions={
        <>
          <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
            Réessayer
          </Button>
          <ForgetButton title="cette lettre" onForget={onForget} />
        </>
      }
    >
      {errorSentence(error, 'Réessayez dans un instant.')}
    </Unreadable>
  )
}

interface KnownLetterProps {
  revelation: Revelation
  onForget: () => void
}

function KnownLetter({ revelation, onForget }: KnownLetterProps) {
  const { user } = useSession()
  const { phase } = useReveal(revelation)
  const state = (): ReceivedState => {
    if (phase !== 'open') return 'upcoming'
    return isToBeOpened(revelation, user !== null) ? 'waiting' : 'opened'
  }
  return (
    <LetterCard
      heading="h2"
      revelation={revelation}
      state={state()}
      openedAt={revelation.opening.opened_at}
      actions={<ForgetButton title={`«\u202F${revelation.title}\u202F»`} onForget={onForget} />}
    />
  )
}

interface ForgetButtonProps {
  title: string
  onForget: () => void
}

function ForgetButton({ title, onForget }: ForgetButtonProps) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button variant="ghost" className="-mx-4" onClick={() => setConfirming(true)}>
        Oublier<span className="sr-only"> {title} sur cet appareil</span>
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Oublier ${title} sur cet appareil\u202F?`}
        description="Elle ne s’ouvrira plus ici sans le lien de son e-mail, qui reste valable."
        confirmLabel="Oublier"
        onConfirm={onForget}
        returnTo={() => document.querySelector('main')}
      />
    </>
  )
}

interface UnreadableProps {
  title: string
  actions: ReactNode
  children: string
}

function Unreadable({ title, actions, children }: UnreadableProps) {
  return (
    <article className="flex flex-col rounded-card border border-line bg-sunken text-ink">
      <div className="flex flex-1 items-start gap-4 p-4 sm:p-5">
        <KeyRound aria-hidden="true" className="mt-1 size-6 shrink-0 text-ink-soft" />
        <div className="min-w-0">
          <h2 className="text-balance text-xl">{title}</h2>
          <p className="mt-1 text-ink-soft">{children}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-2 px-4 pb-4 sm:px-5">{actions}</div>
    </article>
  )
}

function LoadingLetter() {
  return (
    <div role="status" className="flex h-44 gap-4 rounded-card border border-line bg-surface p-5">
      <span className="sr-only">Chargement de la lettre</span>
      <Skeleton className="size-12 shrink-0 rounded-full!" />
      <div aria-hidden="true" className="flex flex-1 flex-col gap-3">
        <Skeleton className="h-7 w-4/5" />
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-5 w-3/5" />
      </div>
    </div>
  )
}
