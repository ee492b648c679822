import { type LucideIcon, MailCheck, MailOpen, MailWarning, Send, TimerReset } from 'lucide-react'
import type { OwnRevelation } from '#contract/revelations.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'
import { classNames } from '#web/ui/class-names.ts'

interface Entry {
  icon: LucideIcon
  words: string
  instant: string | null
  detail?: string | null
  isWrong?: boolean
}

/** What became of the delivery: planned, sent, failed or opened, and when. */
export function DeliveryJournal({ revelation }: { revelation: OwnRevelation }) {
  const { target_email, time_zone } = revelation
  return (
    <div>
      <h2 className="text-xl">Livraison</h2>
      <p className="text-ink-soft [overflow-wrap:anywhere]">à {target_email}</p>
      <ul className="mt-3 flex flex-col gap-2.5">
        {entriesOf(revelation).map(({ icon: Icon, words, instant, detail, isWrong }) => (
          <li key={words} className="flex items-start gap-3">
            <Icon
              aria-hidden="true"
              className={classNames(
                'mt-0.5 size-5 shrink-0',
                isWrong ? 'text-wax-ink' : 'text-leaf-ink',
              )}
            />
            <p>
              {words}
              {instant && (
                <>
                  {' '}
                  le <time dateTime={instant}>{formatShortInstant(instant, time_zone)}</time>
                </>
              )}
              {detail && <span className="block text-ink-soft text-sm">{detail}</span>}
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function entriesOf({ delivery }: OwnRevelation): Entry[] {
  const { state, due_at, sent_at, opened_at, error, notified_at } = delivery
  const entries: Entry[] = []
  if (notified_at) {
    entries.push({ icon: Send, words: 'Destinataire prévenu', instant: notified_at })
  }
  if (state === 'planned') {
    entries.push({ icon: TimerReset, words: 'Prévu', instant: due_at, detail: error })
  }
  if (state === 'failed') {
    entries.push({
      icon: MailWarning,
      words: 'Échoué',
      instant: null,
      detail: error,
      isWrong: true,
    })
  }
  if (sent_at) entries.push({ icon: MailCheck, words: 'Envoyé', instant: sent_at })
  if (state === 'opened') entries.push({ icon: MailOpen, words: 'Ouvert', instant: opened_at })
  return entries
}
