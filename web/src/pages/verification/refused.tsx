import type { readEmailLink } from '#contract/account.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { WayHome } from '#web/features/auth/way-home.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'

interface RefusedProps {
  link: EndpointOutput<typeof readEmailLink>
}

export function Refused({ link: { pseudo, email } }: RefusedProps) {
  return (
    <AuthPage
      title="C’est noté"
      intro="Ce lien ne sert plus. Vous n’avez rien d’autre à faire."
      aside={<WayHome />}
    >
      <p className="rounded-field bg-sunken px-4 py-3 [overflow-wrap:anywhere]">
        Sans votre confirmation, rien de ce qui est adressé à <EmailAddress>{email}</EmailAddress>{' '}
        ne s’ouvrira pour le compte <strong>@{pseudo}</strong>.
      </p>
    </AuthPage>
  )
}
