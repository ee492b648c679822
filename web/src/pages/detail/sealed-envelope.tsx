import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { instantInWords } from '#contract/date-in-words.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import {
  CalendarButton,
  ReminderLine,
  ReminderToggle,
} from '#web/features/reminders/reminder-actions.tsx'
import { CardTags } from '#web/features/revelations/card-details.tsx'
import { SealedMedia } from '#web/features/revelations/letter-file.tsx'
import { useDawn } from '#web/features/revelations/use-reveal.ts'
import { useCountdown, useElapsedShare } from '#web/lib/clock.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { initialOf } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { RevelationLines } from './revelation-lines.tsx'

interface SealedEnvelopeProps {
  revelation: Revelation
  /** The instant has passed here, and the letter is being fetched. */
  isDue: boolean
}

/** The envelope before the reveal, with the teaser of its file. */
export function SealedEnvelope({ revelation, isDue }: SealedEnvelopeProps) {
  const { reveal_date, created_at, author_pseudo } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const countdown = useCountdown(reveal_date)
  const dawn = useDawn(reveal_date)
  return (
    <EnvelopeInNight
      revelation={revelation}
      dawn={isDue ? 1 : dawn}
      seal={(className) => (
        <WaxSeal initial={initialOf(author_pseudo)} elapsed={elapsed} className={className} />
      )}
      status={isDue ? 'La lettre s’ouvre' : 'Révélation en attente'}
      countdown={countdown}
      waiting={<Waiting revelation={revelation} isDue={isDue} />}
    >
      {revelation.file_type !== null && (!isOpen(revelation) || revelation.teaser_end !== null) && (
        <div className="mt-6 w-full text-left print:hidden">
          <SealedMedia revelation={revelation} />
        </div>
      )}
    </EnvelopeInNight>
  )
}

/** The actions stay in place at the last second, so that nothing moves. */
function Waiting({ revelation, isDue }: SealedEnvelopeProps) {
  return (
    <div className="relative">
      <div className={isDue ? 'pointer-events-none opacity-0' : undefined}>
        <WaitingActions revelation={revelation} />
      </div>
      {isDue && (
        <p role="status" className="absolute inset-x-0 top-4">
          La lettre s’ouvre…
        </p>
      )}
    </div>
  )
}

export const TITLE_CLASS = 'max-w-full text-3xl leading-tight! [overflow-wrap:anywhere] sm:text-5xl'

interface EnvelopeProps {
  revelation: Revelation
  heading: ReactNode
  seal: (className: string) => ReactNode
  /** What it waits for, in words. */
  status: string
  /** In digits, as long as it counts down. */
  countdown?: string
  waiting?: ReactNode
  children?: ReactNode
  className?: string
}

interface EnvelopeInNightProps extends Omit<EnvelopeProps, 'heading' | 'className'> {
  /** The light on the horizon, from 0 to 1. */
  dawn: number
}

/** The envelope as the part of the page that has its heading, before the horizon of its night. */
export function EnvelopeInNight({ dawn, ...envelope }: EnvelopeInNightProps) {
  const { title } = envelope.revelation
  return (
    <div ref={useFocusHandover()}>
      <div
        aria-hidden="true"
        className="bg-night-horizon -z-10 print:hidden pointer-events-none fixed inset-x-0 bottom-0 h-[55dvh]"
        style={{ '--dawn': dawn }}
      />
      <Envelope
        {...envelope}
        heading={
          <PageHeading documentTitle={title} className={TITLE_CLASS}>
            {title}
          </PageHeading>
        }
      />
    </div>
  )
}

/** The envelope: title, people, seal, and what it waits for. */
export function Envelope(props: EnvelopeProps) {
  const { revelation, heading, seal, status, countdown, waiting, children, className } = props
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
            {status}
          </h2>
          {countdown !== undefined && (
            <p
              aria-live="off"
              aria-hidden="true"
              className="tabular-digits print:hidden font-bold text-5xl leading-none sm:text-6xl"
            >
              {countdown}
            </p>
          )}
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

function WaitingActions({ revelation }: { revelation: Revelation }) {
  return (
    <div className="mt-4 print:hidden flex flex-col items-center gap-2">
      <div className="grid gap-2 sm:flex">
        <ReminderToggle revelationId={revelation.id} />
        <CalendarButton revelation={revelation} />
      </div>
      <ReminderLine revelationId={revelation.id} />
    </div>
  )
}

/** Moves the focus to the next heading when the part of the page that has it is replaced. */
function useFocusHandover(): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = part.current
    let last: Element | undefined
    const note = ({ target }: FocusEvent) => {
      last = target as Element
    }
    element?.addEventListener('focusin', note)
    return () => {
      element?.removeEventListener('focusin', note)
      const isLost = last?.isConnected === false && document.activeElement === document.body
      if (isLost || element?.contains(document.activeElement)) requestHeadingFocus()
    }
  }, [])
  return part
}
