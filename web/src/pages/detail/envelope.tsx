import type { ReactNode } from 'react'
import { instantInWords } from '#contract/date-in-words.ts'
import type { Revelation } from '#contract/revelations.ts'
import { CardTags } from '#web/features/revelations/card-tags.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { RevelationLines } from './revelation-lines.tsx'

/** Of the title, while it waits and as it turns. */
export const TITLE_LOOK = 'max-w-full text-3xl leading-tight! [overflow-wrap:anywhere] sm:text-5xl'

interface EnvelopeProps {
  revelation: Revelation
  heading: ReactNode
  seal: (look: string) => ReactNode
  countdown: string
  /** What may be done meanwhile. */
  waiting?: ReactNode
  children?: ReactNode
  className?: string
}

/** What is written on the night: from whom, the seal, and how long. */
export function Envelope(props: EnvelopeProps) {
  const { revelation, heading, seal, countdown, waiting, children, className } = props
  const { reveal_date, time_zone } = revelation
  return (
    <div className={classNames('px-4 pt-8 pb-10 sm:pt-12 sm:pb-12', className)}>
      <div className="mx-auto flex max-w-3xl flex-col items-center gap-4 text-center">
        <div className="print:hidden">
          <CardTags revelation={revelation} />
        </div>
        {heading}
        <RevelationLines revelation={revelation} className="text-left" />
        {seal('mt-4 size-40 sm:size-48')}
        <section aria-labelledby="waiting" className="flex flex-col items-center gap-1">
          <h2 id="waiting" className="mt-3 text-2xl text-ink-soft">
            Révélation en attente
          </h2>
          <p
            aria-live="off"
            aria-hidden="true"
            className="digits print:hidden font-bold text-5xl leading-none sm:text-6xl"
          >
            {countdown}
          </p>
          <p className="mt-2 text-balance text-ink-soft first-letter:uppercase">
            <time dateTime={reveal_date}>{instantInWords(new Date(reveal_date), time_zone)}</time>
          </p>
          {waiting}
        </section>
        {children}
      </div>
    </div>
  )
}
