import { isOpen, type Revelation } from '#contract/revelations.ts'
import { SealedMedia } from '#web/features/revelations/sealed-media.tsx'
import { useDawn } from '#web/features/revelations/use-dawn.ts'
import { useCountdown, useElapsedShare } from '#web/lib/countdown.ts'
import { initialOf } from '#web/lib/initials.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { Envelope, TITLE_LOOK } from './envelope.tsx'
import { useHandedFocus } from './use-handed-focus.ts'
import { WaitingActions } from './waiting-actions.tsx'

interface SealedSceneProps {
  revelation: Revelation
  /** The instant has passed here, and the server is being asked. */
  isDue: boolean
}

/** The envelope by night, and what may be seen of its file. */
export function SealedScene({ revelation, isDue }: SealedSceneProps) {
  const { title, reveal_date, created_at, author_pseudo } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const countdown = useCountdown(reveal_date)
  const dawn = useDawn(reveal_date)
  return (
    <div ref={useHandedFocus()}>
      <div
        aria-hidden="true"
        className="night-horizon -z-10 print:hidden pointer-events-none fixed inset-x-0 bottom-0 h-[55dvh]"
        style={{ '--dawn': isDue ? 1 : dawn }}
      />
      <Envelope
        revelation={revelation}
        heading={
          <PageHeading documentTitle={title} className={TITLE_LOOK}>
            {title}
          </PageHeading>
        }
        seal={(look) => (
          <WaxSeal initial={initialOf(author_pseudo)} elapsed={elapsed} className={look} />
        )}
        countdown={countdown}
        waiting={<Waiting revelation={revelation} isDue={isDue} />}
      >
        {revelation.file_type !== null &&
          (!isOpen(revelation) || revelation.teaser_end !== null) && (
            <div className="mt-6 w-full text-left print:hidden">
              <SealedMedia revelation={revelation} />
            </div>
          )}
      </Envelope>
    </div>
  )
}

/** Keeps its room at the last second: nothing moves under the eyes of whoever waits for it. */
function Waiting({ revelation, isDue }: SealedSceneProps) {
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
