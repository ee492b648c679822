import { ScrollText } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { KINDS } from '#contract/kinds.ts'
import { type Revelation, VISIBILITIES } from '#contract/revelations.ts'
import { CONTENT_MAX_LENGTH, TITLE_MAX_LENGTH } from '#contract/sealing.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import {
  storedDeferredSeal,
  useAsideDrafts,
  useFirstDraft,
  useSavedDraft,
} from '#web/features/revelations/draft-storage.ts'
import {
  type DraftRecipient,
  otherRecipients,
  writtenRows,
} from '#web/features/revelations/recipients.ts'
import { isPastMoment, personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import {
  type DraftWish,
  draftFor,
  firstInvalidOf,
  type RevelationDraft,
} from '#web/features/revelations/revelation-draft.ts'
import { RevelationForm, useRevelationForm } from '#web/features/revelations/revelation-form.tsx'
import { notifyAddressee } from '#web/features/revelations/revelations.queries.ts'
import { useSealing } from '#web/features/revelations/use-sealing.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { PlanStationery } from '#web/features/subscriptions/plan-stationery.tsx'
import { isPlanRefusal, limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { claimShared, type Shared } from '#web/features/uploads/shared-store.ts'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import {
  AsideNotice,
  OfflineNotice,
  OwnLimits,
  RestoredNotice,
  SharedNotice,
} from './create-notices.tsx'
import type { LetterPart } from './folded-letter.tsx'
import { SealDialog } from './seal-dialog.tsx'
import { useDeferredSeal, useStoredDeferredSeal } from './use-deferred-seal.ts'

export function CreateForm() {
  const user = useSignedInUser()
  const navigate = useNavigate()
  const [timeZone] = useState(personTimeZone)
  const wish = useWish()
  const first = useFirstDraft(user, timeZone, wish)
  const [isRestored, setRestored] = useState(first.isRestored)
  const aside = useAsideDrafts(user.id)
  const deferred = useStoredDeferredSeal(user.id)
  const state = useRevelationForm({
    draft: first.draft,
    timeZone,
    notifiesNow: deferred?.notifiesNow ?? true,
  })
  const { form, attachment, notifiesNow } = state
  const eraseDraft = useSavedDraft(user.id, form)
  const room = useStorageHint()
  const shared = useShared(form, attachment.choose)
  const voiceUploads = useVoiceUploads(user.id)
  const [isRecapOpen, setRecapOpen] = useState(false)
  const [isOverPlan, setOverPlan] = useState(false)
  const [hasPassed, setPassed] = useState(false)
  const [sealed, setSealed] = useState<{ id: string; wasLost: boolean }>()
  const toEdit = useRef<LetterPart>(undefined)
  const draft = form.getValues()
  const notifyLabel = useWatch({
    control: form.control,
    name: 'recipients',
    compute: (recipients) => notifyLabelOf(recipients, user.email),
  })

  const { seal, sealAnother, phase, failure, alreadyId, clearFailure } = useSealing({
    userId: user.id,
    onSealed: (revelation: Revelation, wasLost) => {
      eraseDraft()
      storedDeferredSeal.erase(user.id)
      state.completeFiles()
      if (notifiesNow) void notifyAddressee(revelation.id)
      setSealed({ id: revelation.id, wasLost })
    },
    onRefused: (error) => {
      storedDeferredSeal.erase(user.id)
      setOverPlan(error instanceof ApiError && isPlanRefusal(error.code))
      // The dialog has the focus until it closes, then gives it to the first invalid field.
      if (state.showRefusal(error, { shouldFocus: false })) setRecapOpen(false)
    },
  })
  const leave = useEffectEvent(() => {
    if (!sealed) return
    showToast('success', sealed.wasLost ? WAS_SEALED_ALREADY : 'Révélation scellée')
    navigate(paths.revelation(sealed.id))
  })
  const [isSettled, setSettled] = useState(false)
  // Whoever went back to the text meanwhile sees no seal.
  useEffect(() => {
    if (sealed && (isSettled || !isRecapOpen)) leave()
  }, [sealed, isSettled, isRecapOpen])
  const sealBy = (sealInput: typeof seal) => () => {
    // Stored in case the page is closed before the answer: it says whether the recipient is notified.
    storedDeferredSeal.write(user.id, { notifiesNow })
    void sealInput(state.getInput())
  }
  const sealNow = sealBy(seal)
  const network = useDeferredSeal({
    userId: user.id,
    notifiesNow,
    isReady:
      isRecapOpen && !state.isOnItsWay && (attachment.problem ?? state.voice.problem) === undefined,
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
    toEdit.current = undefined
    setPassed(false)
    clearFailure()
    setRecapOpen(true)
  }

  return (
    <RevelationForm
      state={state}
      isAutosaved
      kindAs="cards"
      onSubmit={review}
      otherUploads={voiceUploads}
      stationery={<PlanStationery form={form} />}
      room={room}
      refusalHelp={limitHelp}
      notifyLabel={notifyLabel}
      notices={
        <>
          <OwnLimits />
          {isRestored && (
            <RestoredNotice
              wasToBeSealed={deferred !== undefined}
              hasPassed={first.draft.day !== '' && isPastMoment(first.draft, timeZone)}
              onContinue={() => setRestored(false)}
              onStartAgain={() => {
                setRestored(false)
                storedDeferredSeal.erase(user.id)
                form.reset(draftFor(timeZone, wish, user.email))
              }}
            />
          )}
          {aside.drafts.map((other, index) => (
            <AsideNotice
              // biome-ignore lint/suspicious/noArrayIndexKey: two drafts may be alike
              key={index}
              draft={other}
              onForget={() => aside.forget(other)}
              onResume={() => {
                aside.resume(other, { ...form.getValues(), notifiesNow })
                // What is said of the former letter, and was wanted for it, goes with it.
                setRestored(false)
                storedDeferredSeal.erase(user.id)
                const { notifiesNow: wasNotified, ...draftAside } = other
                form.reset(draftAside)
                if (wasNotified !== undefined) state.setNotifiesNow(wasNotified)
              }}
            />
          ))}
          {shared && <SharedNotice {...shared} />}
          {!network.isOnline && <OfflineNotice />}
        </>
      }
    >
      <ActionBar>
        <Button type="submit" large icon={<ScrollText aria-hidden="true" className="size-5" />}>
          Relire avant de sceller
        </Button>
      </ActionBar>
      <SealDialog
        open={isRecapOpen}
        onOpenChange={(isOpen) => (isOpen ? setRecapOpen(true) : closeRecap())}
        draft={draft}
        timeZone={timeZone}
        attachment={attachment}
        voice={state.voice}
        notifiesNow={notifiesNow}
        phase={sealed ? 'sealed' : phase}
        failure={failure}
        already={alreadyId ? { id: alreadyId, onSealAnother: sealBy(sealAnother) } : undefined}
        isPlanRefusal={isOverPlan}
        returnTo={() =>
          toEdit.current
            ? state.element.current?.querySelector<HTMLElement>(PART_SELECTORS[toEdit.current])
            : firstInvalidOf(state.element.current)
        }
        onSeal={sealNow}
        onEdit={(part) => {
          toEdit.current = part
          closeRecap()
        }}
        onSettled={() => setSettled(true)}
        network={network}
        hasPassed={hasPassed}
      />
    </RevelationForm>
  )
}

/** Where a part of the letter is written in this form. */
const PART_SELECTORS: Record<LetterPart, string> = {
  title: '[name="title"]',
  people: '[data-part="people"]',
  moment: '[data-part="moment"] input',
  audience: '[name="visibility"]:checked',
  notice: '[data-part="notice"] :is(input, summary)',
  inside: '[data-part="inside"]',
}

const WAS_SEALED_ALREADY =
  'Elle était déjà scellée\u202F: la réponse du site s’était perdue en route.'

/**
 * What the link to this page asks for: a kind or a visibility in its address; whom it answers in the state of the history, since an
 * address has no place in one of a page. Both are asked once: whoever comes back finds the letter as they left it.
 */
function useWish(): DraftWish {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const [wish] = useState(() => {
    const asked = new URLSearchParams(search)
    return {
      kind: KINDS.find((kind) => kind === asked.get('genre')),
      visibility: VISIBILITIES.find((visibility) => visibility === asked.get('visibilite')),
      addressee: (state as { addressee?: string } | null)?.addressee,
    }
  })
  const isAsked = Object.values(wish).some((asked) => asked !== undefined)
  useEffect(() => {
    if (isAsked) navigate(paths.create, { replace: true, preventScrollReset: true })
  }, [isAsked, navigate])
  return wish
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

/** None for a letter to oneself alone: nothing leaves before its date. */
function notifyLabelOf(recipients: readonly DraftRecipient[], ownAddress: string): string | false {
  const count = writtenRows(recipients).length
  if (count > 0 && otherRecipients(recipients, ownAddress).length === 0) return false
  return count > 1
    ? 'Prévenir les destinataires dès maintenant'
    : 'Prévenir le destinataire dès maintenant'
}
