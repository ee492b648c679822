import { useId, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { BreakableSeal } from '#web/features/openings/breakable-seal.tsx'
import { SoundSwitch } from '#web/features/openings/seal-voice.tsx'
import { BreakingSeal, DawnSky } from '#web/features/revelations/dawn.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { formatElapsed } from '#web/lib/dates.ts'
import { initialOf } from '#web/lib/format.ts'
import { useInput } from '#web/lib/hooks.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TitleWords } from '#web/ui/page-heading.tsx'
import { Envelope, EnvelopeInNight, REVEALED, TITLE_CLASS } from './sealed-envelope.tsx'
import { usePreloadedSkyPicture } from './sky-picture.tsx'

interface WaitingLetterProps {
  revelation: Revelation
  onBreak: () => void
  tellsAuthor: boolean
  onTellsAuthorChange: (tellsAuthor: boolean) => void
}

/** The letter that its reader has not opened yet, however late: sealed, with its seal under the thumb. */
export function WaitingLetter({
  revelation,
  onBreak,
  tellsAuthor,
  onTellsAuthorChange,
}: WaitingLetterProps) {
  const { reveal_date, author_pseudo, opening } = revelation
  const describedBy = useId()
  const [wasReleased, setReleased] = useState(false)
  usePreloadedSkyPicture(revelation)
  const waiting = formatElapsed(reveal_date, serverNow())
  return (
    <EnvelopeInNight
      revelation={revelation}
      dawn={1}
      seal={(className) => (
        <BreakableSeal
          initial={initialOf(author_pseudo)}
          label="Briser le sceau et ouvrir la lettre"
          describedBy={opening.tells_author ? describedBy : undefined}
          className={className}
          onBreak={onBreak}
          onRelease={() => setReleased(true)}
        />
      )}
      status={waiting ? `Elle vous attend depuis ${waiting}` : 'Elle vous attend'}
      waiting={
        <div className="print:hidden flex w-full flex-col items-center">
          <p role="status" className="mt-4 font-semibold text-lg">
            {wasReleased
              ? 'Le sceau s’est refermé. Gardez le doigt dessus un instant de plus.'
              : 'Gardez le doigt sur le sceau pour le briser'}
          </p>
          <p className="text-ink-soft">
            Ou touchez-le une fois
            <span className="hidden pointer-fine:inline">, ou appuyez sur Entrée</span>.
          </p>
          <SoundSwitch revelation={revelation} />
          {opening.tells_author && (
            <div className="mt-6 w-full max-w-md">
              <p id={describedBy} className="mb-2 text-balance [overflow-wrap:anywhere]">
                {tellsAuthor
                  ? `@${author_pseudo} saura que vous l’avez ouverte.`
                  : `@${author_pseudo} ne saura pas que vous l’avez ouverte.`}
              </p>
              <ChoiceTiles
                legend={`Dire à @${author_pseudo} que vous l’avez ouverte`}
                hideLegend
                name="tells-author"
                layout="pairs"
                choices={[
                  { value: 'yes', label: 'Le dire' },
                  { value: 'no', label: 'Ne pas le dire' },
                ]}
                value={tellsAuthor ? 'yes' : 'no'}
                onChange={(value) => onTellsAuthorChange(value === 'yes')}
              />
            </div>
          )}
        </div>
      }
    />
  )
}

interface InformAuthorProps {
  authorPseudo: string
  onAnswer: (tellsAuthor: boolean) => void
}

/** For the addressee who saw the letter open by itself: the author is told by this act alone. */
export function InformAuthor({ authorPseudo, onAnswer }: InformAuthorProps) {
  return (
    <section
      aria-labelledby="tell-author"
      className="print:hidden rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      <h2 id="tell-author" className="text-balance text-xl [overflow-wrap:anywhere]">
        Dire à @{authorPseudo} que vous l’avez ouverte&#8239;?
      </h2>
      <div className="mt-4 grid grid-cols-2 gap-2 sm:max-w-md">
        <Button variant="secondary" onClick={() => onAnswer(true)}>
          Le dire
        </Button>
        <Button variant="secondary" onClick={() => onAnswer(false)}>
          Ne pas le dire
        </Button>
      </div>
    </section>
  )
}

interface OpeningEnvelopeProps {
  revelation: Revelation
  /** It follows the countdown that was on the page; else the seal that the reader broke. */
  isLive: boolean
  onSkip: () => void
}

/**
 * The envelope over the rendered letter, fading from night to day; sticky, so that it covers a scrolled page too. Any input
 * ends it.
 */
export function OpeningEnvelope({ revelation, isLive, onSkip }: OpeningEnvelopeProps) {
  const [isOver, setOver] = useState(false)
  useInput(!isOver, (event) => {
    // The key that broke the seal may still be down.
    if (!(event instanceof KeyboardEvent && event.repeat)) onSkip()
  })
  if (isOver) return null
  return (
    <div
      aria-hidden="true"
      inert
      className="reveal-animation theme-night pointer-events-none sticky top-16 z-30 h-0 text-ink"
      onAnimationEnd={({ target, currentTarget }) => target === currentTarget && setOver(true)}
    >
      <div className="fixed inset-0 overflow-hidden">
        <DawnSky>
          <div className="reveal-night theme-night bg-night">
            <div className="bg-night-horizon absolute inset-x-0 bottom-0 h-[55dvh]" />
          </div>
        </DawnSky>
      </div>
      <Envelope
        revelation={revelation}
        hasTags={isLive}
        className={classNames(
          'reveal-words absolute inset-x-0 -top-6 sm:-top-10',
          isLive && 'stage-over',
        )}
        heading={
          <h1 className={TITLE_CLASS}>
            <TitleWords>{revelation.title}</TitleWords>
          </h1>
        }
        seal={(className) => (
          <BreakingSeal
            initial={initialOf(revelation.author_pseudo)}
            className={`relative ${className}`}
          >
            {isLive ? (
              <span className="waiting-light" style={{ '--near': 1 }} />
            ) : (
              <span className="seal-glow" />
            )}
          </BreakingSeal>
        )}
        status={isLive ? REVEALED : 'Elle s’ouvre…'}
        countdown={isLive && <div className="waiting-digits" />}
      />
    </div>
  )
}
