import { lazyPart } from '#web/lib/lazy-part.tsx'

export const OnboardingDialog = lazyPart(
  () => import('./onboarding-dialog.tsx'),
  'OnboardingDialog',
)
