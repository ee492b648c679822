import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react'
import { type RefObject, useId } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { SendingLeaveGuard } from '#web/features/media/leave-guard.tsx'
import { OwnVoicePlayer, ShortRecorder } from '#web/features/media/short-recorder.tsx'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
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
  ref: RefObject<HTMLElement | null>
}

/** Records what plays as the seal breaks, plays it, erases it, and writes down its words. */
export function SealVoiceSection({ form, voice, error, refusalHelp, ref }: SealVoiceSectionProps) {
  const words = fieldProps(form, 'seal_voice_words')
  const { recording, hasVoice } = voice
  const errorId = useId()
  const isUsed = hasVoice || recording.state.phase !== 'idle' || Boolean(error ?? words.error)
  return (
    <FoldedSection
      title="Cinq secondes de votre voix"
      hint="Si vous voulez&#8239;: elles se font entendre quand le sceau se brise."
      isUsed={isUsed}
      ref={ref}
    >
      {hasVoice ? (
        <RecordedVoice voice={voice} refusalHelp={refusalHelp} />
      ) : (
        <ShortRecorder recording={recording} label="Enregistrer votre voix" />
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {(hasVoice || words.error) && (
        <TextField
          label="Ce que dit votre voix"
          optional
          hint="Pour qui ne peut pas l’entendre&#8239;: ces mots s’affichent pendant qu’elle parle."
          autoComplete="off"
          {...words}
        />
      )}
    </FoldedSection>
  )
}

const ICON = { 'aria-hidden': true, className: 'size-5' } as const

interface RecordedVoiceProps {
  voice: SealVoiceControls
  refusalHelp: RefusalHelp
}

function RecordedVoice({ voice, refusalHelp }: RecordedVoiceProps) {
  const { upload, playUrl, durationSeconds, erase, retry, isOnItsWay } = voice
  return (
    <div className="flex flex-col gap-3">
      <SendingLeaveGuard when={isOnItsWay} />
      <OwnVoicePlayer url={playUrl} durationSeconds={durationSeconds} />
      {upload.phase === 'waiting' && (
        <Notice tone="warning" title={upload.sentence}>
          Continuez d’écrire&#8239;: votre voix part dès que le réseau revient.
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
