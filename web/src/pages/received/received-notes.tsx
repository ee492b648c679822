import { MailCheck } from 'lucide-react'
import { ResendButton } from '#web/features/account/resend-button.tsx'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
import BlankPage from '#web/ui/art/blank-page.svg?react'
import EmptyNight from '#web/ui/art/empty-night.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { ReceivedPageFilters } from './use-received-filters.ts'

/** Letters may wait for an address that nobody proved yet: whether they do is not said. */
export function Unverified() {
  const { email } = useSignedInUser()
  return (
    <section
      aria-labelledby="a-verifier"
      className="mt-6 gap-6 rounded-card border border-line bg-surface p-5 shadow-soft sm:flex sm:items-center sm:p-6"
    >
      <div className="min-w-0 flex-1">
        <h2 id="a-verifier" className="flex items-center gap-2.5 text-xl">
          <MailCheck aria-hidden="true" className="size-5 shrink-0 text-ember-ink" />
          Vérifiez votre adresse
        </h2>
        <p className="mt-1.5 text-ink-soft">
          Des lettres attendent peut-être <EmailAddress>{email}</EmailAddress>. Nous ne le disons,
          et ne les montrons ici, qu’une fois l’adresse vérifiée&#8239;: suivez le lien que nous lui
          avons envoyé.
        </p>
      </div>
      <div className="mt-4 sm:mt-0 sm:max-w-52">
        <ResendButton />
      </div>
    </section>
  )
}

export function NoneReceived() {
  const { email, email_verified } = useSignedInUser()
  return (
    <EmptyState
      art={EmptyNight}
      title="Aucune lettre pour l’instant"
      action={<ButtonLink to={paths.create}>Écrire à quelqu’un</ButtonLink>}
    >
      {email_verified && (
        <p>
          Celles qu’on adresse à <EmailAddress>{email}</EmailAddress> arrivent ici, scellées jusqu’à
          leur jour&#8239;; celles qui sont personnelles, le jour même.
        </p>
      )}
      <p className="mt-2">
        Vous en avez reçu une à une autre adresse&#8239;? Suivez le lien de son e-mail, puis
        «&#8239;Ajouter à mes lettres&#8239;».
      </p>
    </EmptyState>
  )
}

interface NoneFoundProps {
  filters: ReceivedPageFilters
  onClear: () => void
}

const NONE_OF_STATE: Record<ReceivedPageFilters['state'], string> = {
  all: 'Aucune lettre trouvée',
  waiting: 'Rien n’attend d’être ouvert',
  upcoming: 'Rien d’annoncé pour l’instant',
  opened: 'Vous n’en avez ouvert aucune',
}

export function NoneFound({ filters: { q, state }, onClear }: NoneFoundProps) {
  return (
    <EmptyState
      art={BlankPage}
      title={q ? NONE_OF_STATE.all : NONE_OF_STATE[state]}
      action={
        <Button variant="secondary" onClick={onClear}>
          Voir toutes mes lettres
        </Button>
      }
    >
      {q && 'Aucune ne répond à ces mots.'}
    </EmptyState>
  )
}
