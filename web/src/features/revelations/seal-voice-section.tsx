import { CircleCheck, Mic, RotateCcw, Square, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { SEAL_VOICE_SECONDS } from '#contract/sealing.ts'
import type { RefusalHelp } from '#web/features/media/attachment-section.tsx'
import { AudioPlayer } from '#web/features/media/audio-player.tsx'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import { LevelMeter } from '#web/features/media/level-meter.tsx'
import { RecorderTimer } from '#web/features/media/recorder-timer.tsx'
import { fieldProps } from '#web/lib/forms.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FoldedSection } from './form-section.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import type { SealVoiceControls } from './use-seal-voice.ts'

interface SealVoiceSectionProps {
  form: UseFormReturn<RevelationDraft>
  voice: SealVoiceControls
  /** The error of the form about the voice. */
  error: string | undefined
  refusalHelp: RefusalHelp
  ref: RefObject<HTMLDetailsElement | null>
}

/** Records what plays as the seal breaks, plays it, erases it, and writes down its words. */
export function SealVoiceSection({ form, voice, error, refusalHelp, ref }: SealVoiceSectionProps) {
  const words = fieldProps(form, 'seal_voice_words')
  const { recording, hasVoice } = voice
  const errorId = useId()
  useFocusAfter(ref, `${hasVoice} ${recording.phase}`)
  const isUsed = hasVoice || recording.phase !== 'idle' || Boolean(error ?? words.error)
  return (
    <FoldedSection
      title="Cinq secondes de votre voix"
      hint="Si vous voulez&nbsp;: elles se font entendre quand le sceau se brise."
      isUsed={isUsed}
      ref={ref}
    >
      {hasVoice ? (
        <RecordedVoice voice={voice} refusalHelp={refusalHelp} />
      ) : (
        <Recorder voice={voice} />
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {(hasVoice || words.error) && (
        <TextField
          label="Ce que dit votre voix"
          optional
          hint="Pour qui ne peut pas l’entendre&nbsp;: ces mots s’affichent pendant qu’elle parle."
          autoComplete="off"
          {...words}
        />
      )}
    </FoldedSection>
  )
}

/** The button under the finger goes with the step that it ended: the focus stays in this part of the page. */
function useFocusAfter(part: RefObject<HTMLElement | null>, step: string): void {
  const last = useRef(step)
  useEffect(() => {
    const isAnother = last.current !== step
    last.current = step
    if (isAnother && document.activeElement === document.body) {
      part.current?.focus({ preventScroll: true })
    }
  }, [part, step])
}

const ICON = { 'aria-hidden': true, className: 'size-5' } as const

function Recorder({ voice: { recording, record, stop } }: { voice: SealVoiceControls }) {
  const { phase } = recording
  if (phase === 'recording') {
    return (
      <div className="flex flex-col gap-3">
        <LevelMeter stream={recording.stream} isActive />
        <div className="flex items-center justify-between gap-4">
          <Button icon={<Square {...ICON} />} onClick={stop}>
            Terminer
          </Button>
          <RecorderTimer clock={recording.recorder.clock} className="font-semibold text-2xl" />
        </div>
        <p role="status" className="sr-only">
          Enregistrement en cours
        </p>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      {phase === 'idle' && recording.refusal && <Notice tone="error">{recording.refusal}</Notice>}
      <Button
        variant="secondary"
        className="self-start"
        busy={phase === 'requesting'}
        busyLabel="Votre navigateur vous demande l’accès au microphone"
        icon={<Mic {...ICON} />}
        onClick={record}
      >
        Enregistrer votre voix
      </Button>
      <p className="text-ink-soft text-sm">
        L’enregistrement s’arrête de lui-même après {SEAL_VOICE_SECONDS}&nbsp;secondes.
      </p>
    </div>
  )
}

interface RecordedVoiceProps {
  voice: SealVoiceControls
  refusalHelp: RefusalHelp
}

function RecordedVoice({ voice, refusalHelp }: RecordedVoiceProps) {
  const { upload, playUrl, durationSeconds, erase, retry, isOnItsWay } = voice
  return (
    <div className="flex flex-col gap-3">
      <LeaveGuard
        when={isOnItsWay}
        title="Quitter la page&nbsp;?"
        description="L’envoi de votre voix s’arrête&nbsp;: vous pourrez le reprendre plus tard. Votre texte est gardé sur cet appareil."
      />
      {playUrl ? (
        <AudioPlayer
          title="votre voix"
          url={playUrl}
          durationSeconds={durationSeconds}
          renew={async () => null}
        />
      ) : (
        <div className="h-20" />
      )}
      {upload.phase === 'waiting' && (
        <Notice tone="warning" title={upload.sentence}>
          Continuez d’écrire&nbsp;: votre voix part dès que le réseau revient.
        </Notice>
      )}
      {upload.phase === 'failed' && (
        <Notice
          tone="error"
          title={upload.error}
          action={
            <div className="flex flex-wrap gap-2">
              {upload.mayRetry && (
                <Button icon={<RotateCcw {...ICON} />} onClick={retry}>
                  Réessayer
                </Button>
              )}
              {refusalHelp(upload.code)}
            </div>
          }
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button variant="secondary" icon={<Trash2 {...ICON} />} onClick={erase}>
          Effacer cette voix
        </Button>
        <p role="status" className="flex items-center gap-2 font-semibold text-leaf-ink">
          {isOnItsWay && <span className="text-ink-soft">Votre voix part…</span>}
          {upload.phase === 'sent' && (
            <>
              <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
              Elle est arrivée
            </>
          )}
        </p>
      </div>
    </div>
  )
}
