import type { User } from '#contract/profiles.ts'
import { PasswordPanel } from '#web/features/auth/password-panel.tsx'
import { SessionsPanel } from '#web/features/auth/sessions-panel.tsx'
import { NotificationSwitches } from '#web/features/subscriptions/notification-switches.tsx'
import { PrivacyPanel } from './privacy-panel.tsx'

export function SettingsTab({ user }: { user: User }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <NotificationSwitches />
        <PasswordPanel email={user.email} />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <SessionsPanel />
        <PrivacyPanel />
      </div>
    </div>
  )
}
