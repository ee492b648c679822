import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { isOpen, type OpenRevelation, type Revelation } from '#contract/revelations.ts'
import { initialOf } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { CardCounts, CardPeople, CardTags } from './card-details.tsx'
import { OpenCardHeader, SealedCardHeader } from './card-header.tsx'
import { Dawn } from './dawn.tsx'
import { useRecordView } from './revelations.queries.ts'
import { useDawn, useReveal } from './use-reveal.ts'

interface RevelationCardProps {
  revelation: Revelation
  /** The outcome, once it is open. */
  verdict?: ReactNode
  /** The reaction buttons, above the counts. */
  reactions?: ReactNode
  /** Replaces the default counts. */
  counts?: ReactNode
  /** Buttons beside the counts: share, edit, delete. */
  actions?: ReactNode
  /** The comments, at the bottom. */
  footer?: ReactNode
  /** A sample of the demo has no page of its own: its card shows the whole letter. */
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
  // What waits for its reader stays sealed among others too.
  const isWaiting = revelation.opening.needed
  const isLetter = phase === 'open' && isOpen(revelation) && !isWaiting
  const { attachFace, minHeight } = useFace(phase === 'due')
  // A sample shows its whole letter, however long.
  const isInPlace = minHeight !== undefined && !isSample
  return (
    <article
      className={classNames(
        'card',
        isLetter ? 'theme-paper bg-surface' : 'theme-night bg-night-card',
        isTurning && 'is-turning',
      )}
      style={isLetter ? undefined : { '--dawn': phase === 'sealed' ? dawn : 1 }}
    >
      <div
        // The letter has elements of its own: those of the envelope would be seen moving to where it has them.
        key={isLetter ? 'letter' : 'envelope'}
        ref={attachFace}
        className="flex flex-1 flex-col"
        style={{ minHeight }}
      >
        {isLetter ? (
          <OpenCardHeader revelation={revelation} plays={isSample && isTurning} />
        ) : (
          <SealedCardHeader revelation={revelation} />
        )}
        <div className="card-face">
          <CardTags revelation={revelation} />
          <h3 className="card-title">
            {isSample ? revelation.title : <PageLink revelation={revelation} />}
          </h3>
          {isLetter && (
            <LetterExcerpt revelation={revelation} isWhole={isSample} isInPlace={isInPlace} />
          )}
          <CardPeople revelation={revelation} />
          {isLetter && verdict && <div className="relative z-10">{verdict}</div>}
        </div>
      </div>
      <div className="card-foot">
        {reactions && (!isWaiting || isTurning) && (
          <div className={classNames('card-reactions', isWaiting && 'invisible')}>{reactions}</div>
        )}
        <div className={classNames('card-bar', reactions ? '-mb-2 pt-1' : 'pt-2')}>
          {counts && !isWaiting ? (
            <div className="relative z-10">{counts}</div>
          ) : (
            <CardCounts revelation={revelation} />
          )}
          {actions && <div className="card-actions">{actions}</div>}
        </div>
        {footer && !isWaiting && <div className="relative z-10">{footer}</div>}
      </div>
      {isTurning && !isWaiting && <Dawn initial={initialOf(revelation.author_pseudo)} />}
    </article>
  )
}

/**
 * What a card shows of its envelope or of its letter. As the instant comes it is measured: the letter turns within that
 * height, so that nothing around it moves. A focus on the one goes on to the other.
 */
function useFace(isDue: boolean) {
  const face = useRef<HTMLDivElement>(null)
  const wasFocused = useRef(false)
  const [minHeight, setMinHeight] = useState<number>()
  const attachFace = useCallback((element: HTMLDivElement) => {
    face.current = element
    if (wasFocused.current) element.querySelector('a')?.focus({ preventScroll: true })
    return () => {
      wasFocused.current = element.contains(document.activeElement)
    }
  }, [])
  useLayoutEffect(() => {
    if (isDue && face.current) setMinHeight(face.current.offsetHeight)
  }, [isDue])
  return { attachFace, minHeight }
}

/** The title; its link covers the whole card. */
function PageLink({ revelation: { id, title } }: { revelation: Revelation }) {
  const recordView = useRecordView()
  return (
    <Link to={paths.revelation(id)} onClick={() => recordView(id)} className="covers-card">
      {title}
    </Link>
  )
}

const EXCERPT_LENGTH = 320

interface LetterExcerptProps {
  revelation: OpenRevelation
  /** Not cut: there is no page with the rest. */
  isWhole: boolean
  /** It takes no more place than its card leaves it. */
  isInPlace: boolean
}

function LetterExcerpt({ revelation, isWhole, isInPlace }: LetterExcerptProps) {
  const { content, file_type } = revelation
  const hasPicture = file_type === 'video' || file_type === 'image'
  // The picture has the place of the seal, and leaves none to words.
  if (isInPlace && hasPicture) return null
  const excerpt = (
    <p
      className={classNames(
        'letter-in letter-lines card-words',
        !isWhole && (hasPicture ? 'line-clamp-2' : 'line-clamp-6'),
        isInPlace && 'absolute inset-x-0 top-0 max-h-[round(down,100%,1lh)]',
      )}
    >
      {content.slice(0, EXCERPT_LENGTH).replace(/\n+/g, '\n')}
    </p>
  )
  return isInPlace ? <div className="relative flex-1 basis-0">{excerpt}</div> : excerpt
}
