import { useState } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'
import { classNames } from '#web/ui/class-names.ts'
import { entriesOf, type JournalEntry } from './journal-entries.ts'

// Attempts over three days are many: the latest steps tell where things stand.
const SHOWN = 5

interface DeliveryTimelineProps {
  delivery: Delivery
  timeZone: string
  isSuspended: boolean
}

export function DeliveryTimeline({ delivery, timeZone, isSuspended }: DeliveryTimelineProps) {
  const [isWhole, setWhole] = useState(false)
  const entries = entriesOf(delivery, isSuspended)
  const hidden = isWhole ? 0 : Math.max(0, entries.length - SHOWN)
  return (
    <div>
      {hidden > 1 && (
        <button
          type="button"
          className="-ml-2 min-h-11 px-2 font-semibold text-ink-soft text-sm hover:text-ink hover:underline"
          onClick={() => setWhole(true)}
        >
          Voir les {hidden} étapes précédentes
        </button>
      )}
      <ol aria-label={`Journal de la livraison à ${delivery.address}`}>
        {entries.slice(hidden > 1 ? hidden : 0).map((entry, index, { length }) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: a journal only grows at its end
            key={index}
            entry={entry}
            timeZone={timeZone}
            isLast={index === length - 1}
          />
        ))}
      </ol>
    </div>
  )
}

const TONES: Record<JournalEntry['tone'], string> = {
  good: 'text-leaf-ink',
  plain: 'text-ink-soft',
  late: 'text-ember-ink',
  wrong: 'text-wax-ink',
}

interface EntryProps {
  entry: JournalEntry
  timeZone: string
  isLast: boolean
}

function Entry({ entry, timeZone, isLast }: EntryProps) {
  const { icon: Icon, words, at, reason, tone, isAhead } = entry
  return (
    <li className={classNames('relative flex gap-3', !isLast && 'pb-4')}>
      {!isLast && (
        <span aria-hidden="true" className="absolute top-8 bottom-0 left-4 w-px bg-line-strong" />
      )}
      <span
        aria-hidden="true"
        className={classNames(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-full border bg-surface',
          isAhead ? 'border-line-strong border-dashed' : 'border-line-strong',
          TONES[tone],
        )}
      >
        <Icon className="size-4" />
      </span>
      <p className="min-w-0 pt-1 leading-snug">
        <span className="font-semibold">{words}</span>
        {at && (
          <span className="block text-ink-soft text-sm">
            {' '}
            le <time dateTime={at}>{formatShortInstant(at, timeZone)}</time>
          </span>
        )}
        {reason && <span className="mt-1 block text-sm [overflow-wrap:anywhere]">{reason}</span>}
      </p>
    </li>
  )
}
