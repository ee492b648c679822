import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useNavigationType } from 'react-router'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { type OpenedDraft, useOpenDraft } from '#web/features/revelations/drafts/use-draft.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { type CreatePlace, useCreatePlace, useWish } from './use-create-place.ts'
import { useWriting } from './use-writing.ts'
import { WritingFlow } from './writing-flow.tsx'
import { useGoBack } from './writing-frame.tsx'

const SealedBefore = lazy(async () => ({
  default: (await import('./sealed-step.tsx')).SealedBefore,
}))

/** Writes and seals a letter: step by step, or all on one page. */
export function CreatePage() {
  // Nobody sees the letter of whoever was signed in before.
  return <PageOf key={useSignedInUser().id} />
}

function PageOf() {
  const place = useCreatePlace()
  const isReturn = useNavigationType() === 'POP'
  const [sealedDraft, setSealedDraft] = useState<string>()
  const isPassed = isReturn && sealedDraft !== undefined && sealedDraft === place.draftId
  usePassing(isPassed && !place.sealedId, place)
  // Loaded again or come back to; whoever seals is led on by the letter that they wrote.
  if (place.sealedId && isReturn) {
    if (sealedDraft !== place.draftId) setSealedDraft(place.draftId)
    return (
      <Suspense>
        <SealedBefore id={place.sealedId} />
      </Suspense>
    )
  }
  return isPassed ? null : <DraftAt place={place} />
}

/** The steps of what is sealed are gone through, to where one was before. */
function usePassing(isPassed: boolean, { step }: CreatePlace): void {
  const goBack = useEffectEvent(useGoBack())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has its entry in the history
  useEffect(() => {
    if (isPassed) goBack()
  }, [isPassed, step])
}

function DraftAt({ place }: { place: CreatePlace }) {
  const [timeZone] = useState(personTimeZone)
  const wish = useWish()
  const isAsked = Object.values(wish).some((asked) => asked !== undefined)
  const { opening, takeOver } = useOpenDraft({
    id: place.draftId,
    wish,
    timeZone,
    // Step by step, one begins anew and is offered what was begun.
    resumesLast: !place.isNew && (place.isAll || isAsked),
    onOpen: place.nameDraft,
  })
  if (opening.phase === 'opening') return <OpeningSkeleton />
  if (opening.phase === 'elsewhere') {
    return <OpenElsewhere onTakeOver={() => void takeOver(opening.id)} />
  }
  return <OpenDraft key={opening.draft.id} opened={opening} place={place} timeZone={timeZone} />
}

interface OpenDraftProps {
  opened: OpenedDraft
  place: CreatePlace
  timeZone: string
}

function OpenDraft({ opened, place, timeZone }: OpenDraftProps) {
  return <WritingFlow writing={useWriting(opened, timeZone)} place={place} />
}

function OpenElsewhere({ onTakeOver }: { onTakeOver: () => void }) {
  return (
    <div className="container-page max-w-3xl pt-6 sm:pt-10">
      <PageHeading documentTitle="Écrire">Ce brouillon est ouvert dans un autre onglet</PageHeading>
      <Notice
        className="mt-6"
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={onTakeOver}>Continuer ici</Button>
            <ButtonLink variant="secondary" to={paths.create}>
              En écrire un autre
            </ButtonLink>
          </div>
        }
      >
        Vos derniers mots de là-bas viennent avec lui. L’autre onglet cessera d’y écrire.
      </Notice>
    </div>
  )
}

function OpeningSkeleton() {
  return (
    <div role="status" className="container-page flex max-w-3xl flex-col gap-5 pt-6 sm:pt-10">
      <span className="sr-only">Ouverture de vos brouillons</span>
      <Skeleton className="h-9 w-64 max-w-full" />
      <Skeleton className="h-80 w-full rounded-card!" />
    </div>
  )
}
