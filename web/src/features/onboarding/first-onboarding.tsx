import { useState } from 'react'
import { useLocation } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { paths } from '#web/app/paths.ts'
import { OnboardingDialog } from './onboarding-dialog.tsx'

/** Shows somebody new around, the first time they are on the home page: never over a letter they came to read. */
export function FirstOnboarding({ user }: { user: User }) {
  const { pathname } = useLocation()
  const [state, setState] = useState<'waiting' | 'open' | 'over'>('waiting')
  if (state === 'waiting' && !user.onboarded && pathname === paths.home) setState('open')
  if (state !== 'open') return null
  return (
    <OnboardingDialog
      onClose={() => setState('over')}
      returnTo={() => document.querySelector('main')}
    />
  )
}
