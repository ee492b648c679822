import { ScrollText } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { AttachmentSection } from '#web/features/media/attachment-section.tsx'
import { attachmentInput, useAttachment } from '#web/features/media/use-attachment.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import {
  fileError,
  firstInvalidOf,
  goToFirstInvalid,
  showFieldErrors,
} from '#web/features/revelations/form-errors.ts'
import {
  dayFromNow,
  isPastMoment,
  personTimeZone,
} from '#web/features/revelations/reveal-moment.ts'
import {
  draftResolver,
  emptyDraft,
  inputOf,
  type RevelationDraft,
} from '#web/features/revelations/revelation-draft.ts'
import { RevelationFields } from '#web/features/revelations/revelation-fields.tsx'
import { notifyAddressee } from '#web/features/revelations/revelations.queries.ts'
import { storedWish } from '#web/features/revelations/stored-wish.ts'
import { useSealing } from '#web/features/revelations/use-sealing.ts'
import { useFirstDraft, useKeptDraft } from '#web/features/revelations/use-stored-draft.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-words.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { isPlanRefusal, limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { OfflineNotice } from './network-notices.tsx'
import { OwnRoom } from './own-room.tsx'
import { RecapDialog } from './recap-dialog.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import { SharedNotice } from './shared-notice.tsx'
import { useShared } from './use-shared.ts'
import { useFormerWish, useWaitingSeal } from './use-waiting-seal.ts'
import { useWantedVisibility } from './use-wanted-visibility.ts'

export function CreateForm() {
  const user = useSignedInUser()
  const navigate = useNavigate()
  const [timeZone] = useState(personTimeZone)
  const firstDay = dayFromNow(0, timeZone)
  const wanted = useWantedVisibility()
  const blank = () => emptyDraft(timeZone, wanted)
  const first = useFirstDraft(user.id, blank)
  const form = useForm<RevelationDraft>({
    resolver: draftResolver(timeZone, { firstDay, tooEarly: TOO_EARLY }),
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: first.draft,
  })
  const forgetDraft = useKeptDraft(user.id, form)
  const room = useStorageHint()
  const attachment = useAttachment()
  const shared = useShared(form, attachment.choose)
  const voices = useVoiceUploads(user.id)
  const formElement = useRef<HTMLFormElement>(null)
  const fileSection = useRef<HTMLDivElement>(null)
  const wish = useFormerWish(user.id)
  const [notifiesNow, setNotifiesNow] = useState(wish?.notifiesNow ?? true)
  const [isRecapOpen, setRecapOpen] = useState(false)
  const [refusedFile, setRefusedFile] = useState<string>()
  const [isOverPlan, setOverPlan] = useState(false)
  const [hasPassed, setPassed] = useState(false)
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  const draft = form.getValues()

  const { seal, isSealing, failure, clearFailure } = useSealing({
    userId: user.id,
    first: first.draft,
    onSealed: (revelation: Revelation, wasLost) => {
      forgetDraft()
      storedWish.erase(user.id)
      attachment.complete()
      if (notifiesNow) void notifyAddressee(revelation.id)
      showToast('success', wasLost ? WAS_SEALED_ALREADY : 'Révélation scellée')
      navigate(paths.revelation(revelation.id))
    },
    onRefused: (error) => {
      storedWish.erase(user.id)
      const said = fileError(error)
      setRefusedFile(said)
      setOverPlan(error instanceof ApiError && isPlanRefusal(error.code))
      if (showFieldErrors(error, form) || said) setRecapOpen(false)
    },
  })
  const sealNow = () => {
    // Should the page be closed before the answer, whether the addressee is told is remembered too.
    storedWish.keep(user.id, { notifiesNow })
    void seal({ ...inputOf(draft, timeZone), ...attachmentInput(attachment) })
  }
  const network = useWaitingSeal({
    userId: user.id,
    notifiesNow,
    isReady: isRecapOpen && !attachment.isOnItsWay && attachment.problem === undefined,
    isPast: () => isPastMoment(draft, timeZone),
    onNetworkBack: async (isPastNow) => {
      setPassed(isPastNow)
      if (!(await form.trigger())) closeRecap()
      else if (!isPastNow) sealNow()
    },
  })
  const closeRecap = () => {
    network.stop()
    setRecapOpen(false)
  }
  const review = () => {
    setRefusedFile(undefined)
    setPassed(false)
    clearFailure()
    if (attachment.problem) fileSection.current?.focus()
    else setRecapOpen(true)
  }

  return (
    <form
      ref={formElement}
      noValidate
      data-kept=""
      className="flex min-w-0 flex-col gap-6"
      onSubmit={form.handleSubmit(review, goToFirstInvalid)}
    >
      <OwnRoom />
      {first.isRestored && (
        <RestoredNotice
          wasToBeSealed={wish !== undefined}
          hasPassed={first.draft.day !== '' && isPastMoment(first.draft, timeZone)}
          onStartAgain={() => {
            storedWish.erase(user.id)
            form.reset(blank())
          }}
        />
      )}
      {shared && <SharedNotice {...shared} />}
      {!network.isOnline && <OfflineNotice />}
      {!attachment.kind && (
        <WaitingUploads
          except={voices}
          onResume={(file, before) => {
            attachment.resume(file, before)
            fileSection.current?.focus()
          }}
        />
      )}
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
        <Checkbox
          label="Prévenir le destinataire dès maintenant"
          hint="Un mail lui annonce qu’une lettre l’attend et quand elle s’ouvrira, sans rien en dire. Décochez pour garder la surprise."
          checked={notifiesNow}
          onChange={(event) => setNotifiesNow(event.target.checked)}
        />
      </RevelationFields>
      <ActionBar>
        <Button type="submit" large icon={<ScrollText aria-hidden="true" className="size-5" />}>
          Relire avant de sceller
        </Button>
      </ActionBar>
      <RecapDialog
        open={isRecapOpen}
        onOpenChange={(isOpen) => (isOpen ? setRecapOpen(true) : closeRecap())}
        draft={draft}
        timeZone={timeZone}
        attachment={attachment}
        notifiesNow={notifiesNow}
        isSealing={isSealing}
        failure={failure}
        isPlanRefusal={isOverPlan}
        returnTo={() => firstInvalidOf(formElement.current)}
        onSeal={sealNow}
        network={network}
        hasPassed={hasPassed}
      />
    </form>
  )
}

const TOO_EARLY = 'La date de révélation ne peut pas être dans le passé'
const WAS_SEALED_ALREADY =
  'Elle était déjà scellée\u00A0: la réponse du site s’était perdue en route.'
