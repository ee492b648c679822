import { Link2 } from 'lucide-react'
import type { Outcome, Prediction } from '#contract/predictions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { formatDay, formatNarrowDay } from '#web/lib/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { OUTCOME_LABELS } from './outcome-labels.ts'

type Declared = NonNullable<Prediction['declared']>

interface OutcomeProps {
  declared: Declared
  revelation: Revelation
}

/** On a card: the outcome, its date, and whether it was changed. */
export function OutcomeLine({ declared, revelation }: OutcomeProps) {
  const { outcome, declared_at, changed_at } = declared
  const at = changed_at ?? declared_at
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-sm">
      <OutcomeBadge outcome={outcome} />
      <span>
        {changed_at ? 'modifiée le ' : 'selon l’auteur, le '}
        <time dateTime={at}>{formatNarrowDay(at, revelation.time_zone)}</time>
      </span>
    </p>
  )
}

/** On the page of a prediction: the outcome, its dates, the former one, and its source. */
export function DeclaredOutcome({ declared, revelation }: OutcomeProps) {
  const { outcome, source_url, declared_at, changed_at, former_outcome } = declared
  const { time_zone, author_pseudo } = revelation
  return (
    <div className="flex flex-col items-start gap-2">
      <OutcomeBadge outcome={outcome} className="px-3.5! py-2! text-base!" />
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        Déclarée par @{author_pseudo} le{' '}
        <time dateTime={declared_at}>{formatDay(declared_at, time_zone)}</time>
        {changed_at && (
          <>
            , modifiée le <time dateTime={changed_at}>{formatDay(changed_at, time_zone)}</time>
            {former_outcome && (
              <>
                {' '}
                (avant&#8239;: <strong>{OUTCOME_LABELS[former_outcome].label.toLowerCase()}</strong>
                )
              </>
            )}
          </>
        )}
        .
      </p>
      <Source address={source_url} />
    </div>
  )
}

function Source({ address }: { address: string | null }) {
  const url = address ? URL.parse(address) : null
  // Validated again where it becomes a link, so that only https is ever opened.
  if (url?.protocol !== 'https:') return <p className="text-ink-soft">Sans source.</p>
  return (
    <a
      href={url.href}
      target="_blank"
      rel="nofollow ugc noopener noreferrer"
      className="-my-1.5 inline-flex min-h-11 max-w-full items-center gap-2 font-semibold underline underline-offset-4 hover:text-wax-ink"
    >
      <Link2 aria-hidden="true" className="size-4.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        Source&#8239;: {url.hostname.replace(/^www\./, '')}
        <span className="sr-only"> (nouvel onglet)</span>
      </span>
    </a>
  )
}

interface OutcomeBadgeProps {
  outcome: Outcome
  className?: string
}

function OutcomeBadge({ outcome, className }: OutcomeBadgeProps) {
  const { label, icon: Icon, ink } = OUTCOME_LABELS[outcome]
  return (
    <Badge
      icon={<Icon aria-hidden="true" className={`size-4 ${ink}`} />}
      className={classNames('border-line-strong! text-ink! text-sm!', className)}
    >
      {label}
    </Badge>
  )
}
