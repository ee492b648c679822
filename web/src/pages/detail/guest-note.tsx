import { Inbox, KeyRound, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { User } from '#contract/profiles.ts'
import type { Revelation } from '#contract/revelations.ts'
import { RegisterLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { dropOfflineOfLink } from '#web/features/offline-letters/forget-offline.ts'
import { LeaveButton } from '#web/features/received/leave-button.tsx'
import { useJoinLetters } from '#web/features/received/received.queries.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import {
  declineDeliveryKey,
  persistDeliveryKey,
  useDeviceChoice,
  useIsJoined,
} from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { moveReaderMarks } from '#web/lib/reader-marks.ts'
import { moveReplyDraft } from '#web/lib/reply-drafts.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

/** For a reader with a personal link: what it does, and how to have the letter without it. */
export function GuestNote({ revelation }: { revelation: Revelation }) {
  const { user } = useSession()
  const { id, is_revealed } = revelation
  const isJoined = useIsJoined(id, user?.id)
  const isUndecided = useDeviceChoice(id) === undefined
  if (user && hasOtherwise(revelation, user)) return null
  const canJoin = user !== null && is_revealed && !isJoined
  return (
    <section
      aria-labelledby="lien-personnel"
      className="rounded-card border border-line bg-surface p-5 shadow-soft print:hidden sm:p-6"
    >
      <div className="sm:flex sm:items-center sm:gap-6">
        <div className="min-w-0 flex-1">
          <h2 id="lien-personnel" className="flex items-center gap-2.5 text-xl">
            <KeyRound aria-hidden="true" className="size-5 shrink-0 text-ember-ink" />
            Votre lien personnel
          </h2>
          <p role="status" className="mt-1.5 text-ink-soft">
            {isJoined ? (
              'Elle est dans vos lettres reçues\u202F: vous la retrouverez avec votre compte, sur tous vos appareils.'
            ) : (
              <>
                {is_revealed
                  ? 'Le lien de votre e-mail ouvre cette lettre sans compte, aussi souvent que vous voulez.'
                  : 'À la date, la lettre s’ouvrira ici, sans compte. Gardez l’e-mail qui porte ce lien.'}{' '}
                {canJoin &&
                  'Ajoutez-la à vos lettres reçues pour la retrouver avec votre compte, sur tous vos appareils.'}
                {!user && 'Avec un compte, vous pourrez l’ajouter à vos lettres reçues.'}
              </>
            )}
            {user && !user.email_verified && (
              <>
                {' '}
                Si vous l’avez reçue à l’adresse de votre compte, vérifiez cette adresse&#8239;: la
                lettre restera à vous, même sans le lien.
              </>
            )}
          </p>
        </div>
        <div className="mt-4 sm:mt-0 sm:shrink-0">
          {!user && (
            <RegisterLink className="max-sm:w-full" hasLetter>
              Créer un compte pour la garder
            </RegisterLink>
          )}
          {user && !isJoined && <JoinButton revelationId={id} />}
          {user && isJoined && (
            <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
              <ButtonLink variant="secondary" to={paths.received} className="max-sm:w-full">
                Mes lettres reçues
              </ButtonLink>
              <LeaveButton revelation={revelation} />
            </div>
          )}
        </div>
      </div>
      {is_revealed && !(isJoined && isUndecided) && <DeviceQuestion revelationId={id} />}
    </section>
  )
}

/** Whether the account has the letter without any link: it wrote it, or the letter is addressed to its proved address. */
function hasOtherwise({ author_id, target_email }: Revelation, user: User): boolean {
  const isAddressed = user.email_verified && isSameAddress(user.email, target_email)
  return user.id === author_id || isAddressed
}

function JoinButton({ revelationId }: { revelationId: string }) {
  const { mutate: join, isPending, data: failures = [] } = useJoinLetters()
  const [failure] = failures
  return (
    <>
      <Button
        variant="secondary"
        icon={<Inbox aria-hidden="true" className="size-5" />}
        className="max-sm:w-full"
        busy={isPending}
        busyLabel="Un instant…"
        onClick={() => join([revelationId])}
      >
        Ajouter à mes lettres
      </Button>
      <p role="alert" className="mt-2 text-error-ink empty:hidden">
        {failure && errorSentence(failure.error, 'Elle n’a pas pu être ajoutée. Réessayez.')}
      </p>
    </>
  )
}

/** Whether this device may keep the link: asked once the letter is open. Without an answer it is forgotten. */
function DeviceQuestion({ revelationId }: { revelationId: string }) {
  const answer = useDeviceChoice(revelationId)
  const [isRefused, setRefused] = useState(false)
  const decline = () => {
    declineDeliveryKey(revelationId)
    moveReaderMarks(revelationId)
    moveReplyDraft(revelationId)
    void dropOfflineOfLink(revelationId)
  }
  const persist = () => {
    const isPersisted = persistDeliveryKey(revelationId)
    moveReaderMarks(revelationId)
    moveReplyDraft(revelationId)
    setRefused(!isPersisted)
  }
  if (answer === 'persisted') {
    return (
      <Answer
        title="Gardée sur cet appareil"
        actions={
          <>
            <ButtonLink variant="secondary" to={paths.deviceLetters}>
              Mes lettres sur cet appareil
            </ButtonLink>
            <Button variant="ghost" onClick={decline}>
              Oublier sur cet appareil
            </Button>
          </>
        }
      >
        Elle s’ouvre ici à tout moment, dans n’importe quel onglet, sans l’e-mail. Se déconnecter
        l’efface aussi.
      </Answer>
    )
  }
  if (isRefused || answer === 'declined') {
    return (
      <Answer title="Rien n’est gardé sur cet appareil">
        {isRefused
          ? 'Il n’a pas pu garder le lien. '
          : `Ce navigateur oublie le lien ${whenForgotten()}. `}
        Celui de l’e-mail ouvre toujours la lettre.
      </Answer>
    )
  }
  return (
    <Answer
      title="Cet appareil est-il à vous&#8239;?"
      actions={
        <>
          <Button variant="secondary" onClick={persist}>
            Oui, la garder ici
          </Button>
          <Button variant="ghost" onClick={decline}>
            Non
          </Button>
        </>
      }
    >
      Si oui, la lettre s’ouvrira ici à tout moment. Sinon, ce navigateur oublie le lien{' '}
      {whenForgotten()}.
    </Answer>
  )
}

function whenForgotten(): string {
  return isStorageTemporary()
    ? 'quand la page se recharge ou se ferme'
    : 'quand vous fermez cet onglet, dans 24\u00A0heures au plus'
}

interface AnswerProps {
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

function Answer({ title, actions, children }: AnswerProps) {
  return (
    <div role="status" className="mt-5 border-line border-t pt-5">
      <h3 className="flex items-center gap-2.5 font-sans font-semibold text-base tracking-normal">
        <Smartphone aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
        {title}
      </h3>
      <p className="mt-1 text-ink-soft">{children}</p>
      {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
