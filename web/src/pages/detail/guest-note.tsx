import { KeyRound, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { RegisterLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import {
  declineDeliveryKey,
  hasDeliveryKey,
  keepDeliveryKey,
  keepingOf,
} from '#web/lib/delivery-key.ts'
import { Button } from '#web/ui/button.tsx'

/** For a reader with a personal link: what it does, and how to have the letter without it. */
export function GuestNote({ revelation }: { revelation: Revelation }) {
  const { user } = useSession()
  const { id, is_revealed, author_id } = revelation
  if (!hasDeliveryKey(id) || user?.id === author_id || user?.email_verified) return null
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
          <p className="mt-1.5 text-ink-soft">
            {is_revealed
              ? 'Le lien de votre mail ouvre cette lettre sans compte, aussi souvent que vous voulez.'
              : 'À la date, la lettre s’ouvrira ici, sans compte. Gardez le mail qui porte ce lien.'}{' '}
            {user
              ? 'Si vous l’avez reçue à l’adresse de votre compte, vérifiez cette adresse\u00A0: la lettre restera à vous, même sans le lien.'
              : 'Avec un compte à l’adresse où vous l’avez reçue, elle reste à vous une fois cette adresse vérifiée.'}
          </p>
        </div>
        {!user && (
          <RegisterLink className="mt-4 w-full sm:mt-0 sm:w-auto sm:shrink-0" hasLetter>
            Créer un compte pour la garder
          </RegisterLink>
        )}
      </div>
      {is_revealed && <DeviceQuestion revelationId={id} />}
    </section>
  )
}

/** Whether this device may keep the link: asked once the letter is open. Without an answer it is forgotten. */
function DeviceQuestion({ revelationId }: { revelationId: string }) {
  const [answer, setAnswer] = useState<'kept' | 'declined' | 'refused' | undefined>(() =>
    keepingOf(revelationId),
  )
  const decline = () => {
    declineDeliveryKey(revelationId)
    setAnswer('declined')
  }
  if (answer === 'kept') {
    return (
      <Answer
        title="Gardée sur cet appareil"
        actions={
          <Button variant="ghost" className="-mx-4" onClick={decline}>
            Oublier sur cet appareil
          </Button>
        }
      >
        Elle s’ouvre ici à tout moment, dans n’importe quel onglet, sans le mail. Se déconnecter
        l’efface aussi.
      </Answer>
    )
  }
  if (answer) {
    return (
      <Answer title="Rien n’est gardé sur cet appareil">
        {answer === 'refused'
          ? 'Il n’a pas pu garder le lien. '
          : 'Ce navigateur oublie le lien quand vous fermez cet onglet, dans 24\u00A0heures au plus. '}
        Celui du mail ouvre toujours la lettre.
      </Answer>
    )
  }
  return (
    <Answer
      title="Cet appareil est-il à vous&nbsp;?"
      actions={
        <>
          <Button
            variant="secondary"
            onClick={() => setAnswer(keepDeliveryKey(revelationId) ? 'kept' : 'refused')}
          >
            Oui, la garder ici
          </Button>
          <Button variant="ghost" onClick={decline}>
            Non
          </Button>
        </>
      }
    >
      Si oui, la lettre s’ouvrira ici à tout moment. Sinon, ce navigateur oublie le lien quand vous
      fermez cet onglet, dans 24&nbsp;heures au plus.
    </Answer>
  )
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
