import { Mic, Pause, Square, Trash2 } from 'lucide-react'
import { useWakeLock } from '#web/features/uploads/use-wake-lock.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AudioPlayer } from './audio-player.tsx'
import { LevelMeter } from './level-meter.tsx'
import { RecorderTimer } from './recorder-timer.tsx'
import type { ShortRecordingControls } from './use-short-recording.ts'

const ICON = { 'aria-hidden': true, className: 'size-5' } as const

interface ShortRecorderProps {
  recording: ShortRecordingControls
  /** What the button that begins it says. */
  label: string
  /** Long enough to pause, and to be given up before its end. */
  hasPause?: boolean
}

/** Records a short voice in its place on the page. */
export function ShortRecorder({ recording, label, hasPause = false }: ShortRecorderProps) {
  const { state, longestSeconds, record } = recording
  useWakeLock(state.phase === 'recording')
  if ('recorder' in state) return <Recording {...{ recording, state, hasPause }} />
  const { phase } = state
  return (
    <div className="flex flex-col gap-3">
      {phase === 'idle' && state.refusal && <Notice tone="error">{state.refusal}</Notice>}
      <Button
        variant="secondary"
        className="self-start"
        busy={phase === 'requesting'}
        busyLabel="Votre navigateur vous demande l’accès au microphone"
        icon={<Mic {...ICON} />}
        onClick={record}
      >
        {label}
      </Button>
      <p className="text-ink-soft text-sm">
        L’enregistrement s’arrête de lui-même après {lengthInWords(longestSeconds)}.
      </p>
    </div>
  )
}

interface RecordingProps {
  recording: ShortRecordingControls
  state: Extract<ShortRecordingControls['state'], { recorder: unknown }>
  hasPause: boolean
}

function Recording({ recording, state, hasPause }: RecordingProps) {
  const { phase, recorder, stream } = state
  const isPaused = phase === 'paused'
  return (
    <div className="flex flex-col gap-3">
      <LevelMeter stream={stream} isActive={!isPaused} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex flex-wrap gap-2">
          <Button icon={<Square {...ICON} />} onClick={recording.stop}>
            Terminer
          </Button>
          {hasPause && (
            <>
              <Button
                variant="secondary"
                icon={isPaused ? <Mic {...ICON} /> : <Pause {...ICON} />}
                onClick={isPaused ? recording.resume : recording.pause}
              >
                {isPaused ? 'Reprendre' : 'Pause'}
              </Button>
              <Button variant="ghost" icon={<Trash2 {...ICON} />} onClick={recording.discard}>
                Effacer
              </Button>
            </>
          )}
        </div>
        <RecorderTimer clock={recorder.clock} className="ml-auto font-semibold text-2xl" />
      </div>
      <p role="status" className="sr-only">
        {isPaused ? 'Enregistrement en pause' : 'Enregistrement en cours'}
      </p>
    </div>
  )
}

/** « 5 secondes », « 3 minutes ». */
function lengthInWords(seconds: number): string {
  return seconds < 60 ? `${seconds}\u00A0secondes` : `${Math.round(seconds / 60)}\u00A0minutes`
}

interface OwnVoicePlayerProps {
  /** Under which this page can play it; undefined for a moment, too. */
  url: string | undefined
  durationSeconds: number | null
}

/** What was recorded here, to be heard before it leaves. */
export function OwnVoicePlayer({ url, durationSeconds }: OwnVoicePlayerProps) {
  if (!url) return <div className="h-20" />
  return (
    <AudioPlayer
      title="votre voix"
      url={url}
      durationSeconds={durationSeconds}
      renew={async () => null}
    />
  )
}
