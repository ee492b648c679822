import { ScrollText } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import { type Revelation, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { CONTENT_MAX_LENGTH, TITLE_MAX_LENGTH } from '#contract/sealing.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { AttachmentSection } from '#web/features/media/attachment-section.tsx'
import { attachmentInput, useAttachment } from '#web/features/media/use-attachment.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import {
  storedDeferredSeal,
  useFirstDraft,
  useSavedDraft,
} from '#web/features/revelations/draft-storage.ts'
import {
  dayFromNow,
  isPastMoment,
  personTimeZone,
} from '#web/features/revelations/reveal-moment.ts'
import {
  draftResolver,
  emptyDraft,
  fileError,
  firstInvalidOf,
  goToFirstInvalid,
  inputOf,
  type RevelationDraft,
  showFieldErrors,
} from '#web/features/revelations/revelation-draft.ts'
import { RevelationFields } from '#web/features/revelations/revelation-fields.tsx'
import { notifyAddressee } from '#web/features/revelations/revelations.queries.ts'
import { useSealing } from '#web/features/revelations/use-sealing.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { isPlanRefusal, limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { claimShared, type Shared } from '#web/features/uploads/shared-store.ts'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { OfflineNotice, OwnLimits, RestoredNotice, SharedNotice } from './create-notices.tsx'
import { RecapDialog } from './recap-dialog.tsx'
import { useDeferredSeal, useStoredDeferredSeal } from './use-deferred-seal.ts'

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
  const eraseDraft = useSavedDraft(user.id, form)
  const room = useStorageHint()
  const attachment = useAttachment()
  const shared = useShared(form, attachment.choose)
  const voices = useVoiceUploads(user.id)
  const formElement = useRef<HTMLFormElement>(null)
  const fileSection = useRef<HTMLDivElement>(null)
  const deferred = useStoredDeferredSeal(user.id)
  const [notifiesNow, setNotifiesNow] = useState(deferred?.notifiesNow ?? true)
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
      eraseDraft()
      storedDeferredSeal.erase(user.id)
      attachment.complete()
      if (notifiesNow) void notifyAddressee(revelation.id)
      showToast('success', wasLost ? WAS_SEALED_ALREADY : 'Révélation scellée')
      navigate(paths.revelation(revelation.id))
    },
    onRefused: (error) => {
      storedDeferredSeal.erase(user.id)
      const fileRefusal = fileError(error)
      setRefusedFile(fileRefusal)
      setOverPlan(error instanceof ApiError && isPlanRefusal(error.code))
      if (showFieldErrors(error, form) || fileRefusal) setRecapOpen(false)
    },
  })
  const sealNow = () => {
    // Stored in case the page is closed before the answer: it says whether the recipient is notified.
    storedDeferredSeal.write(user.id, { notifiesNow })
    void seal({ ...inputOf(draft, timeZone), ...attachmentInput(attachment) })
  }
  const network = useDeferredSeal({
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
      data-autosaved=""
      className="flex min-w-0 flex-col gap-6"
      onSubmit={form.handleSubmit(review, goToFirstInvalid)}
    >
      <OwnLimits />
      {first.isRestored && (
        <RestoredNotice
          wasToBeSealed={deferred !== undefined}
          hasPassed={first.draft.day !== '' && isPastMoment(first.draft, timeZone)}
          onStartAgain={() => {
            storedDeferredSeal.erase(user.id)
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

/** The visibility that the link to this page names; a stored draft has its own. */
function useWantedVisibility(): Visibility | undefined {
  const [params] = useSearchParams()
  const wanted = params.get('visibilite')
  return VISIBILITIES.find((visibility) => visibility === wanted)
}

/** Adds what another app shared to the letter, replacing nothing. Answers how many files there were, once something was shared. */
function useShared(
  form: UseFormReturn<RevelationDraft>,
  choose: (file: File) => void,
): { fileCount: number } | undefined {
  const [received, setReceived] = useState<{ fileCount: number }>()
  const receive = useEffectEvent(({ title, text, files }: Shared) => {
    const [file] = files
    const before = form.getValues()
    const isTitleFree = before.title.trim() === ''
    // Where the title is taken, the shared one goes into the text.
    const words = isTitleFree ? text : [title, text].filter(Boolean).join('\n')
    if (isTitleFree && title) write('title', title.slice(0, TITLE_MAX_LENGTH))
    if (words) {
      const content = [before.content.trimEnd(), words].filter(Boolean).join('\n\n')
      write('content', content.slice(0, CONTENT_MAX_LENGTH))
    }
    if (file) choose(file)
    setReceived({ fileCount: files.length })
  })
  const write = (name: 'title' | 'content', value: string) =>
    form.setValue(name, value, { shouldDirty: true })
  useEffect(() => {
    claimShared().then(
      (shared) => shared && receive(shared),
      () => undefined,
    )
  }, [])
  return received
}
