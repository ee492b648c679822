import { Gem, MailCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '#web/app/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Whether a larger plan, or more storage, would let through what was refused with this code. */
export function isPlanRefusal(code: string | undefined): boolean {
  return code === 'plan_limit' || code === 'quota_exceeded' || code === 'media_too_long'
}

/** The way out of a limit of files or letters, in a new tab: what is on the page stays; nothing for any other code. */
export function limitHelp(code: string | undefined): ReactNode {
  if (code === 'address_unverified') return <VerificationLink />
  return isPlanRefusal(code) && <PlansLink inNewTab />
}

function VerificationLink() {
  return (
    <ButtonLink
      variant="secondary"
      to={paths.verification}
      icon={<MailCheck aria-hidden="true" className="size-5 shrink-0" />}
      target="_blank"
      rel="noopener"
    >
      Vérifier mon adresse (nouvel onglet)
    </ButtonLink>
  )
}

interface PlansLinkProps {
  /** Where leaving would lose what is on the page: a file that has been sent, a voice that was recorded. */
  inNewTab?: boolean
}

/** The way out of a limit. */
export function PlansLink({ inNewTab = false }: PlansLinkProps) {
  return (
    <ButtonLink
      variant="secondary"
      to={paths.subscription}
      icon={<Gem aria-hidden="true" className="size-5 shrink-0" />}
      {...(inNewTab && { target: '_blank', rel: 'noopener' })}
    >
      {inNewTab ? 'Voir les plans (nouvel onglet)' : 'Voir les plans'}
    </ButtonLink>
  )
}
