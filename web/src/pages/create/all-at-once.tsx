import {
  Film,
  HardDrive,
  ListOrdered,
  LockKeyhole,
  type LucideIcon,
  ScrollText,
} from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { isPastMoment } from '#web/features/revelations/reveal-moment.ts'
import { draftFor, firstInvalidOf } from '#web/features/revelations/revelation-draft.ts'
import { RevelationForm } from '#web/features/revelations/revelation-form.tsx'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { PlanStationery } from '#web/features/subscriptions/plan-stationery.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { OfflineNotice, OwnLimits, RestoredNotice, SharedNotice } from './create-notices.tsx'
import { DraftsList } from './drafts-list.tsx'
import type { LetterPart } from './folded-letter.tsx'
import { SealDialog } from './seal-dialog.tsx'
import type { CreatePlace } from './use-create-place.ts'
import { useDeferredSeal } from './use-deferred-seal.ts'
import { useSealHandlers, type Writing } from './use-writing.ts'
import { KeptLine, useGoBack, ViewBar } from './writing-frame.tsx'

interface AllAtOnceProps {
  writing: Writing
  place: CreatePlace
}

/** « Tout voir »: everything of a letter on one page. */
export function AllAtOnce({ writing, place }: AllAtOnceProps) {
  return (
    <div className="container-page pt-4 sm:pt-8">
      <ViewBar
        onBack={useGoBack()}
        otherView={{
          label: 'Pas à pas',
          icon: ListOrdered,
          onShow: () => place.switchView(writing.id, writing.kept.now().step),
        }}
      />
      <PageHeading documentTitle="Créer une révélation" className="mt-2">
        Créer une prédiction ou programmer une livraison
      </PageHeading>
      <p className="mt-3 max-w-reading text-ink-soft text-lg">
        Écrivez, joignez ce que vous voulez, choisissez le jour. Puis posez le sceau.
      </p>
      <div className="mt-7 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <WholeForm writing={writing} place={place} />
        <InfoCards />
      </div>
    </div>
  )
}

function WholeForm({ writing, place }: AllAtOnceProps) {
  const { id: userId } = useSignedInUser()
  const navigate = useNavigate()
  const room = useStorageHint()
  const voiceUploads = useVoiceUploads(userId)
  const [isRecapOpen, setRecapOpen] = useState(false)
  const [hasPassed, setPassed] = useState(false)
  const toEdit = useRef<LetterPart>(undefined)
  const { form, state, timeZone, kept, sealing, sealed, sealNow, isPast } = writing
  useSealHandlers(writing, {
    onRefused: (error) => {
      // The dialog has the focus until it closes, then gives it to the first invalid field.
      if (state.showRefusal(error, { shouldFocus: false })) setRecapOpen(false)
    },
  })
  const { album, voice, notifiesNow } = state
  const leave = useEffectEvent(() => {
    if (!sealed) return
    showToast('success', sealed.wasLost ? WAS_SEALED_ALREADY : 'Révélation scellée')
    navigate(paths.revelation(sealed.revelation.id))
  })
  const [isSettled, setSettled] = useState(false)
  // Whoever went back to the text meanwhile sees no seal.
  useEffect(() => {
    if (sealed && (isSettled || !isRecapOpen)) leave()
  }, [sealed, isSettled, isRecapOpen])
  const network = useDeferredSeal({
    isReady: isRecapOpen && writing.isReady,
    isPast,
    onWanted: (wantsSealing) => kept.update({ wantsSealing }),
    onNetworkBack: async (isPastNow) => {
      setPassed(isPastNow)
      if (!(await form.trigger())) closeRecap()
      else if (!isPastNow) sealNow()
    },
  })
  const closeRecap = () => {
    network.stop()
    setRecapOpen(false)
  }
  const review = () => {
    toEdit.current = undefined
    setPassed(false)
    sealing.clearFailure()
    setRecapOpen(true)
  }

  return (
    <RevelationForm
      state={state}
      isAutosaved
      kindAs="cards"
      onSubmit={review}
      otherUploads={voiceUploads}
      stationery={<PlanStationery form={form} />}
      room={room}
      refusalHelp={limitHelp}
      notifyLabel={writing.notifyLabel}
      notices={
        <>
          <OwnLimits />
          <Restored writing={writing} />
          <DraftsList openId={writing.id} onResume={place.resume} />
          {writing.shared && <SharedNotice {...writing.shared} />}
          {!network.isOnline && <OfflineNotice />}
        </>
      }
    >
      <ActionBar>
        <Button type="submit" large icon={<ScrollText aria-hidden="true" className="size-5" />}>
          Relire avant de sceller
        </Button>
        <KeptLine kept={kept.keeping} files={writing.keptFiles} />
      </ActionBar>
      <SealDialog
        open={isRecapOpen}
        onOpenChange={(isOpen) => (isOpen ? setRecapOpen(true) : closeRecap())}
        draft={form.getValues()}
        timeZone={timeZone}
        album={album}
        voice={voice}
        notifiesNow={notifiesNow}
        phase={sealed ? 'sealed' : sealing.phase}
        failure={sealing.failure}
        already={
          sealing.alreadyId
            ? { id: sealing.alreadyId, onSealAnother: writing.sealAnother }
            : undefined
        }
        isPlanRefusal={writing.isOverPlan}
        returnTo={() =>
          toEdit.current
            ? state.element.current?.querySelector<HTMLElement>(PART_SELECTORS[toEdit.current])
            : firstInvalidOf(state.element.current)
        }
        onSeal={sealNow}
        onEdit={(part) => {
          toEdit.current = part
          closeRecap()
        }}
        onSettled={() => setSettled(true)}
        network={network}
        hasPassed={hasPassed}
      />
    </RevelationForm>
  )
}

