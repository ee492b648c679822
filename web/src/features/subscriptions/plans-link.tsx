import { Gem, MailCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

const PLAN_REFUSALS = ['plan_limit', 'feature_of_plan', 'quota_exceeded', 'media_too_long']

/** Whether a larger plan, or more storage, would allow what was refused with this code. */
export function isPlanRefusal(code: string | undefined): boolean {
  return code !== undefined && PLAN_REFUSALS.includes(code)
}

/** A link that helps after a refusal, in a new tab so that the page stays; nothing for other codes. */
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
  /** Where leaving would lose a sent file or a recording. */
  inNewTab?: boolean
}

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
