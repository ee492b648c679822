import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { initialOf } from '#web/lib/initials.ts'
import { classNames } from '#web/ui/class-names.ts'
import { CardCounts } from './card-counts.tsx'
import { CardPeople } from './card-people.tsx'
import { CardTags } from './card-tags.tsx'
import { Dawn } from './dawn.tsx'
import { LetterExcerpt } from './letter-excerpt.tsx'
import { OpenStage } from './open-stage.tsx'
import { useRecordView } from './revelations.queries.ts'
import { SealedStage } from './sealed-stage.tsx'
import { useDawn } from './use-dawn.ts'
import { useReveal } from './use-reveal.ts'

interface RevelationCardProps {
  revelation: Revelation
  /** What became of it, once it is open. */
  verdict?: ReactNode
  /** Above the counts: what one may react with. */
  reactions?: ReactNode
  /** In the place of the bare counts. */
  counts?: ReactNode
  /** Small controls beside the counts: share, edit, delete. */
  actions?: ReactNode
  /** Below everything: comments. */
  footer?: ReactNode
  /** Invented, for the demo: it has no page of its own, so that its card holds the whole letter. */
  isSample?: boolean
}

/** A revelation among others: night while it is sealed, paper once it is open. */
export function RevelationCard({
  revelation,
  verdict,
  reactions,
  counts,
  actions,
  footer,
  isSample = false,
}: RevelationCardProps) {
  const { phase, isTurning } = useReveal(revelation)
  const dawn = useDawn(revelation.reveal_date)
  const isLetter = phase === 'open' && isOpen(revelation)
  return (
    <article
      className={classNames(
        'relative flex flex-col overflow-hidden rounded-card border border-line text-ink shadow-soft',
        'transition-transform duration-200 has-[a:hover]:-translate-y-0.5',
        isLetter ? 'sky-paper bg-surface' : 'sky-night night-card',
        isTurning && 'is-turning',
      )}
      style={isLetter ? undefined : { '--dawn': phase === 'due' ? 1 : dawn }}
    >
      {isLetter ? (
        <OpenStage revelation={revelation} plays={isSample && isTurning} />
      ) : (
        <SealedStage revelation={revelation} />
      )}
      <div className="flex flex-1 flex-col gap-3 p-4 sm:p-5">
        <CardTags revelation={revelation} />
        <h3 className="line-clamp-3 text-pretty text-xl [overflow-wrap:anywhere]">
          {isSample ? revelation.title : <PageLink revelation={revelation} />}
        </h3>
        {isLetter && <LetterExcerpt revelation={revelation} isWhole={isSample} />}
        <CardPeople revelation={revelation} />
        {isLetter && verdict && <div className="relative z-10">{verdict}</div>}
        {reactions && <div className="relative z-10 -mx-1.5 -mb-2 mt-auto">{reactions}</div>}
        <div
          className={classNames(
            'flex min-h-11 flex-wrap items-center justify-between gap-x-2 border-line border-t',
            reactions ? '-mb-2 pt-1' : 'mt-auto pt-2',
          )}
        >
          {counts ? (
            <div className="relative z-10">{counts}</div>
          ) : (
            <CardCounts revelation={revelation} />
          )}
          {actions && <div className="relative z-10 -mr-2 flex">{actions}</div>}
        </div>
        {footer && <div className="relative z-10">{footer}</div>}
      </div>
      {isTurning && <Dawn initial={initialOf(revelation.author_pseudo)} />}
    </article>
  )
}

/** The title, by which the whole card is a link. */
function PageLink({ revelation: { id, title } }: { revelation: Revelation }) {
  const recordView = useRecordView()
  return (
    <Link
      to={paths.revelation(id)}
      onClick={() => recordView(id)}
      className="after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
    >
      {title}
    </Link>
  )
}
