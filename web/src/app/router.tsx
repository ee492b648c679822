import { Navigate, Route, Routes } from 'react-router'
import { useOldEventsOwner } from '#web/features/calendar/use-old-events-owner.ts'
import { useRecordingsEnd } from '#web/features/recordings/use-recordings-end.ts'
import { useDraftsEnd } from '#web/features/revelations/use-drafts-end.ts'
import { useUploadsEnd } from '#web/features/uploads/use-uploads-end.ts'
import { HomeOrDemo } from './home-or-demo.tsx'
import { Layout } from './layout.tsx'
import {
  AccessibilityPage,
  CirclePage,
  CreatePage,
  DemoPage,
  DetailPage,
  EditPage,
  ForgottenPasswordPage,
  LegalPage,
  LoginPage,
  NewPasswordPage,
  PredictionsPage,
  PrivacyPage,
  ProfilePage,
  ProofPage,
  RegisterPage,
  ReportMailPage,
  SoundsPage,
  SubscriptionPage,
  TermsPage,
  UnsubscribePage,
  VerificationPage,
} from './pages.ts'
import { paths } from './paths.ts'
import { RequireSession } from './require-session.tsx'

export function Pages() {
  useDraftsEnd()
  useOldEventsOwner()
  useRecordingsEnd()
  useUploadsEnd()
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route path={paths.home} element={<HomeOrDemo />} />
        <Route path={paths.demo} element={<DemoPage />} />
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
