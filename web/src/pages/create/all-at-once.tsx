import {
  Film,
  HardDrive,
  ListOrdered,
  LockKeyhole,
  type LucideIcon,
  ScrollText,
} from 'lucide-react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { isPastMoment } from '#web/features/revelations/reveal-moment.ts'
import { draftFor } from '#web/features/revelations/revelation-draft.ts'
import { RevelationForm } from '#web/features/revelations/revelation-form.tsx'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { PlanStationery } from '#web/features/subscriptions/plan-stationery.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { useOnline } from '#web/lib/online.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { OwnLimits, SharedNotice } from './create-notices.tsx'
import { DraftsList } from './drafts-list.tsx'
import { type CreatePlace, useGoBack } from './use-create-place.ts'
import type { Writing } from './use-writing.ts'
import { SaveStatus, ViewBar } from './writing-frame.tsx'

interface AllAtOnceProps {
  writing: Writing
  place: CreatePlace
  /** With everything that a letter needs. */
  onReview: () => void
}

/** « Tout voir »: everything of a letter on one page. */
export function AllAtOnce(props: AllAtOnceProps) {
  const { writing, place } = props
  return (
    <div className="container-page pt-4 sm:pt-8">
      <ViewBar
        onBack={useGoBack()}
        otherView={{
          label: 'Pas à pas',
          icon: ListOrdered,
          onShow: () => place.switchView(writing.id, writing.autosave.now().step),
        }}
      />
      <PageHeading documentTitle="Créer une révélation" className="mt-2">
        Créer une prédiction ou programmer une livraison
      </PageHeading>
      <p className="mt-3 max-w-reading text-ink-soft text-lg">
        Écrivez, joignez ce que vous voulez, choisissez le jour. Puis posez le sceau.
      </p>
      <div className="mt-7 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <WholeForm {...props} />
        <InfoCards />
      </div>
    </div>
  )
}

function WholeForm({ writing, place, onReview }: AllAtOnceProps) {
  const { id: userId } = useSignedInUser()
  const isOnline = useOnline()
  const { form, state, autosave } = writing
  return (
    <RevelationForm
      state={state}
      isAutosaved
      kindAs="cards"
      onSubmit={onReview}
      otherUploads={useVoiceUploads(userId)}
      stationery={<PlanStationery form={form} />}
      room={useStorageHint()}
      refusalHelp={limitHelp}
      notifyLabel={writing.notifyLabel}
      phraseDetails={writing.phraseDetails}
      notices={
        <>
          <OwnLimits />
          <Restored writing={writing} />
          <DraftsList openId={writing.id} onResume={place.resume} />
          {writing.shared && <SharedNotice {...writing.shared} />}
          {!isOnline && <OfflineNotice />}
        </>
      }
    >
      <ActionBar>
        <Button type="submit" large icon={<ScrollText aria-hidden="true" className="size-5" />}>
          Relire avant de sceller
        </Button>
        <SaveStatus saveState={autosave.saveState} files={writing.filesState} />
      </ActionBar>
    </RevelationForm>
  )
}

/** What was begun is back, until its author goes on. */
function Restored({ writing }: { writing: Writing }) {
  const { email } = useSignedInUser()
  const { form, state, autosave, opened, timeZone, isJustRestored, setJustRestored } = writing
  if (!isJustRestored) return null
  return (
    <RestoredNotice
      wasToBeSealed={opened.wantsSealing}
      hasPassed={opened.values.day !== '' && isPastMoment(opened.values, timeZone)}
      onContinue={() => setJustRestored(false)}
      onStartAgain={() => {
        setJustRestored(false)
        autosave.update({
          ...{ wantsSealing: false, key: null, suggestedTitle: '', step: 'whom' },
          ...{ saidTime: '', birthDay: null },
        })
        state.album.clear()
        state.voice.erase()
        form.reset(draftFor(timeZone, NO_WISH, email))
      }}
    />
  )
}

const NO_WISH = { kind: undefined, visibility: undefined, addressee: undefined }

interface RestoredNoticeProps {
  /** Its author wanted it sealed when the network was back. */
  wasToBeSealed: boolean
  /** Its reveal date has passed. */
  hasPassed: boolean
  onContinue: () => void
  onStartAgain: () => void
}

/** The stored draft was restored; an unfinished upload is offered beside. */
function RestoredNotice({
  wasToBeSealed,
  hasPassed,
  onContinue,
  onStartAgain,
}: RestoredNoticeProps) {
  return (
    <Notice
      tone={wasToBeSealed ? 'warning' : 'info'}
      title={wasToBeSealed ? 'Votre lettre n’est pas encore scellée' : 'Votre brouillon est revenu'}
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={onContinue}>
            Continuer
          </Button>
          <Button variant="ghost" onClick={onStartAgain}>
            Repartir de zéro
          </Button>
        </div>
      }
    >
      {wasToBeSealed
        ? 'La page a été fermée avant le retour du réseau. Rien n’est perdu\u202F: relisez la lettre, puis scellez-la.'
        : 'Le texte et les choix sont ceux de la dernière fois.'}
      {hasPassed && ' La date choisie est passée depuis\u202F: choisissez-en une autre.'}
    </Notice>
  )
}

function OfflineNotice() {
  return (
    <Notice tone="warning" title="Vous êtes hors ligne">
      {isStorageTemporary()
        ? 'Écrivez sans fermer cette page\u202F: ce navigateur n’enregistre rien.'
        : 'Écrivez\u202F: tout est gardé sur cet appareil.'}{' '}
      La lettre pourra être scellée dès que le réseau sera revenu.
    </Notice>
  )
}

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
