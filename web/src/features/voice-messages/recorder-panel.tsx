import { Mic, Pause, Square, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { LevelMeter } from '#web/features/media/level-meter.tsx'
import { RecorderTimer } from '#web/features/media/recorder-timer.tsx'
import { useWakeLock } from '#web/features/uploads/use-wake-lock.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { NOT_STORED } from './recording-review.tsx'
import type { RecorderState } from './use-recorder.ts'

interface RecorderPanelProps {
  state: Exclude<RecorderState, { phase: 'stopped' }>
  isNotStored: boolean
  onStart: () => void
  onPause: () => void
  onResume: () => void
  onStop: () => void
  onDelete: () => void
}

/** The microphone: one large button near the thumb, the seconds, and the level of the voice. */
export function RecorderPanel({ state, isNotStored, ...act }: RecorderPanelProps) {
  const { phase } = state
  const live = 'recorder' in state ? state : undefined
  const isScreenOn = useWakeLock(phase === 'recording')
  return (
    <div className="flex flex-col gap-5 pt-2">
      {phase === 'idle' && state.refusal && <Notice tone="error">{state.refusal}</Notice>}
      {live && isNotStored && <Notice tone="warning">{NOT_STORED}</Notice>}
      <div className="flex min-h-44 flex-col justify-center gap-4">
        <RecorderTimer
          clock={live?.recorder.clock}
          className="text-center font-semibold text-6xl"
        />
        {live ? (
          <LevelMeter stream={live.stream} isActive={phase === 'recording'} />
        ) : (
          <p className="mx-auto flex min-h-20 max-w-80 items-center text-center text-ink-soft">
            {WAITING_TEXTS[phase]}
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
        {live ? (isScreenOn ? SCREEN_STAYS_ON : STAY_ON_PAGE) : STAYS_HERE}
      </p>
      <p role="status" className="sr-only">
        {STATUS_TEXTS[phase]}
      </p>
    </div>
  )
}

const ICON = { 'aria-hidden': true, className: 'size-6' } as const

const STAYS_HERE = 'Rien ne quitte cet appareil avant que vous l’envoyiez.'
const SCREEN_STAYS_ON = 'L’écran reste allumé pendant l’enregistrement.'
const STAY_ON_PAGE = 'Gardez cette page ouverte et votre téléphone actif pendant l’enregistrement.'

type PanelPhase = RecorderPanelProps['state']['phase']

const WAITING_TEXTS: Partial<Record<PanelPhase, string>> = {
  idle: 'Prenez votre temps. Vous pourrez faire des pauses et réécouter avant d’envoyer.',
  requesting: 'Votre navigateur vous demande l’accès au microphone.',
  finishing: 'Un instant…',
}

const STATUS_TEXTS: Partial<Record<PanelPhase, string>> = {
  recording: 'Enregistrement en cours',
  paused: 'Enregistrement en pause',
}

interface MainButtonProps {
  phase: PanelPhase
  onStart: () => void
  onStop: () => void
}

function MainButton({ phase, onStart, onStop }: MainButtonProps) {
  const isLive = phase === 'recording' || phase === 'paused'
  const isWaiting = phase === 'requesting' || phase === 'finishing'
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
