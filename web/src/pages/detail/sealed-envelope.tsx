import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { instantInWords } from '#contract/date-in-words.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { WaitingTogether } from '#web/features/presence/waiting-together.tsx'
import {
  CalendarButton,
  ReminderLine,
  ReminderToggle,
} from '#web/features/reminders/reminder-actions.tsx'
import { CardTags } from '#web/features/revelations/card-details.tsx'
import { SealedMedia } from '#web/features/revelations/letter-file.tsx'
import { useDawn } from '#web/features/revelations/use-reveal.ts'
import { useElapsedShare } from '#web/lib/clock.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { initialOf } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { RevelationLines } from './revelation-lines.tsx'
import {
  StageAnnouncement,
  useNearness,
  useWaitingStage,
  WaitingCountdown,
  type WaitingStage,
} from './waiting-countdown.tsx'

interface SealedEnvelopeProps {
  revelation: Revelation
  /** The instant has passed here, and the letter is being fetched. */
  isDue: boolean
}

/** The envelope before the reveal, with the teaser of its file. */
export function SealedEnvelope({ revelation, isDue }: SealedEnvelopeProps) {
  const { reveal_date, time_zone, created_at, author_pseudo } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const dawn = useDawn(reveal_date)
  const stage = useWaitingStage(reveal_date)
  const near = useNearness(reveal_date)
  return (
    <EnvelopeInNight
      revelation={revelation}
      hasTags
      stage={stage}
      dawn={isDue ? 1 : dawn}
      seal={(className) => (
        <div className={classNames('relative isolate', className)}>
          <span className="waiting-light" style={{ '--near': near }} />
          <div className="waiting-seal size-full">
            <WaxSeal initial={initialOf(author_pseudo)} elapsed={elapsed} className="size-full" />
          </div>
        </div>
      )}
      status={isDue ? REVEALED : 'Révélation en attente'}
      countdown={<WaitingCountdown instant={reveal_date} timeZone={time_zone} stage={stage} />}
      waiting={<Waiting revelation={revelation} isDue={isDue} />}
    >
      {revelation.file_type !== null && (!isOpen(revelation) || revelation.teaser_end !== null) && (
        <div className="steps-back mt-6 w-full text-left print:hidden">
          <SealedMedia revelation={revelation} />
        </div>
      )}
    </EnvelopeInNight>
  )
}

/** The words of the instant, while a breath is held before the seal cracks. */
export const REVEALED = 'Révélé !'

/** The actions stay in place at the last second, so that nothing moves. */
function Waiting({ revelation, isDue }: SealedEnvelopeProps) {
  return (
    <div className="steps-back" inert={isDue}>
      <WaitingTogether revelation={revelation} />
      <WaitingActions revelation={revelation} />
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
  /** Whether its audience and category are shown. */
  hasTags?: boolean
  /** What counts down; its place stays as the letter opens. */
  countdown?: ReactNode
  waiting?: ReactNode
  children?: ReactNode
  className?: string
}

interface EnvelopeInNightProps extends Omit<EnvelopeProps, 'heading' | 'className'> {
  /** The light on the horizon, from 0 to 1. */
  dawn: number
  stage?: WaitingStage
}

/** The envelope as the part of the page that has its heading, before the horizon of its night. */
export function EnvelopeInNight({ dawn, stage, ...envelope }: EnvelopeInNightProps) {
  const { title } = envelope.revelation
  return (
    <div ref={useFocusHandover()} className={stage && `stage-${stage}`}>
      {stage && <StageAnnouncement stage={stage} />}
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
  const { hasTags = false } = props
  const { reveal_date, time_zone } = revelation
  return (
    <div className={classNames('overflow-x-clip px-4 pt-8 pb-10 sm:pt-12 sm:pb-12', className)}>
      <div className="mx-auto flex max-w-3xl flex-col items-center gap-4 text-center">
        {hasTags && (
          <div className="steps-back print:hidden">
            <CardTags revelation={revelation} />
          </div>
        )}
        {heading}
        <RevelationLines revelation={revelation} className="steps-back text-left" />
        {seal('mt-4 size-40 sm:size-48')}
        <section aria-labelledby="waiting" className="flex flex-col items-center gap-1">
          <h2 id="waiting" className="mt-3 text-2xl text-ink-soft">
            {status}
          </h2>
          {countdown}
          <p className="steps-back mt-2 text-balance text-ink-soft first-letter:uppercase">
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
