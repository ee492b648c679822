import { lazyPart } from '#web/lib/lazy-part.tsx'
import { KNOWN_USER_KEY } from '#web/lib/session-token.ts'

export const VerificationReminder = lazyPart(
  () => import('#web/features/account/verification-reminder.tsx'),
  'VerificationReminder',
)

/** It stands above the page: where it will be needed, its code comes first, so that it pushes nothing down. */
export function fetchReminderAhead(): void {
  const known = localStorage.getItem(KNOWN_USER_KEY)
  if (known?.includes('"email_verified":false')) VerificationReminder.fetch().catch(() => undefined)
}
