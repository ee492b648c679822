import { useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { BreakingSeal, DawnSky } from '#web/features/revelations/dawn.tsx'
import { formatCountdown } from '#web/lib/countdown.ts'
import { initialOf } from '#web/lib/initials.ts'
import { Envelope, TITLE_LOOK } from './envelope.tsx'

/**
 * The night one was looking at, word for word in its place, as it gives way to the day. Under it is the letter already;
 * whoever scrolled down meets it at the top of the window.
 */
export function TurningScene({ revelation }: { revelation: Revelation }) {
  const [isOver, setOver] = useState(false)
  if (isOver) return null
  return (
    <div
      aria-hidden="true"
      inert
      className="dawn sky-night pointer-events-none sticky top-16 z-30 h-0 text-ink"
      onAnimationEnd={({ target, currentTarget }) => target === currentTarget && setOver(true)}
    >
      <div className="fixed inset-0 overflow-hidden">
        <DawnSky>
          <div className="dawn-night sky-night night-sky">
            <div className="night-horizon absolute inset-x-0 bottom-0 h-[55dvh]" />
          </div>
        </DawnSky>
      </div>
      <Envelope
        revelation={revelation}
        className="dawn-words absolute inset-x-0 -top-6 sm:-top-10"
        heading={<h1 className={TITLE_LOOK}>{revelation.title}</h1>}
        seal={(look) => (
          <BreakingSeal
            initial={initialOf(revelation.author_pseudo)}
            className={`relative ${look}`}
          />
        )}
        countdown={formatCountdown(0)}
      />
    </div>
  )
}
