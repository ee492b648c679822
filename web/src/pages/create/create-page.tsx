import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { type OpenedDraft, useOpenDraft } from '#web/features/revelations/drafts/use-draft.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { type CreatePlace, useCreatePlace, useGoBack, useWish } from './use-create-place.ts'
import { useWriting } from './use-writing.ts'
import { WritingFlow } from './writing-flow.tsx'

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
  const [sealedHere, setSealedHere] = useState<string>()
  const isPassed = place.sealedId !== undefined && !place.isSealedPage && place.isBack
  usePassing(isPassed)
  // Whoever seals is led on by what they wrote; whoever loads its page again or comes back finds what was said of it.
  if (place.sealedId && (isReturn || place.sealedId !== sealedHere)) {
    const skeleton = <OpeningSkeleton words="Ouverture de ce qui est scellé" />
    return (
      <Suspense fallback={skeleton}>
        <SealedBefore id={place.sealedId} skeleton={skeleton} />
      </Suspense>
    )
  }
  const nameSealed = (id: string) => {
    setSealedHere(id)
    place.nameSealed(id)
  }
  return <DraftAt place={{ ...place, nameSealed }} />
}

/** On the way back, the steps of what is sealed are gone through, to where one was before. */
function usePassing(isPassed: boolean): void {
  const { key } = useLocation()
  const goBack = useEffectEvent(useGoBack())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history has its key
  useEffect(() => {
    if (isPassed) goBack()
  }, [isPassed, key])
}

function DraftAt({ place }: { place: CreatePlace }) {
  const [timeZone] = useState(personTimeZone)
  const wish = useWish()
  const hasWish = Object.values(wish).some((value) => value !== undefined)
  const { opening, claim } = useOpenDraft({
    id: place.draftId,
    wish,
    timeZone,
    // Step by step, one begins anew and is offered what was begun.
    resumesLast: !place.isNew && (place.isAll || hasWish),
    onOpen: place.nameDraft,
  })
  if (opening.phase === 'opening') return <OpeningSkeleton words="Ouverture de vos brouillons" />
  if (opening.phase === 'elsewhere') {
    return <OpenElsewhere onClaim={() => void claim(opening.id)} />
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

function OpenElsewhere({ onClaim }: { onClaim: () => void }) {
  return (
    <div className="container-page max-w-3xl pt-6 sm:pt-10">
      <PageHeading documentTitle="Écrire">Ce brouillon est ouvert dans un autre onglet</PageHeading>
      <Notice
        className="mt-6"
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={onClaim}>Continuer ici</Button>
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

function OpeningSkeleton({ words }: { words: string }) {
  return (
    <div role="status" className="container-page flex max-w-3xl flex-col gap-5 pt-6 sm:pt-10">
      <span className="sr-only">{words}</span>
      <Skeleton className="h-9 w-64 max-w-full" />
      <Skeleton className="h-80 w-full rounded-card!" />
    </div>
  )
}
