import { Save } from 'lucide-react'
import { useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { OwnRevelation } from '#contract/revelations.ts'
import { AttachmentSection } from '#web/features/media/attachment-section.tsx'
import {
  attachmentInput,
  type StoredFile,
  useAttachment,
} from '#web/features/media/use-attachment.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import { dayFromNow } from '#web/features/revelations/reveal-moment.ts'
import {
  draftOf,
  draftResolver,
  fileError,
  goToFirstInvalid,
  inputOf,
  isSameAddress,
  type RevelationDraft,
  showFieldErrors,
} from '#web/features/revelations/revelation-draft.ts'
import { RevelationFields } from '#web/features/revelations/revelation-fields.tsx'
import {
  notifyAddressee,
  useEditRevelation,
} from '#web/features/revelations/revelations.queries.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'

export function EditForm({ revelation }: { revelation: OwnRevelation }) {
  const { id, time_zone: timeZone, reveal_date } = revelation
  const navigate = useNavigate()
  const firstDay = dayFromNow(1, timeZone)
  const form = useForm<RevelationDraft>({
    resolver: draftResolver(timeZone, {
      firstDay,
      tooEarly: 'La date de révélation doit être au plus tôt demain',
      storedInstant: reveal_date,
    }),
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: draftOf(revelation),
  })
  const room = useStorageHint()
  const attachment = useAttachment(storedFileOf(revelation))
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  const fileSection = useRef<HTMLDivElement>(null)
  const { mutate: save, isPending, error } = useEditRevelation(id)
  const [refusedFile, setRefusedFile] = useState<string>()
  const hasNewAddressee = useNewAddressee(form)
  // A surprise stays one, unless its author says otherwise.
  const [notifiesNow, setNotifiesNow] = useState(revelation.delivery.notified_at !== null)

  const submit = (draft: RevelationDraft) => {
    setRefusedFile(undefined)
    if (attachment.problem || attachment.isOnItsWay) return fileSection.current?.focus()
    save(
      { ...inputOf(draft, timeZone), ...attachmentInput(attachment) },
      {
        onSuccess: () => {
          attachment.complete()
          if (hasNewAddressee && notifiesNow) void notifyAddressee(id)
          showToast('success', 'Modifications enregistrées')
          navigate(paths.home)
        },
        onError: async (failure) => {
          setRefusedFile(fileError(failure))
          showFieldErrors(failure, form)
          // Nothing refers to the new file, which must not stay on the server.
          await attachment.reject('Failed to update revelation')
        },
      },
    )
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={form.handleSubmit(submit, goToFirstInvalid)}
    >
      {!('file' in attachment.upload) && <WaitingUploads onResume={attachment.resume} />}
      <RevelationFields
        form={form}
        timeZone={timeZone}
        firstDay={firstDay}
        file={
          <div ref={fileSection} tabIndex={-1}>
            <AttachmentSection
              attachment={attachment}
              audience={VISIBILITY_HINTS[visibility].teaser}
              error={refusedFile ?? (form.formState.isSubmitted ? attachment.problem : undefined)}
              room={room}
              refusalHelp={limitHelp}
            />
          </div>
        }
      >
        {hasNewAddressee && (
          <Checkbox
            label="Prévenir le nouveau destinataire dès maintenant"
            hint="Un mail lui annonce qu’une lettre l’attend et quand elle s’ouvrira, sans rien en dire. Décochez pour garder la surprise."
            checked={notifiesNow}
            onChange={(event) => setNotifiesNow(event.target.checked)}
          />
        )}
      </RevelationFields>
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Une erreur est survenue lors de la mise à jour de la révélation')}
        </Notice>
      )}
      <ActionBar>
        <ButtonLink
          variant="secondary"
          large
          to={paths.home}
          onClick={attachment.remove}
          className="max-sm:flex-none! max-sm:text-base!"
        >
          Annuler
        </ButtonLink>
        <Button
          type="submit"
          large
          className="max-sm:text-base!"
          busy={isPending}
          busyLabel="Enregistrement"
          disabled={attachment.isOnItsWay}
          icon={<Save aria-hidden="true" className="hidden size-5 shrink-0 sm:block" />}
        >
          Enregistrer les modifications
        </Button>
      </ActionBar>
    </form>
  )
}

function storedFileOf(revelation: OwnRevelation): StoredFile | undefined {
  const { file_type, file_url, file_name, file_size, duration, video_edit_url } = revelation
  const { teaser_start, teaser_end } = revelation
  if (!file_type || !file_url) return undefined
  const hasTeaser = teaser_start !== null && teaser_end !== null
  return {
    kind: file_type,
    url: file_url,
    previewUrl: video_edit_url ?? file_url,
    name: file_name ?? 'Fichier',
    sizeBytes: file_size ?? 0,
    duration,
    teaser: hasTeaser ? { start: teaser_start, end: teaser_end } : null,
  }
}

/** Whether an address is new to the letter. */
function useNewAddressee({ control, formState }: UseFormReturn<RevelationDraft>): boolean {
  const written = useWatch({ control, name: ['target_email', 'second_email'] })
  const { target_email = '', second_email = '' } = formState.defaultValues ?? {}
  return written.some(
    (address) =>
      address.trim() !== '' &&
      ![target_email, second_email].some((known) => isSameAddress(address, known)),
  )
}
