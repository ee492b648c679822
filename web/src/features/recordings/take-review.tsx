import { Trash2, Undo2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import { goToFirstInvalid } from '#web/features/revelations/form-errors.ts'
import { isPastMoment, personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import type { Take } from './kept-recording.ts'
import { NOT_KEPT } from './recorder-words.ts'
import { type Refusal, takeBackUpload } from './send-sound.ts'
import { SendingState, type WayOut } from './sending-state.tsx'
import { draftResolver, fieldOf, type SoundDraft, wordsOf } from './sound-draft.ts'
import { SoundFields } from './sound-fields.tsx'
import { TakePlayer } from './take-player.tsx'
import { useKeptWords } from './use-kept-words.ts'
import { useSoundSending } from './use-sound-sending.ts'

interface TakeReviewProps {
  ownerId: string
  take: Take
  /** How the recording came to its end, where that is not by its own wish. */
  note?: string | undefined
  wayOut: WayOut
  /** The server has it, and this device no longer. */
  onShared: () => void
  onDelete: () => void
  /** It is about to leave. */
  onSend?: () => void
  /** The server will not have this file, whatever is said of it. */
  onFileRefused?: () => void
}

/** A take listened to once more, given a name, and sent; or deleted. */
export function TakeReview({ ownerId, take, note, wayOut, ...on }: TakeReviewProps) {
  const { recording, file, isKept } = take
  const { onShared, onDelete, onSend, onFileRefused } = on
  const timeZone = personTimeZone()
  const formId = useId()
  const form = useForm<SoundDraft>({
    defaultValues: recording.draft,
    resolver: draftResolver(timeZone),
    mode: 'onChange',
  })
  useKeptWords(ownerId, recording.id, form)
  const { sending, send, cancel, recordingNow } = useSoundSending({
    ownerId,
    take,
    onShared: () => {
      showToast('success', thanksFor(form.getValues(), timeZone))
      onShared()
    },
    onRefused: (refusal) => {
      if (refusal.isOfFile) onFileRefused?.()
      else showRefusal(refusal, form.setError)
    },
  })
  const title = useWatch({ control: form.control, name: 'title' })
  const isBusy = !['none', 'cut', 'refused'].includes(sending.phase)
  return (
    <div ref={useFocusOnce()} tabIndex={-1} className="flex flex-col gap-5 pt-3">
      <LeaveGuard
        when={!isKept && (recording.origin === 'recorded' || isBusy)}
        title="Quitter la page&nbsp;?"
        description="Cet appareil n’a pas pu garder votre message&nbsp;: il sera perdu."
      />
      {note && <Notice tone="warning">{note}</Notice>}
      {!isKept && recording.origin === 'recorded' && <Notice tone="warning">{NOT_KEPT}</Notice>}
      <TakePlayer take={take} title={title} />
      <form
        id={formId}
        noValidate
        onSubmit={form.handleSubmit((draft) => {
          onSend?.()
          void send(wordsOf(draft, timeZone))
        }, goToFirstInvalid)}
      >
        <fieldset disabled={isBusy} className="min-w-0">
          <SoundFields form={form} timeZone={timeZone} />
        </fieldset>
      </form>
      <footer className="-mx-5 -mb-5 sticky -bottom-5 z-10 border-line border-t bg-surface px-5 sm:rounded-b-card pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <SendingState
          sending={sending}
          sizeBytes={file.size}
          isKept={isKept}
          isDisabled={title.trim() === ''}
          formId={formId}
          wayOut={wayOut}
          onCancel={cancel}
        >
          <DeleteButton
            isImported={recording.origin === 'imported'}
            onDelete={() => {
              takeBackUpload(recordingNow())
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
  const [isAsking, setAsking] = useState(false)
  const Icon = isImported ? Undo2 : Trash2
  const label = isImported ? 'Choisir un autre fichier' : 'Supprimer l’enregistrement'
  return (
    <>
      <IconButton
        label={label}
        icon={<Icon aria-hidden="true" className="size-5" />}
        className="size-13 border border-line-strong"
        onClick={() => (isImported ? onDelete() : setAsking(true))}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Supprimer cet enregistrement&nbsp;?"
        description="Il n’a pas été envoyé&nbsp;: personne ne pourra plus l’écouter."
        confirmLabel="Supprimer"
        onConfirm={onDelete}
      />
    </>
  )
}

/** What was recorded is looked at next: the focus goes where it begins. */
function useFocusOnce() {
  const start = useRef<HTMLDivElement>(null)
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  return start
}

function thanksFor(draft: SoundDraft, timeZone: string): string {
  return draft.is_scheduled && !isPastMoment(draft, timeZone)
    ? 'Votre message vocal est scellé jusqu’à sa date.'
    : 'Votre message vocal est partagé.'
}

type SetError = (field: keyof SoundDraft, error: { type: string; message: string }) => void

function showRefusal({ fields }: Refusal, setError: SetError): void {
  for (const [name, message] of Object.entries(fields)) {
    const field = fieldOf(name)
    if (field) setError(field, { type: 'server', message })
  }
}
