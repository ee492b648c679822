import type { AccountRemains } from '#contract/account.ts'
import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { counted } from '#web/lib/counts.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { EmailAddress } from '#web/ui/email-address.tsx'

/** Letters to others whose day has not come: without their author they never arrive. */
export function LostLetters({ remains }: { remains: AccountRemains }) {
  const { pending, pending_count } = remains
  const unnamed = pending_count - pending.length
  const timeZone = browserTimeZone()
  return (
    <section aria-label="Lettres qui n’arriveront jamais">
      <p className="font-semibold text-wax-ink">
        {counted(
          pending_count,
          'lettre attend son jour et n’arrivera jamais',
          'lettres attendent leur jour et n’arriveront jamais',
        )}
      </p>
      <ul
        // Long lists scroll by themselves, by keyboard too.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
        tabIndex={0}
        className="mt-2 max-h-44 sm:max-h-56 divide-y divide-line overflow-y-auto rounded-field border border-line px-3"
      >
        {pending.map(({ id, title, target_email, reveal_date }) => (
          <li key={id} className="py-2 leading-snug [overflow-wrap:anywhere]">
            <p className="font-semibold">{title}</p>
            <p className="text-ink-soft text-sm">
              À <EmailAddress>{target_email}</EmailAddress>, le{' '}
              <time dateTime={reveal_date} className="whitespace-nowrap">
                {formatDay(reveal_date, timeZone)}
              </time>
            </p>
          </li>
        ))}
        {unnamed > 0 && (
          <li className="py-2 text-ink-soft">et {counted(unnamed, 'autre', 'autres')}</li>
        )}
      </ul>
    </section>
  )
}
