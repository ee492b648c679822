import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { isOpen, isOwn, type Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { SealPanel } from '#web/features/proofs/seal-panel.tsx'
import { AuthorActions } from '#web/features/revelations/author-actions.tsx'
import { useReveal } from '#web/features/revelations/use-reveal.ts'
import { classNames } from '#web/ui/class-names.ts'
import { DetailFooter } from './detail-footer.tsx'
import { GuestNote } from './guest-note.tsx'
import { Judgement } from './judgement.tsx'
import { LetterSheet } from './letter-sheet.tsx'
import { SealedScene } from './sealed-scene.tsx'
import { TurningScene } from './turning-scene.tsx'

const OwnNotes = lazy(async () => ({ default: (await import('./own-notes.tsx')).OwnNotes }))

/** A revelation on its own page: night and seal before the instant, a sheet of paper after it. */
export function RevelationView({ revelation }: { revelation: Revelation }) {
  const navigate = useNavigate()
  const { phase, isTurning } = useReveal(revelation)
  const isRevealed = phase === 'open' && isOpen(revelation)
  return (
    <article
      className={classNames(
        'on-paper pb-12 text-ink',
        isRevealed
          ? 'pt-6 sm:pt-10'
          : 'sky-night night-sky isolate -mb-16 min-h-[calc(100dvh-4rem)]',
        isTurning && 'is-turning',
      )}
    >
      <p role="status" className="sr-only">
        {isTurning && 'La révélation vient de s’ouvrir.'}
      </p>
      {isTurning && <TurningScene revelation={revelation} />}
      {!isRevealed && <SealedScene revelation={revelation} isDue={phase === 'due'} />}
      <div className="content flex max-w-3xl flex-col gap-6">
        {isOpen(revelation) && <LetterSheet revelation={revelation} isRevealed={isRevealed} />}
        {revelation.visibility === 'public' && (
          <Judgement revelation={revelation} isRevealed={isRevealed} />
        )}
        <SealPanel revelation={revelation} />
        {isOwn(revelation) && (
          <Suspense>
            <OwnNotes revelation={revelation} />
          </Suspense>
        )}
        <GuestNote revelation={revelation} />
        <DetailFooter
          revelation={revelation}
          actions={
            <AuthorActions
              revelation={revelation}
              onDeleted={() => navigate(paths.home, { replace: true })}
            />
          }
        />
      </div>
    </article>
  )
}
