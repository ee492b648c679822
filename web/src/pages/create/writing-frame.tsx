import {
  ArrowLeft,
  ArrowRight,
  CircleCheck,
  HardDriveDownload,
  LayoutList,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { SaveState } from '#web/features/revelations/drafts/draft-autosave.ts'
import { STEPS, type Step } from '#web/features/revelations/drafts/draft-schema.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { DraftFilesState } from './use-draft-files.ts'

interface WritingFrameProps {
  step: Step
  isFromRecap: boolean
  saveState: SaveState
  files: DraftFilesState
  onBack: () => void
  /** The steps before are one page: this is no fourth of four. */
  isOnePage: boolean
  /** To the whole form on one page. */
  onAll: (() => void) | undefined
  children: ReactNode
}

/** Around each step: where one is, the way back and on, and whether what was written is saved. */
export function WritingFrame({
  step,
  isFromRecap,
  saveState,
  files,
  onBack,
  isOnePage,
  onAll,
  children,
}: WritingFrameProps) {
  return (
    <div className="container-page flex max-w-3xl flex-col gap-6 pt-3 sm:pt-6">
      <div className="flex flex-col gap-2">
        <ViewBar
          onBack={onBack}
          otherView={!isOnePage && onAll && { label: 'Tout voir', icon: LayoutList, onShow: onAll }}
        />
        {!isOnePage && <Progress step={step} />}
      </div>
      {children}
      {step !== 'seal' && (
        <ActionBar>
          <Button type="submit" large>
            {isFromRecap ? 'Revenir au récapitulatif' : 'Continuer'}
            <ArrowRight aria-hidden="true" className="size-5" />
          </Button>
          <SaveStatus saveState={saveState} files={files} />
        </ActionBar>
      )}
    </div>
  )
}

interface ViewBarProps {
  onBack: () => void
  otherView: { label: string; icon: LucideIcon; onShow: () => void } | false | undefined
}

/** Above either view: the way back, and the other way to write the same letter. */
export function ViewBar({ onBack, otherView }: ViewBarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2">
      <Button
        variant="ghost"
        className="-ml-4"
        icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        onClick={onBack}
      >
        Retour
      </Button>
      {otherView && (
        <Button
          variant="ghost"
          className="-mr-4"
          icon={<otherView.icon aria-hidden="true" className="size-5" />}
          onClick={otherView.onShow}
        >
          {otherView.label}
        </Button>
      )}
    </div>
  )
}

const STEP_WORDS: Record<Step, string> = {
  whom: 'Pour qui',
  letter: 'Les mots',
  when: 'Quand',
  seal: 'Le sceau',
}

function Progress({ step }: { step: Step }) {
  const at = STEPS.indexOf(step)
  return (
    <ol aria-label={`Étape ${at + 1} sur ${STEPS.length}`} className="grid grid-cols-4 gap-1.5">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={name === step ? 'step' : undefined}
          className={classNames(
            'border-t-4 pt-1 text-sm leading-tight [overflow-wrap:anywhere]',
            index <= at ? 'border-ink' : 'border-line',
            name === step ? 'font-semibold' : 'text-ink-soft',
          )}
        >
          {STEP_WORDS[name]}
          {index < at && <span className="sr-only">, fait</span>}
        </li>
      ))}
    </ol>
  )
}

interface SaveStatusProps {
  saveState: SaveState
  files: DraftFilesState
}

/** That nothing is lost, or what would be. Its place is always there: the button beside never moves. */
export function SaveStatus({ saveState, files }: SaveStatusProps) {
  const isAtRisk = saveState === 'refused' || files === 'too large'
  const Icon = isAtRisk ? HardDriveDownload : CircleCheck
  return (
    <p
      role="status"
      className={classNames(
        'flex min-h-5 min-w-0 basis-full! items-center gap-1.5 text-sm leading-tight sm:order-first sm:mr-auto sm:basis-auto!',
        isAtRisk ? 'font-medium text-ember-ink' : 'text-ink-soft',
      )}
    >
      {saveState !== 'nothing' && (
        <>
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0">{saveStatusInWords(saveState, files)}</span>
        </>
      )}
    </p>
  )
}

function saveStatusInWords(saveState: SaveState, files: DraftFilesState): string {
  if (saveState === 'refused') {
    return 'Rien ne s’enregistre sur cet appareil\u202F: ne fermez pas cette page.'
  }
  if (files === 'too large') {
    return 'Cet appareil n’a pas la place de garder le fichier\u202F: il faudra le choisir de nouveau si la page se ferme avant la fin.'
  }
  return files === 'stored' ? 'Gardé sur cet appareil, fichiers compris' : 'Gardé sur cet appareil'
}
