import { type ComponentType, lazy, type ReactNode } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { useOldEventsOwner } from '#web/features/calendar/use-old-events-owner.ts'
import { useRecordingsEnd } from '#web/features/recordings/use-recordings-end.ts'
import { useDraftsEnd } from '#web/features/revelations/use-drafts-end.ts'
import { useUploadsEnd } from '#web/features/uploads/use-uploads-end.ts'
import { Layout } from './layout.tsx'
import { paths } from './paths.ts'
import { RequireSession } from './require-session.tsx'

const HomePage = page(() => import('#web/pages/home/home-page.tsx'), 'HomePage')
const LoginPage = page(() => import('#web/pages/login/login-page.tsx'), 'LoginPage')
const RegisterPage = page(() => import('#web/pages/register/register-page.tsx'), 'RegisterPage')
const VerificationPage = page(
  () => import('#web/pages/verification/verification-page.tsx'),
  'VerificationPage',
)
const ForgottenPasswordPage = page(
  () => import('#web/pages/forgotten-password/forgotten-password-page.tsx'),
  'ForgottenPasswordPage',
)
const NewPasswordPage = page(
  () => import('#web/pages/new-password/new-password-page.tsx'),
  'NewPasswordPage',
)
const UnsubscribePage = page(
  () => import('#web/pages/unsubscribe/unsubscribe-page.tsx'),
  'UnsubscribePage',
)
const ReportMailPage = page(
  () => import('#web/pages/report-mail/report-mail-page.tsx'),
  'ReportMailPage',
)
const CreatePage = page(() => import('#web/pages/create/create-page.tsx'), 'CreatePage')
const DetailPage = page(() => import('#web/pages/detail/detail-page.tsx'), 'DetailPage')
const EditPage = page(() => import('#web/pages/edit/edit-page.tsx'), 'EditPage')
const ProfilePage = page(() => import('#web/pages/profile/profile-page.tsx'), 'ProfilePage')
const CirclePage = page(() => import('#web/pages/circle/circle-page.tsx'), 'CirclePage')
const SoundsPage = page(() => import('#web/pages/sounds/sounds-page.tsx'), 'SoundsPage')
const SubscriptionPage = page(
  () => import('#web/pages/subscription/subscription-page.tsx'),
  'SubscriptionPage',
)
const PredictionsPage = page(
  () => import('#web/pages/predictions/predictions-page.tsx'),
  'PredictionsPage',
)
const ProofPage = page(() => import('#web/pages/proof/proof-page.tsx'), 'ProofPage')
const PrivacyPage = page(() => import('#web/pages/legal/privacy-page.tsx'), 'PrivacyPage')
const TermsPage = page(() => import('#web/pages/legal/terms-page.tsx'), 'TermsPage')
const AccessibilityPage = page(
  () => import('#web/pages/legal/accessibility-page.tsx'),
  'AccessibilityPage',
)
const LegalPage = page(() => import('#web/pages/legal/legal-page.tsx'), 'LegalPage')

export function Pages() {
  useDraftsEnd()
  useOldEventsOwner()
  useRecordingsEnd()
  useUploadsEnd()
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route path={paths.home} element={<HomePage />} />
        <Route path={paths.login} element={<LoginPage />} />
        <Route path={paths.register} element={<RegisterPage />} />
        <Route path={paths.verification} element={<VerificationPage />} />
        <Route path={paths.forgottenPassword} element={<ForgottenPasswordPage />} />
        <Route path={paths.newPassword} element={<NewPasswordPage />} />
        <Route path={paths.unsubscribe} element={<UnsubscribePage />} />
        <Route path={paths.reportMail} element={<ReportMailPage />} />
        <Route path={paths.predictions} element={<PredictionsPage />} />
        <Route path={paths.proof} element={<ProofPage />} />
        <Route path={paths.legal} element={<LegalPage />} />
        <Route path={paths.privacy} element={<PrivacyPage />} />
        <Route path={paths.terms} element={<TermsPage />} />
        <Route path={paths.accessibility} element={<AccessibilityPage />} />
        <Route path={paths.revelation(':id')} element={<DetailPage />} />
        <Route element={<RequireSession />}>
          <Route path={paths.circle} element={<CirclePage />} />
          <Route path={paths.sounds} element={<SoundsPage />} />
          <Route path={paths.subscription} element={<SubscriptionPage />} />
          <Route path={paths.create} element={<CreatePage />} />
          <Route path={paths.edit(':id?')} element={<EditPage />} />
          <Route path={paths.profile(':id?')} element={<ProfilePage />} />
        </Route>
        <Route path="*" element={<Navigate to={paths.home} replace />} />
      </Route>
    </Routes>
  )
}

function page<Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): ComponentType {
  return lazy(async () => {
    const module = await load()
    return { default: module[name] as ComponentType }
  })
}
