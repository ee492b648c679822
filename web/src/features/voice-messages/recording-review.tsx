import { zodResolver } from '@hookform/resolvers/zod'
import { Trash2, Undo2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { soundInputSchema } from '#contract/sounds.ts'
import { AudioPlayer } from '#web/features/media/audio-player.tsx'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
import { useObjectUrl } from '#web/features/media/use-object-url.ts'
import {
  checkMoment,
  dayFromNow,
  isPastMoment,
  personTimeZone,
} from '#web/features/revelations/reveal-moment.ts'
import { autosaveForm, checkInput, type FieldAliases, showRefusal } from '#web/lib/forms.ts'
import { IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import type { LoadedRecording } from './loaded-recording.ts'
import { updateRecording } from './recording-store.ts'
import { discardUpload, useSending } from './send-voice-message.ts'
import { SendingState } from './sending-state.tsx'
import { inputOf, type VoiceMessageDraft, voiceMessageDraftSchema } from './voice-message-draft.ts'
import { VoiceMessageFields } from './voice-message-fields.tsx'

export const NOT_STORED =
  'Cet appareil ne peut pas garder l’enregistrement\u202F: il n’existe que dans cette page. Envoyez-le avant de la quitter.'

interface RecordingReviewProps {
  ownerId: string
  loaded: LoadedRecording
  /** Why the recording ended by itself. */
  note?: string | undefined
  refusalHelp: RefusalHelp
  onShared: () => void
  onDelete: () => void
  onSend?: () => void
  /** The server refuses the file itself: no change of the form would help. */
  onFileRefused?: () => void
}

/** Plays a recording once more, with the form that sends or deletes it. */
export function RecordingReview({
  ownerId,
  loaded,
  note,
  refusalHelp,
  ...on
}: RecordingReviewProps) {
  const { recording, file, isStored } = loaded
  const { onShared, onDelete, onSend, onFileRefused } = on
  const [timeZone] = useState(personTimeZone)
  const [resolver] = useState(() => zodResolver(sendableSchema(timeZone)))
  const formId = useId()
  const form = useForm<VoiceMessageDraft>({
    defaultValues: recording.draft,
    resolver,
    mode: 'onChange',
    shouldFocusError: false,
  })
  useAutosavedDraft(ownerId, recording.id, form)
  const { sending, send, cancel, recordingNow } = useSending({
    ownerId,
    loaded,
    onShared: () => {
      showToast('success', successMessage(form.getValues(), timeZone))
      onShared()
    },
    onRefused: (refusal) => {
      if (refusal.isOfFile) return onFileRefused?.()
      // The fields are still disabled, so none can have the focus.
      showRefusal(form, refusal.error, { fields: FIELDS, aliases: ALIASES, shouldFocus: false })
    },
  })
  const title = useWatch({ control: form.control, name: 'title' })
  const isBusy = !['none', 'cut', 'refused'].includes(sending.phase)
  return (
    <div ref={useInitialFocus()} tabIndex={-1} className="flex flex-col gap-5 pt-3">
      <LeaveGuard
        when={!isStored && (recording.origin === 'recorded' || isBusy)}
        title="Quitter la page&#8239;?"
        description="Cet appareil n’a pas pu garder votre message&#8239;: il sera perdu."
      />
      {note && <Notice tone="warning">{note}</Notice>}
      {!isStored && recording.origin === 'recorded' && <Notice tone="warning">{NOT_STORED}</Notice>}
      <RecordingPlayer loaded={loaded} title={title} />
      <form
        id={formId}
        noValidate
        onSubmit={form.handleSubmit(
          (draft) => {
            onSend?.()
            void send(inputOf(draft, timeZone))
          },
          (errors) => {
            const first = FIELDS.find((name) => errors[name])
            if (first) form.setFocus(first)
          },
        )}
      >
        <fieldset disabled={isBusy} className="min-w-0">
          <VoiceMessageFields form={form} timeZone={timeZone} />
        </fieldset>
      </form>
      <footer className="-mx-5 -mb-5 sticky -bottom-5 z-10 border-line border-t bg-surface px-5 sm:rounded-b-card pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <SendingState
          sending={sending}
          sizeBytes={file.size}
          isStored={isStored}
          isDisabled={title.trim() === ''}
          formId={formId}
          refusalHelp={refusalHelp}
          onCancel={cancel}
        >
          <DeleteButton
            isImported={recording.origin === 'imported'}
            onDelete={() => {
              discardUpload(recordingNow())
              onDelete()
            }}
          />
        </SendingState>
      </footer>
    </div>
  )
}

interface DeleteButtonProps {
  isImported: boolean
  onDelete: () => void
}

function DeleteButton({ isImported, onDelete }: DeleteButtonProps) {
  const [isConfirming, setConfirming] = useState(false)
  const Icon = isImported ? Undo2 : Trash2
  const label = isImported ? 'Choisir un autre fichier' : 'Supprimer l’enregistrement'
  return (
    <>
      <IconButton
        label={label}
        icon={<Icon aria-hidden="true" className="size-5" />}
        className="size-13 border border-line-strong"
        onClick={() => (isImported ? onDelete() : setConfirming(true))}
      />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Supprimer cet enregistrement&#8239;?"
        description="Il n’a pas été envoyé&#8239;: personne ne pourra plus l’écouter."
        confirmLabel="Supprimer"
        onConfirm={onDelete}
      />
    </>
  )
}

/** Moves the focus to the start of the review when it opens. */
function useInitialFocus() {
  const start = useRef<HTMLDivElement>(null)
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  return start
}

function successMessage(draft: VoiceMessageDraft, timeZone: string): string {
  return draft.is_scheduled && !isPastMoment(draft, timeZone)
    ? 'Votre message vocal est scellé jusqu’à sa date.'
    : 'Votre message vocal est partagé.'
}

// In the order of the form: those of a later instant come and go, so that react-hook-form registers them last.
const FIELDS = [
  'title',
  'recipient_id',
  'day',
  'reveal_message',
  'category',
  'description',
] as const
const ALIASES: FieldAliases<VoiceMessageDraft> = {
  reveal_date: 'day',
  time_zone: 'day',
  is_public: 'recipient_id',
}

/** What the contract accepts, with the rule of the page about the day. */
function sendableSchema(timeZone: string) {
  const checkDay = checkMoment(timeZone, () => ({
    firstDay: dayFromNow(0, timeZone),
    tooEarly: 'La date de révélation ne peut pas être dans le passé',
  }))
  const inputWithFile = (draft: VoiceMessageDraft) => ({
    ...inputOf(draft, timeZone),
    file_url: 'known once it is sent',
  })
  return voiceMessageDraftSchema.check(
    checkInput(soundInputSchema, inputWithFile, () => ALIASES),
    (payload) => {
      if (payload.value.is_scheduled) return checkDay(payload)
    },
  )
}

interface RecordingPlayerProps {
  loaded: LoadedRecording
  title: string
}

/** Plays the file with the length measured here: browsers write none in what they record. */
export function RecordingPlayer({ loaded: { file, recording }, title }: RecordingPlayerProps) {
  const url = useObjectUrl(file)
  if (!url) return <div className="h-20" />
  return (
    <AudioPlayer
      title={title.trim() || 'le message'}
      url={url}
      durationSeconds={recording.durationMs > 0 ? recording.durationMs / 1000 : null}
      renew={async () => null}
      failure={<Notice tone="warning">{UNPLAYABLE}</Notice>}
    />
  )
}

const UNPLAYABLE =
  'Votre navigateur ne sait pas lire ce fichier. Vérifiez que c’est bien un enregistrement avant de l’envoyer.'

/** Stores the form with the recording, on this device. */
function useAutosavedDraft(
  ownerId: string,
  id: string,
  form: UseFormReturn<VoiceMessageDraft>,
): void {
  useEffect(
    () =>
      autosaveForm(form, (draft) => {
        // Where the device cannot store it, it stays on the page.
        updateRecording(ownerId, id, { draft }).catch(() => undefined)
      }),
    [ownerId, id, form],
  )
}