/** What was begun is back, until its author goes on. */
function Restored({ writing }: { writing: Writing }) {
  const { email } = useSignedInUser()
  const { form, state, kept, opened, timeZone, isJustRestored, setJustRestored } = writing
  if (!isJustRestored) return null
  return (
    <RestoredNotice
      wasToBeSealed={opened.wantsSealing}
      hasPassed={opened.values.day !== '' && isPastMoment(opened.values, timeZone)}
      onContinue={() => setJustRestored(false)}
      onStartAgain={() => {
        setJustRestored(false)
        kept.update({ wantsSealing: false, key: null, suggestedTitle: '' })
        state.album.clear()
        state.voice.erase()
        form.reset(draftFor(timeZone, NO_WISH, email))
      }}
    />
  )
}

const NO_WISH = { kind: undefined, visibility: undefined, addressee: undefined }

/** Where a part of the letter is written in this form. */
const PART_SELECTORS: Record<LetterPart, string> = {
  title: '[name="title"]',
  people: '[data-part="people"]',
  moment: '[data-part="moment"] input',
  audience: '[name="visibility"]:checked',
  notice: '[data-part="notice"] :is(input, summary)',
  inside: '[data-part="inside"]',
}

const WAS_SEALED_ALREADY =
  'Elle était déjà scellée\u202F: la réponse du site s’était perdue en route.'

function InfoCards() {
  return (
    <aside
      aria-label="Ce qu’il advient de votre lettre"
      className="lg:sticky lg:top-24 lg:self-start"
    >
      <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] lg:grid-cols-1">
        <InfoCard icon={LockKeyhole} title="Scellée jusqu’à la date">
          Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site.
        </InfoCard>
        <InfoCard icon={Film} title="Une vidéo, et son extrait">
          Choisissez de 1 à 30&nbsp;secondes à montrer avant la date. L’extrait est un fichier à
          part, rien d’autre de la vidéo n’y figure.
        </InfoCard>
        <InfoCard icon={HardDrive} title="Gardée chiffrée">
          Le contenu et le fichier sont conservés chiffrés&#8239;; la clé est gardée à part de la
          base et des sauvegardes. Jusqu’à 600&nbsp;Mo par fichier.
        </InfoCard>
      </ul>
    </aside>
  )
}

interface InfoCardProps {
  icon: LucideIcon
  title: string
  children: string
}

function InfoCard({ icon: Icon, title, children }: InfoCardProps) {
  return (
    <li className="theme-night bg-night-card rounded-card border border-line p-4 text-ink">
      <h2 className="flex items-center gap-2.5 text-lg">
        <Icon aria-hidden="true" className="size-5 shrink-0 text-ember" />
        {title}
      </h2>
      <p className="mt-1.5 text-ink-soft text-sm">{children}</p>
    </li>
  )
}
