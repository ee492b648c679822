import type { User } from '#contract/profiles.ts'
import { DataPanel } from '#web/features/account/data-panel.tsx'
import { DeletionPanel } from '#web/features/account/deletion-panel.tsx'
import { EmailPanel } from '#web/features/account/email-panel.tsx'
import { PasswordPanel } from '#web/features/account/password-panel.tsx'
import { SessionsPanel } from '#web/features/account/sessions-panel.tsx'
import { OnboardingPanel } from '#web/features/onboarding/onboarding.tsx'
import { PushPanel } from '#web/features/push/push-panel.tsx'
import { NotificationSwitches } from '#web/features/subscriptions/notification-switches.tsx'
import { InstallPanel } from './install-panel.tsx'
import { OnlyReminders } from './only-reminders.tsx'
import { PrivacyPanel } from './privacy-panel.tsx'

export function SettingsTab({ user }: { user: User }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <NotificationSwitches />
        <PushPanel note={<OnlyReminders />} />
        <EmailPanel user={user} />
        <PasswordPanel email={user.email} />
        <SessionsPanel />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <InstallPanel />
        <OnboardingPanel />
        <PrivacyPanel />
        <DataPanel />
        <DeletionPanel email={user.email} />
      </div>
    </div>
  )
}
