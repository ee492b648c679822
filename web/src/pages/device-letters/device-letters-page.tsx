import { useState } from 'react'
import { RegisterLink, SignInLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { useForgetLinks } from '#web/features/received/forget-links.ts'
import { JoinOffer } from '#web/features/received/join-offer.tsx'
import { LetterGrid } from '#web/features/received/letter-grid.tsx'
import { useDeviceLetters } from '#web/lib/delivery-key.ts'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import UnlitKeyhole from '#web/ui/art/keyhole-unlit.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyPage } from '#web/ui/empty-state.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { DeviceLetter } from './device-letter.tsx'

/** The letters whose personal links this device keeps, since its reader said that it is theirs. It needs no account. */
export function DeviceLettersPage() {
  const ids = useDeviceLetters()
  const { user } = useSession()
  const forget = useForgetLinks()
  if (ids.length === 0) return <NoDeviceLetters />
  return (
    <div className="container-page pt-6 sm:pt-10">
      <PageHeading>Mes lettres sur cet appareil</PageHeading>
      <p className="mt-2 max-w-reading text-ink-soft">
        Elles s’ouvrent ici sans compte et sans l’e-mail, dans n’importe quel onglet.
        {user && ' Vous déconnecter les efface de cet appareil.'}
      </p>
      {user && <JoinOffer className="mt-4" />}
      <LetterGrid>
        {ids.map((id) => (
          <li key={id}>
            <DeviceLetter id={id} onForget={() => forget([id])} />
          </li>
        ))}
      </LetterGrid>
      {ids.length > 1 && <ForgetAll count={ids.length} onForget={() => forget(ids)} />}
      {!user && <WithAccount />}
    </div>
  )
}

interface ForgetAllProps {
  count: number
  onForget: () => void
}

function ForgetAll({ count, onForget }: ForgetAllProps) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button variant="danger" className="mt-6" onClick={() => setConfirming(true)}>
        Tout oublier sur cet appareil
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Oublier ces ${counted(count, 'lettre', 'lettres')} sur cet appareil\u202F?`}
        description="Elles ne s’ouvriront plus ici sans le lien de leur e-mail, qui reste valable."
        confirmLabel="Tout oublier"
        onConfirm={onForget}
      />
    </>
  )
}

function WithAccount() {
  return (
    <section
      aria-labelledby="avec-un-compte"
      className="mt-8 max-w-reading rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      <h2 id="avec-un-compte" className="text-xl">
        Les retrouver partout
      </h2>
      <p className="mt-1.5 text-ink-soft">
        Avec un compte, vous pouvez les joindre à vos lettres reçues et les lire sur tous vos
        appareils.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <RegisterLink hasLetter className="max-sm:w-full">
          Créer un compte
        </RegisterLink>
        <SignInLink className="max-sm:w-full" />
      </div>
    </section>
  )
}

function NoDeviceLetters() {
  const { user } = useSession()
  return (
    <EmptyPage
      art={UnlitKeyhole}
      title="Aucune lettre sur cet appareil"
      note="Sur un appareil qui n’est pas à vous, répondez «&#8239;Non&#8239;»&#8239;: rien n’y est gardé."
      actions={
        user ? (
          <ButtonLink to={paths.received}>Mes lettres reçues</ButtonLink>
        ) : (
          <ButtonLink to={paths.home}>Retour à l’accueil</ButtonLink>
        )
      }
    >
      Ouvrez une lettre par le lien de son e-mail, puis répondez «&#8239;Oui, la garder ici&#8239;»
      quand la page demande si cet appareil est à vous. Vous la retrouverez ici, sans compte.
    </EmptyPage>
  )
}
