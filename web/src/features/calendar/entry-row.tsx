import { Mic, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { CalendarEvent } from '#contract/calendar.ts'
import { timeAt } from '#contract/zoned-time.ts'
import { paths } from '#web/app/paths.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { DatedReveal } from './calendar.queries.ts'
import { comesBack } from './event-days.ts'
import { KindIcon } from './kind-icon.tsx'
import { TYPE_WORDS } from './kind-words.ts'

interface EventRowProps {
  event: CalendarEvent
  onDelete: () => void
}

export function EventRow({ event, onDelete }: EventRowProps) {
  const { title, type, description } = event
  return (
    <li className="flex items-start gap-3 py-3">
      <KindIcon kind={type} className="mt-1 size-5" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold leading-snug [overflow-wrap:anywhere]">{title}</p>
        <p className="text-ink-soft text-sm">
          {TYPE_WORDS[type]}
          {comesBack(event) && ', chaque année'}
        </p>
        {description && (
          <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{description}</p>
        )}
      </div>
      <IconButton
        label={`Supprimer ${title}`}
        icon={<Trash2 aria-hidden="true" className="size-5" />}
        className="-mr-2"
        onClick={onDelete}
      />
    </li>
  )
}

/** A reveal, which opens where it can be read or heard. */
export function RevealRow({ reveal }: { reveal: DatedReveal }) {
  const { kind, id, title, is_revealed, author_pseudo } = reveal
  const icon = is_revealed ? 'opened' : 'sealed'
  return (
    <li className={is_revealed ? 'sky-paper py-1.5' : 'sky-night py-1.5'}>
      <Link
        to={kind === 'sound' ? paths.sounds : paths.revelation(id)}
        className="flex min-h-14 items-start gap-3 rounded-field border border-line bg-surface px-3 py-2.5 text-ink hover:bg-sunken"
      >
        <KindIcon kind={icon} className="mt-1 size-5" />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold leading-snug [overflow-wrap:anywhere]">{title}</span>
          <span className="block text-ink-soft text-sm">
            {kind === 'sound' && (
              <>
                <Mic aria-hidden="true" className="-mt-0.5 mr-1 inline size-3.5" />
                Message vocal de{' '}
              </>
            )}
            @{author_pseudo}, {sayOpening(reveal)}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** « s’ouvre à 18:30 », « ouverte à 00:00 »: as the dates of letters say it. */
function sayOpening({ kind, is_revealed, reveal_date }: DatedReveal): string {
  const time = timeAt(new Date(reveal_date), personTimeZone())
  if (!is_revealed) return `s’ouvre à ${time}`
  return `${kind === 'sound' ? 'ouvert' : 'ouverte'} à ${time}`
}
