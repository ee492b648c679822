import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Stamp } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isOpen, isOwn, type Revelation } from '#contract/revelations.ts'
import { BREATH_MS } from '#web/features/openings/opening-sound.ts'
import { SealVoiceCaption } from '#web/features/openings/seal-voice.tsx'
import { useOpeningSound } from '#web/features/openings/use-opening-sound.ts'
import { useOwnOpening } from '#web/features/openings/use-own-opening.ts'
import { PredictionPanel } from '#web/features/predictions/prediction-panel.tsx'
import { RecordLines } from '#web/features/predictions/record-lines.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { SealPanel } from '#web/features/proofs/seal-panel.tsx'
import { ReportButton } from '#web/features/reports/use-report-dialog.tsx'
import { useReveal } from '#web/features/revelations/use-reveal.ts'
import { serverNow } from '#web/lib/clock.ts'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { DetailFooter } from './detail-footer.tsx'
import { KeepsakeRow } from './keepsake-row.tsx'
import { LetterSheet } from './letter-sheet.tsx'
import { NamedPart } from './named-part.tsx'
import { InformAuthor, OpeningEnvelope, WaitingLetter } from './own-opening.tsx'
import { SealedEnvelope } from './sealed-envelope.tsx'
import { SkyPicture } from './sky-picture.tsx'

const AuthorMenu = lazy(async () => ({
  default: (await import('#web/features/revelations/author-menu.tsx')).AuthorMenu,
}))

const OwnNotes = lazy(async () => ({ default: (await import('./own-notes.tsx')).OwnNotes }))

// A visitor without a link does not wait for what it can do.
const GuestNote = lazy(async () => ({ default: (await import('./guest-note.tsx')).GuestNote }))

const LetterReplies = lazy(async () => ({
  default: (await import('./letter-replies.tsx')).LetterReplies,
}))

const ARTICLE = 'on-paper -mb-16 min-h-[calc(100dvh-4rem)] pb-12 text-ink'
/** By day, and in the light of a lamp in the dark: an open letter is never on night. */
const PAPER = 'theme-paper bg-ground pt-6 sm:pt-10'
const NIGHT = 'theme-night bg-night isolate'

/** The breath of pages that were open at the instant: long enough for the letter to be fetched. */
const LIVE_BREATH_MS = 900

/** A revelation on its page: night and seal before the reveal, paper after it. */
export function RevelationView({ revelation }: { revelation: Revelation }) {
  const navigate = useNavigate()
  const { phase, isTurning } = useReveal(revelation)
  const opening = useOwnOpening(revelation, isTurning)
  const sound = useOpeningSound(revelation)
  const isRevealed = phase === 'open' && isOpen(revelation)
  const hasOpened = isTurning || opening.plays > 0
  const [skipped, setSkipped] = useState<number>()
  const isPlaying = hasOpened && skipped !== opening.plays
  const isLive = opening.plays === 0
  const breathMs = useBreath(revelation, isTurning)
  const { can } = revelation
  const actions = (can.edit || can.delete) && (
    <Suspense fallback={<span className="size-11" />}>
      <AuthorMenu
        revelation={revelation}
        onDeleted={() => navigate(paths.home, { replace: true })}
      />
    </Suspense>
  )
  const ownNotes = isOwn(revelation) && (
    <Suspense>
      <OwnNotes revelation={revelation} />
    </Suspense>
  )
  if (opening.isWaiting) {
    return (
      <article className={classNames(ARTICLE, NIGHT)}>
        <WaitingLetter
          revelation={revelation}
          onBreak={() => {
            sound.playOpening()
            opening.breakSeal()
          }}
          tellsAuthor={opening.tellsAuthor}
          onTellsAuthorChange={opening.setTellsAuthor}
        />
        <div className="container-page flex max-w-3xl flex-col">
          <ReportButton revelation={revelation} />
        </div>
      </article>
    )
  }
  return (
    <article
      className={classNames(ARTICLE, isRevealed ? PAPER : NIGHT, isPlaying && 'is-turning')}
      style={isPlaying ? { '--breath': `${isLive ? breathMs : BREATH_MS}ms` } : undefined}
    >
      <p role="status" className="sr-only">
        {hasOpened && 'La révélation vient de s’ouvrir.'}
      </p>
      {isPlaying && (
        <OpeningEnvelope
          key={opening.plays}
          revelation={revelation}
          isLive={isLive}
          onSkip={() => {
            setSkipped(opening.plays)
            sound.stop()
          }}
        />
      )}
      <SealVoiceCaption revelation={revelation} sound={sound} />
      {!isRevealed && <SealedEnvelope revelation={revelation} isDue={phase === 'due'} />}
      <div
        // Made anew as the letter opens: what stands below the envelope would be seen moving to below the letter.
        key={isRevealed ? 'letter' : 'envelope'}
        className="container-page flex max-w-3xl flex-col gap-6"
      >
        <AfterFirstFrame isLater={isPlaying}>
          {isOpen(revelation) && (
            <LetterSheet
              revelation={revelation}
              isRevealed={isRevealed}
              isOpening={isPlaying}
              opening={hasOpened ? opening.plays : undefined}
              onReplay={() => {
                sound.playOpening()
                opening.replay()
              }}
              sound={sound}
            />
          )}
          {opening.isChoicePending && (
            <InformAuthor authorPseudo={revelation.author_pseudo} onAnswer={opening.recordChoice} />
          )}
          {hasReplies(revelation, isRevealed) && (
            <Suspense>
              <NamedPart names={['reponses']}>
                <LetterReplies revelation={revelation} />
              </NamedPart>
            </Suspense>
          )}
          {isRevealed && <KeepsakeRow revelation={revelation} />}
          {revelation.visibility === 'public' && (
            <PredictionSection revelation={revelation} isRevealed={isRevealed} />
          )}
          {!isRevealed && ownNotes}
          {hasDeliveryKey(revelation.id) && (
            <Suspense>
              <GuestNote revelation={revelation} />
            </Suspense>
          )}
          <DetailFooter revelation={revelation} actions={actions} />
          {isRevealed && ownNotes}
          <SealPanel revelation={revelation} />
          <ReportButton revelation={revelation} />
          {isPlaying && <SkyPicture key={opening.plays} revelation={revelation} />}
        </AfterFirstFrame>
      </div>
    </article>
  )
}

