import { instantInWords } from '#contract/date-in-words.ts'
import { isOpen } from '#contract/revelation-facts.ts'
import type { Revelation } from '#contract/revelations.ts'
import { CardTags } from '#web/features/revelations/card-tags.tsx'
import { SealedMedia } from '#web/features/revelations/sealed-media.tsx'
import { useDawn } from '#web/features/revelations/use-dawn.ts'
import { useCountdown, useElapsedShare } from '#web/lib/countdown.ts'
import { initialOf } from '#web/lib/initials.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { RevelationLines } from './revelation-lines.tsx'
import { WaitingActions } from './waiting-actions.tsx'

interface SealedSceneProps {
  revelation: Revelation
  /** The instant has passed here, and the server is being asked. */
  isDue: boolean
}

/** The envelope by night, and what may be seen of its file. */
export function SealedScene({ revelation, isDue }: SealedSceneProps) {
  const { title, reveal_date, time_zone, created_at, author_pseudo } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const countdown = useCountdown(reveal_date)
  const dawn = useDawn(reveal_date)
  return (
    <div className="px-4 pt-8 pb-10 sm:pt-12 sm:pb-12">
      <div
        aria-hidden="true"
        className="night-horizon -z-10 pointer-events-none fixed inset-x-0 bottom-0 h-[55dvh]"
        style={{ '--dawn': isDue ? 1 : dawn }}
      />
      <div className="mx-auto flex max-w-3xl flex-col items-center gap-4 text-center">
        <CardTags revelation={revelation} />
        <PageHeading
          documentTitle={title}
          className="max-w-full leading-tight! [overflow-wrap:anywhere] sm:text-5xl"
        >
          {title}
        </PageHeading>
        <RevelationLines revelation={revelation} className="text-left" />
        <WaxSeal
          initial={initialOf(author_pseudo)}
          elapsed={elapsed}
          className="mt-4 size-40 sm:size-48"
        />
        <section aria-labelledby="waiting" className="flex flex-col items-center gap-1">
          <h2 id="waiting" className="mt-3 text-2xl text-ink-soft">
            Révélation en attente
          </h2>
          <p
            aria-live="off"
            aria-hidden="true"
            className="digits font-bold text-5xl leading-none sm:text-6xl"
          >
            {countdown}
          </p>
          <p className="mt-2 text-ink-soft first-letter:uppercase">
            <time dateTime={reveal_date}>{instantInWords(new Date(reveal_date), time_zone)}</time>
          </p>
          {isDue ? (
            <p role="status">La lettre s’ouvre…</p>
          ) : (
            <WaitingActions revelation={revelation} />
          )}
        </section>
        {revelation.file_type !== null &&
          (!isOpen(revelation) || revelation.teaser_end !== null) && (
            <div className="mt-6 w-full text-left">
              <SealedMedia revelation={revelation} />
            </div>
          )}
      </div>
    </div>
  )
}
