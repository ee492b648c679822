import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ReceivedState } from '#contract/received.ts'
import type { Envelope } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { CountdownText, EnvelopeFolds } from '#web/features/revelations/card-header.tsx'
import { FILE_LABELS } from '#web/features/revelations/revelation-labels.ts'
import { serverNow, useElapsedShare } from '#web/lib/clock.ts'
import { formatDay, formatElapsed } from '#web/lib/dates.ts'
import { initialOf } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface LetterCardProps {
  /** Its envelope: whatever a list may hold, nothing of the letter is shown here. */
  revelation: Envelope
  state: ReceivedState
  openedAt?: string | null
  /** What else there is to say of it. */
  note?: ReactNode
  /** Buttons below it. */
  actions?: ReactNode
  heading?: 'h2' | 'h3'
}

/** A letter that was received: night and seal until its reader opens it, paper after. */
export function LetterCard({
  revelation,
  state,
  openedAt = null,
  note,
  actions,
  heading: Heading = 'h3',
}: LetterCardProps) {
  const { id, title, author_id, author_pseudo, file_type, created_at, reveal_date } = revelation
  const { user } = useSession()
  const author = user?.id === author_id ? 'vous' : `@${author_pseudo}`
  const elapsed = useElapsedShare(created_at, reveal_date)
  const isSealed = state !== 'opened'
  return (
    <article
      className={classNames(
        'relative flex flex-col overflow-hidden rounded-card border border-line text-ink shadow-soft',
        'transition-transform duration-200 has-[a:hover]:-translate-y-0.5',
        isSealed ? 'theme-night bg-night-card' : 'theme-paper bg-surface',
      )}
    >
      {isSealed && <EnvelopeFolds />}
      <div className="relative flex flex-1 items-start gap-4 p-4 sm:p-5">
        <WaxSeal
          initial={initialOf(author_pseudo)}
          state={isSealed ? 'whole' : 'broken'}
          {...(state === 'upcoming' && { elapsed })}
          className={classNames('shrink-0', isSealed ? 'size-18' : 'size-12')}
        />
        <div className="min-w-0 flex-1">
          <Heading className="line-clamp-3 text-balance text-xl [overflow-wrap:anywhere]">
            {state === 'waiting' ? (
              title
            ) : (
              <Link to={paths.revelation(id)} className="covers-card">
                {title}
              </Link>
            )}
          </Heading>
          <p className="mt-0.5 truncate text-ink-soft">de {author}</p>
          <Standing revelation={revelation} state={state} openedAt={openedAt} />
          {file_type && (
            <p className="mt-1 text-ink-soft text-sm">
              {FILE_LABELS[file_type].label}
              {isSealed && ' à l’intérieur'}
            </p>
          )}
          {note}
        </div>
      </div>
      {state === 'waiting' && (
        <div className="relative px-4 pb-4 sm:px-5 sm:pb-5">
          <ButtonLink block to={paths.revelation(id)} className="covers-card">
            Ouvrir
            <span className="sr-only">
              {' '}
              «&#8239;{title}&#8239;» de {author}
            </span>
          </ButtonLink>
        </div>
      )}
      {actions && (
        <div className="relative z-10 flex flex-wrap gap-2 border-line border-t px-4 py-2 sm:px-5">
          {actions}
        </div>
      )}
    </article>
  )
}

interface StandingProps {
  revelation: Envelope
  state: ReceivedState
  openedAt: string | null
}

/** Where the letter stands with its reader. */
function Standing({ revelation, state, openedAt }: StandingProps) {
  const { reveal_date, time_zone } = revelation
  if (state === 'upcoming') {
    return <CountdownText instant={reveal_date} timeZone={time_zone} className="mt-2" />
  }
  if (state === 'waiting') {
    const elapsed = formatElapsed(reveal_date, serverNow())
    return (
      <p className="mt-2 text-balance font-serif text-lg leading-snug">
        {elapsed ? `Elle vous attend depuis ${elapsed}` : 'Elle vous attend'}
      </p>
    )
  }
  return (
    <p className="mt-1 text-ink-soft">
      {openedAt === null ? (
        'Ouverte'
      ) : (
        <>
          Ouverte le <time dateTime={openedAt}>{formatDay(openedAt, time_zone)}</time>
        </>
      )}
    </p>
  )
}