/** Its author and its addressees alone have private replies: nobody else asks for any. */
function hasReplies(revelation: Revelation, isRevealed: boolean): boolean {
  return isRevealed && (isOwn(revelation) || revelation.opening.tells_author)
}

interface AfterFirstFrameProps {
  isLater: boolean
  children: ReactNode
}

/** What lies under the night as the opening begins: made at once, all of it would make the first frame late. */
function AfterFirstFrame({ isLater, children }: AfterFirstFrameProps) {
  // Nothing is deferred, and rendered twice, while no opening is played.
  const later = useDeferredValue(isLater ? children : null, null)
  return isLater ? later : children
}

/** How long the page still stands as it turns at the instant, so that the seal cracks at the same moment on every screen. */
function useBreath({ reveal_date }: Revelation, isTurning: boolean): number {
  const [breathMs, setBreathMs] = useState<number>()
  if (!isTurning || breathMs !== undefined) return breathMs ?? 0
  const left = Math.max(0, Date.parse(reveal_date) + LIVE_BREATH_MS - serverNow())
  setBreathMs(left)
  return left
}

interface PredictionSectionProps {
  revelation: Revelation
  isRevealed: boolean
}

/** The outcome of a public revelation, and the record of its author. */
function PredictionSection({ revelation, isRevealed }: PredictionSectionProps) {
  const client = useQueryClient()
  const { prediction, author_id } = revelation
  const { queryKey } = profileQuery(author_id)
  return (
    <>
      {isRevealed && prediction && (
        <PredictionPanel
          revelation={revelation}
          prediction={prediction}
          onDeclared={() => client.invalidateQueries({ queryKey })}
        />
      )}
      <AuthorRecord revelation={revelation} />
    </>
  )
}

interface AuthorRecordProps {
  revelation: Revelation
}

/** The record of the author; nothing where the viewer may not see them. */
function AuthorRecord({ revelation: { author_id, author_pseudo } }: AuthorRecordProps) {
  const { data, isPending } = useQuery(profileQuery(author_id))
  if (isPending) return <Skeleton className="h-28 w-full rounded-card!" />
  if (!data) return null
  return (
    <section
      aria-label={`Le bilan public de @${author_pseudo}`}
      className="flex items-start gap-3 rounded-card border border-line bg-surface px-5 py-4 text-ink-soft shadow-soft"
    >
      <Stamp aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">En public, @{author_pseudo} compte&#8239;:</p>
        <p>
          <RecordLines record={data.stats.record} />
        </p>
        <Link
          to={paths.predictionsOf(author_id)}
          className="-mb-2 inline-flex min-h-11 items-center font-semibold text-ink underline underline-offset-4"
        >
          Voir ses prédictions
        </Link>
      </div>
    </section>
  )
}
