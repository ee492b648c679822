import { KeyRound } from 'lucide-react'
import type { Revelation } from '#contract/revelations.ts'
import { RegisterLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'

/** For whoever reads by the personal link of a mail: what it does, and how to keep the letter without it. */
export function GuestNote({ revelation }: { revelation: Revelation }) {
  const { user } = useSession()
  const { id, is_revealed, author_id } = revelation
  if (!hasDeliveryKey(id) || user?.id === author_id || user?.email_verified) return null
  return (
    <section
      aria-labelledby="lien-personnel"
      className="rounded-card border border-line bg-surface p-5 shadow-soft sm:flex sm:items-center sm:gap-6 sm:p-6"
    >
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
    </section>
  )
}
