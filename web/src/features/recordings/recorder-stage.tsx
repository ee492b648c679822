import { Mic, Pause, Square, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useWakeLock } from '#web/features/uploads/use-wake-lock.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { LevelMeter } from './level-meter.tsx'
import { RecorderTimer } from './recorder-timer.tsx'
import { NOT_KEPT } from './recorder-words.ts'
import type { RecorderState } from './use-recorder.ts'

interface RecorderStageProps {
  state: Exclude<RecorderState, { phase: 'stopped' }>
  isRefusedByDevice: boolean
  onStart: () => void
  onPause: () => void
  onResume: () => void
  onStop: () => void
  onDelete: () => void
}

/** The microphone at night: one large button near the thumb, the seconds, and the voice as it is heard. */
export function RecorderStage({ state, isRefusedByDevice, ...act }: RecorderStageProps) {
  const { phase } = state
  const live = 'recorder' in state ? state : undefined
  const isScreenKept = useWakeLock(phase === 'recording')
  return (
    <div className="flex flex-col gap-5 pt-2">
      {phase === 'idle' && state.refusal && <Notice tone="error">{state.refusal}</Notice>}
      {live && isRefusedByDevice && <Notice tone="warning">{NOT_KEPT}</Notice>}
      <div className="flex min-h-44 flex-col justify-center gap-4">
        <RecorderTimer clock={live?.recorder.clock} />
        {live ? (
          <LevelMeter stream={live.stream} isActive={phase === 'recording'} />
        ) : (
          <p className="mx-auto flex min-h-20 max-w-80 items-center text-center text-ink-soft">
            {WAITING_WORDS[phase]}
          </p>
        )}
      </div>
      <div className="grid grid-cols-3 items-start justify-items-center pb-1">
        {live ? (
          <SideButton
            label={phase === 'paused' ? 'Reprendre' : 'Pause'}
            icon={phase === 'paused' ? <Mic {...ICON} /> : <Pause {...ICON} />}
            onClick={phase === 'paused' ? act.onResume : act.onPause}
          />
        ) : (
          <span />
        )}
        <MainButton phase={phase} onStart={act.onStart} onStop={act.onStop} />
        {live && (
          <SideButton label="Supprimer" icon={<Trash2 {...ICON} />} onClick={act.onDelete} />
        )}
      </div>
      <p className="min-h-10 text-center text-ink-soft text-sm">
        {live ? (isScreenKept ? SCREEN_KEPT : KEEP_AWAKE) : STAYS_HERE}
      </p>
      <p role="status" className="sr-only">
        {STATUS_WORDS[phase]}
      </p>
    </div>
  )
}

const ICON = { 'aria-hidden': true, className: 'size-6' } as const

const STAYS_HERE = 'Rien ne quitte cet appareil avant que vous l’envoyiez.'
const SCREEN_KEPT = 'L’écran reste allumé pendant l’enregistrement.'
const KEEP_AWAKE = 'Gardez cette page ouverte et votre téléphone actif pendant l’enregistrement.'

type StagePhase = RecorderStageProps['state']['phase']

const WAITING_WORDS: Partial<Record<StagePhase, string>> = {
  idle: 'Prenez votre temps. Vous pourrez faire des pauses et réécouter avant d’envoyer.',
  asking: 'Votre navigateur vous demande l’accès au microphone.',
  finishing: 'Un instant…',
}

const STATUS_WORDS: Partial<Record<StagePhase, string>> = {
  recording: 'Enregistrement en cours',
  paused: 'Enregistrement en pause',
}

interface MainButtonProps {
  phase: StagePhase
  onStart: () => void
  onStop: () => void
}

function MainButton({ phase, onStart, onStop }: MainButtonProps) {
  const isLive = phase === 'recording' || phase === 'paused'
  const isWaiting = phase === 'asking' || phase === 'finishing'
  return (
    <RoundButton
      label={isLive ? 'Terminer' : 'Enregistrer'}
      // Not `disabled`, which would take the focus away.
      aria-disabled={isWaiting || undefined}
      onClick={() => !isWaiting && (isLive ? onStop() : onStart())}
      className={classNames(
        'size-22 bg-wax text-on-wax shadow-soft ring-4 ring-wax/35 hover:bg-wax-hover',
        phase === 'recording' && 'recording-halo',
      )}
    >
      {isWaiting && <Spinner />}
      {isLive && <Square aria-hidden="true" className="size-8 fill-current" />}
      {phase === 'idle' && <Mic aria-hidden="true" className="size-10" />}
    </RoundButton>
  )
}

interface SideButtonProps {
  label: string
  icon: ReactNode
  onClick: () => void
}

function SideButton({ label, icon, onClick }: SideButtonProps) {
  return (
    <RoundButton
      label={label}
      onClick={onClick}
      className="mt-4 size-14 border border-line-strong bg-sunken text-ink hover:bg-line"
    >
      {icon}
    </RoundButton>
  )
}

interface RoundButtonProps extends ComponentProps<'button'> {
  label: string
}

function RoundButton({ label, className, children, ...button }: RoundButtonProps) {
  return (
    <button
      {...button}
      type="button"
      className="group flex flex-col items-center gap-2 rounded-field px-2 font-semibold text-sm"
    >
      <span
        className={classNames(
          'inline-flex items-center justify-center rounded-full transition-colors',
          className,
        )}
      >
        {children}
      </span>
      {label}
    </button>
  )
}
