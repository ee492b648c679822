import { SignInLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { forgetDeliveryKey } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import Keyhole from '#web/ui/art/keyhole.svg?react'
import UnlitKeyhole from '#web/ui/art/keyhole-unlit.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyPage } from '#web/ui/empty-state.tsx'

/** The same page for a missing and for a hidden revelation. */
export function HiddenRevelation() {
  const { user } = useSession()
  return (
    <EmptyPage art={Keyhole} title="Rien à cette adresse" actions={<WaysOut />}>
      Cette révélation n’existe pas, n’existe plus, ou ne vous est pas ouverte. Si elle vous est
      destinée, suivez le lien de l’e-mail que vous avez reçu
      {user ? '.' : ', ou connectez-vous.'} Une carte ou un lien qu’on vous a remis ne l’ouvre qu’à
      la date choisie.
    </EmptyPage>
  )
}

/** The page of a revoked personal link. */
export function RevokedLink({ revelationId }: { revelationId: string }) {
  const { user } = useSession()
  return (
    <EmptyPage
      art={UnlitKeyhole}
      title="Ce lien a été désactivé"
      note={!user && 'Si vous avez un compte à l’adresse où vous l’avez reçue, connectez-vous.'}
      actions={<WaysOut onSignIn={() => forgetDeliveryKey(revelationId)} />}
    >
      Ce lien personnel a été désactivé par l’auteur de la révélation. Demandez-lui de vous en
      envoyer un nouveau&#8239;: l’e-mail le plus récent est celui qui ouvre la lettre.
    </EmptyPage>
  )
}

function WaysOut({ onSignIn }: { onSignIn?: () => void }) {
  const { user } = useSession()
  return (
    <>
      <ButtonLink to={paths.home}>Retour à l’accueil</ButtonLink>
      {!user && <SignInLink onClick={onSignIn} />}
    </>
  )
}
