import { lazyPage } from './lazy-page.tsx'

/** Every page; its code comes with the first visit. */
export const HomePage = lazyPage(() => import('#web/pages/home/home-page.tsx'), 'HomePage')
export const DemoPage = lazyPage(() => import('#web/pages/demo/demo-page.tsx'), 'DemoPage')
export const LoginPage = lazyPage(() => import('#web/pages/login/login-page.tsx'), 'LoginPage')
export const RegisterPage = lazyPage(
  () => import('#web/pages/register/register-page.tsx'),
  'RegisterPage',
)
export const VerificationPage = lazyPage(
  () => import('#web/pages/verification/verification-page.tsx'),
  'VerificationPage',
)
export const ForgottenPasswordPage = lazyPage(
  () => import('#web/pages/forgotten-password/forgotten-password-page.tsx'),
  'ForgottenPasswordPage',
)
export const NewPasswordPage = lazyPage(
  () => import('#web/pages/new-password/new-password-page.tsx'),
  'NewPasswordPage',
)
export const UnsubscribePage = lazyPage(
  () => import('#web/pages/unsubscribe/unsubscribe-page.tsx'),
  'UnsubscribePage',
)
export const ReportMailPage = lazyPage(
  () => import('#web/pages/report-mail/report-mail-page.tsx'),
  'ReportMailPage',
)
export const CreatePage = lazyPage(() => import('#web/pages/create/create-page.tsx'), 'CreatePage')
export const DetailPage = lazyPage(() => import('#web/pages/detail/detail-page.tsx'), 'DetailPage')
export const EditPage = lazyPage(() => import('#web/pages/edit/edit-page.tsx'), 'EditPage')
export const ProfilePage = lazyPage(
  () => import('#web/pages/profile/profile-page.tsx'),
  'ProfilePage',
)
export const CirclePage = lazyPage(() => import('#web/pages/circle/circle-page.tsx'), 'CirclePage')
export const SoundsPage = lazyPage(() => import('#web/pages/sounds/sounds-page.tsx'), 'SoundsPage')
export const SubscriptionPage = lazyPage(
  () => import('#web/pages/subscription/subscription-page.tsx'),
  'SubscriptionPage',
)
export const PredictionsPage = lazyPage(
  () => import('#web/pages/predictions/predictions-page.tsx'),
  'PredictionsPage',
)
export const ProofPage = lazyPage(() => import('#web/pages/proof/proof-page.tsx'), 'ProofPage')
export const PrivacyPage = lazyPage(
  () => import('#web/pages/legal/privacy-page.tsx'),
  'PrivacyPage',
)
export const TermsPage = lazyPage(() => import('#web/pages/legal/terms-page.tsx'), 'TermsPage')
export const AccessibilityPage = lazyPage(
  () => import('#web/pages/legal/accessibility-page.tsx'),
  'AccessibilityPage',
)
export const LegalPage = lazyPage(() => import('#web/pages/legal/legal-page.tsx'), 'LegalPage')
