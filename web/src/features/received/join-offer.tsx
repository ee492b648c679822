import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useId } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { errorSentence, isGone } from '#web/lib/api-client.ts'
import { useDeviceLetters } from '#web/lib/delivery-key.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useForgetLinks } from './forget-links.ts'
import { type JoinFailure, useJoinLetters } from './received.queries.ts'

/** On a device that keeps letters for its reader: to have them with the account, everywhere. */
export function JoinOffer({ className }: { className?: string }) {
  const user = useSignedInUser()
  const ids = useDeviceLetters(user.id)
  const {
    mutate: join,
    isPending,
    data: failures = [],
  } = useJoinLetters((count) => showToast('success', joinedSentence(count)))
  const headingId = useId()
  const failed = failures.filter(({ id }) => ids.includes(id))
  if (ids.length === 0) return null
  const letters = counted(ids.length, 'lettre', 'lettres')
  return (
    <section
      aria-labelledby={headingId}
      className={`rounded-card border border-line bg-surface p-4 shadow-soft sm:p-5 ${className ?? ''}`}
    >
      <div className="gap-4 sm:flex sm:items-center">
        <h2
          id={headingId}
          className="min-w-0 flex-1 font-sans font-semibold text-base tracking-normal"
        >
          {ids.length === 1
            ? 'Cet appareil garde une lettre pour vous'
            : `Cet appareil garde ${letters} pour vous`}
        </h2>
        <Button
          variant="secondary"
          icon={<Inbox aria-hidden="true" className="size-5" />}
          className="mt-2 max-sm:w-full sm:mt-0"
          busy={isPending}
          busyLabel="Un instant…"
          onClick={() => join(ids)}
        >
          {ids.length === 1 ? 'La joindre à mon compte' : `Joindre ${letters} à mon compte`}
        </Button>
      </div>
      <div role="alert">
        {failed.length > 0 && (
          <ul className="mt-3 flex flex-col gap-2 border-line border-t pt-3">
            {failed.map((failure) => (
              <FailedLetter key={failure.id} failure={failure} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function joinedSentence(count: number): string {
  return count === 1
    ? 'La lettre est dans vos lettres reçues.'
    : `${counted(count, 'lettre', 'lettres')} sont dans vos lettres reçues.`
}

function FailedLetter({ failure: { id, error } }: { failure: JoinFailure }) {
  const isDead = isGone(error)
  const forget = useForgetLinks()
  const { data: known } = useQuery({ ...revelationQuery(id), enabled: !isDead })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <strong>{known ? `«\u202F${known.title}\u202F»` : 'Une lettre gardée ici'}</strong>
        {'\u202F: '}
        {isDead
          ? 'son lien est désactivé, ou la lettre n’existe plus.'
          : errorSentence(error, 'elle n’a pas pu être jointe. Réessayez.')}
      </p>
      {isDead && (
        <Button variant="ghost" className="-mx-4" onClick={() => forget([id])}>
          Oublier
        </Button>
      )}
    </li>
  )
}
