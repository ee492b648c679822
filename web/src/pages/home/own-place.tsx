import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { instantInWords } from '#contract/date-in-words.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import {
  nextForMeQuery,
  nextOwnQuery,
  soonest,
  waitingQuery,
} from '#web/features/received/awaiting.queries.ts'
import { waitingInWords } from '#web/features/received/waiting-words.ts'
import { serverNow, useCountdown, useElapsedShare, useIsPast } from '#web/lib/clock.ts'
import { formatElapsed } from '#web/lib/dates.ts'
import { initialOf } from '#web/lib/format.ts'
import { usePollUntil } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import BlankPage from '#web/ui/art/blank-page.svg?react'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { OwnPlaceSkeleton, ownPlaceRow } from './own-place-skeleton.tsx'

/**
 * What waits for me, else what opens next, mine or for me, else a word to begin with. Whatever it is has the same height, so
 * that nothing below moves when it comes.
 */
export function OwnPlace() {
  const { id } = useSignedInUser()
  const waiting = useQuery(waitingQuery)
  const forMe = useQuery(nextForMeQuery)
  const own = useQuery(nextOwnQuery(id))
  const refetch = () => Promise.all([waiting.refetch(), forMe.refetch(), own.refetch()])
  if (waiting.data && waiting.data.counts.waiting > 0) {
    const { revelations, counts } = waiting.data
    return (
      <Place title={waitingInWords(counts.waiting)} isMore={counts.waiting > 1}>
        {revelations.map((revelation, index) => (
          <WaitingLetter key={revelation.id} revelation={revelation} isFirst={index === 0} />
        ))}
      </Place>
    )
  }
  if (waiting.isPending || forMe.isPending || own.isPending) return <OwnPlaceSkeleton />
  const next = soonest([forMe.data, own.data].filter((item) => item != null))
  if (next) {
    return (
      <Place title={next.author_id === id ? 'Votre prochaine ouverture' : 'Bientôt pour vous'}>
        <NextLetter
          key={next.id}
          revelation={next}
          isOwn={next.author_id === id}
          refetch={refetch}
        />
      </Place>
    )
  }
  if (waiting.isError || forMe.isError || own.isError) {
    return (
      <Place title="Rien n’a pu être chargé">
        <Row>
          <p className="min-w-0 flex-1 text-ink-soft text-sm">Le réseau a peut-être manqué.</p>
          <Button variant="secondary" onClick={() => void refetch()}>
            Réessayer
          </Button>
        </Row>
      </Place>
    )
  }
  return (
    <Place title="Rien ne vous attend, pour l’instant">
      <Row>
        <BlankPage className="@max-[14rem]:hidden h-16 w-auto shrink-0" />
        <p className="min-w-0 text-ink-soft leading-snug">
          Quelqu’un serait heureux d’une lettre de vous. Elle s’ouvrira le jour que vous choisirez.
        </p>
      </Row>
    </Place>
  )
}

interface PlaceProps {
  title: string
  /** There is more of it than is shown. */
  isMore?: boolean
  children: ReactNode
}

function Place({ title, isMore = false, children }: PlaceProps) {
  return (
    <section aria-labelledby="ce-qui-attend">
      <div className="flex h-9 items-center justify-between gap-3">
        <h2
          id="ce-qui-attend"
          className="min-w-0 truncate font-sans font-semibold text-base tracking-normal"
        >
          {title}
        </h2>
        {isMore && (
          <Link
            to={paths.received}
            className="-mr-2 inline-flex min-h-11 shrink-0 items-center gap-1 px-2 font-semibold text-sm underline underline-offset-4"
          >
            Les voir toutes
          </Link>
        )}
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(0,1fr))]">
        {children}
      </div>
    </section>
  )
}

interface RowProps extends Pick<LetterProps, 'className' | 'children'> {
  dawn?: number | undefined
}

function Row({ dawn = 0, className, children }: RowProps) {
  return (
    <div className={classNames(ownPlaceRow, className)} style={{ '--dawn': dawn }}>
      {children}
    </div>
  )
}

interface LetterProps {
  revelation: Revelation
  seal: ReactNode
  /** How near its light is, from 0 to 1. */
  dawn?: number
  className?: string
  children: ReactNode
}

function Letter({ revelation: { id, title }, seal, dawn, className, children }: LetterProps) {
  return (
    <Row
      dawn={dawn}
      className={classNames('transition-colors hover:border-line-strong', className)}
    >
      {seal}
      <div className="min-w-0 flex-1 leading-snug">
        <h3 className="line-clamp-2 text-lg leading-tight [overflow-wrap:anywhere]">
          <Link to={paths.revelation(id)} className="covers-card">
            {title}
          </Link>
        </h3>
        {children}
      </div>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
    </Row>
  )
}

/** Sealed until I open it, however long it has waited. */
function WaitingLetter({ revelation, isFirst }: { revelation: Revelation; isFirst: boolean }) {
  const { author_id, author_pseudo, reveal_date } = revelation
  const { id } = useSignedInUser()
  const elapsed = formatElapsed(reveal_date, serverNow())
  return (
    <Letter
      revelation={revelation}
      // On a phone one is shown, and the way to all of them.
      className={isFirst ? undefined : 'max-sm:hidden'}
      dawn={1}
      seal={
        <WaxSeal
          initial={initialOf(author_pseudo)}
          className="@max-[14rem]:hidden size-16 shrink-0"
        />
      }
    >
      <p className="mt-0.5 truncate text-ink-soft text-sm">
        De <strong className="text-ink">{author_id === id ? 'vous' : `@${author_pseudo}`}</strong>
      </p>
      <p className="truncate text-ember-ink text-sm">
        {elapsed ? `Vous attend depuis ${elapsed}` : 'Vous attend'}
      </p>
    </Letter>
  )
}

interface NextLetterProps {
  revelation: Revelation
  isOwn: boolean
  refetch: () => Promise<unknown>
}

function NextLetter({ revelation, isOwn, refetch }: NextLetterProps) {
  const { author_pseudo, created_at, reveal_date, time_zone } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const countdown = useCountdown(reveal_date)
  usePollUntil(useIsPast(reveal_date), refetch)
  return (
    <Letter
      revelation={revelation}
      seal={
        <WaxSeal
          initial={initialOf(author_pseudo)}
          elapsed={elapsed}
          className="@max-[14rem]:hidden size-16 shrink-0"
        />
      }
    >
      <p className="mt-1 truncate text-ink-soft text-sm">
        {/* First: where the line is cut, the time that is left is not. */}
        <strong aria-hidden="true" className="tabular-digits text-ink">
          {countdown}
        </strong>
        <span className="sr-only">
          S’ouvre le {instantInWords(new Date(reveal_date), time_zone)}
        </span>{' '}
        · {isOwn ? 'scellée par vous' : `de @${author_pseudo}`}
      </p>
    </Letter>
  )
}
