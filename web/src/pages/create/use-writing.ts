import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Revelation } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import type { StoredDraft } from '#web/features/revelations/drafts/draft-schema.ts'
import { hasDatabases } from '#web/features/revelations/drafts/drafts-database.ts'
import { type OpenedDraft, useDraftAutosave } from '#web/features/revelations/drafts/use-draft.ts'
import {
  type DraftRecipient,
  otherRecipients,
  writtenRows,
} from '#web/features/revelations/recipients.ts'
import { isPastMoment } from '#web/features/revelations/reveal-moment.ts'
import { notifyAddressee } from '#web/features/revelations/revelations.queries.ts'
import {
  type RevelationFormState,
  useRevelationForm,
} from '#web/features/revelations/use-revelation-form.ts'
import { isSealVoiceFile } from '#web/features/revelations/use-seal-voice.ts'
import { useSealing } from '#web/features/revelations/use-sealing.ts'
import { isPlanRefusal } from '#web/features/subscriptions/plans-link.tsx'
import { readDraftFiles } from '#web/features/uploads/draft-uploads.ts'
import { uploadsBroadcast } from '#web/features/uploads/uploads-store.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { useDraftFiles } from './use-draft-files.ts'
import { useShared } from './use-shared.ts'

/** A letter that was sealed here. */
export interface Sealed {
  revelation: Revelation
  /** An earlier attempt had sealed it, and its answer never came. */
  wasLost: boolean
  wasNotified: boolean
}

/** Where the answers of the server lead. */
interface SealHandlers {
  onRefused: (error: unknown) => void
  /** Nobody knows whether it is sealed. */
  onLost: () => void
  /** Other words are. */
  onMismatch: () => void
}

export type Writing = ReturnType<typeof useWriting>

/** A letter that is written, saved on this device and sealed, whichever view it is written in. */
export function useWriting(opened: OpenedDraft, timeZone: string) {
  const { email } = useSignedInUser()
  const client = useQueryClient()
  const { id, values, notifiesNow: wasNotified } = opened.draft
  const state = useRevelationForm({
    draft: values,
    timeZone,
    notifiesNow: wasNotified,
    draftId: id,
    draftAlbum: opened.draft,
  })
  const { form, album, voice, notifiesNow } = state
  const autosave = useDraftAutosave(opened, form)
  useAutosavedChoices(autosave.update, state)
  useRestoredFiles(opened.draft, state)
  const [sealed, setSealed] = useState<Sealed>()
  const [isOverPlan, setOverPlan] = useState(false)
  const [isJustRestored, setJustRestored] = useState(opened.isRestored)
  const handlers = useRef<SealHandlers>(undefined)

  const sealing = useSealing({
    storedKey: { read: () => autosave.now().key, write: (key) => autosave.update({ key }) },
    onSealed: (revelation, wasLost) => {
      void autosave.forget({ areFilesUsed: true })
      state.completeFiles()
      if (notifiesNow) void notifyAddressee(client, revelation.id)
      setSealed({ revelation, wasLost, wasNotified: notifiesNow })
    },
    onRefused: (error) => {
      autosave.update({ wantsSealing: false })
      setOverPlan(error instanceof ApiError && isPlanRefusal(error.code))
      handlers.current?.onRefused(error)
    },
    onLost: () => handlers.current?.onLost(),
    onMismatch: () => handlers.current?.onMismatch(),
  })
  const sealBy = (sealInput: typeof sealing.seal) => () => {
    // In case the page is closed before the answer.
    autosave.update({ wantsSealing: true })
    void sealInput(state.getInput())
  }
  const problem = album.problem ?? voice.problem
  return {
    id,
    form,
    state,
    autosave,
    timeZone,
    /** What this device stores of how its moment was phrased. */
    phraseDetails: {
      birthDay: autosave.now().birthDay ?? '',
      onBirthDay: (birthDay: string) => autosave.update({ birthDay }),
      namedTime: autosave.now().saidTime,
      onNamedTime: (saidTime: string) => autosave.update({ saidTime }),
    },
    handlers,
    /** As it was when it was opened. */
    opened: opened.draft,
    /** It was begun before, and its author has not gone on yet. */
    isJustRestored,
    setJustRestored,
    sealed,
    sealing,
    sealNow: sealBy(sealing.seal),
    sealAnother: sealBy(sealing.sealAnother),
    isOverPlan,
    filesState: useDraftFiles(id),
    shared: useShared(form, album.add),
    /** Why its files cannot be sealed. */
    problem,
    isReady: !state.isOnItsWay && problem === undefined,
    isPast: () => isPastMoment(form.getValues(), timeZone),
    notifyLabel: useWatch({
      control: form.control,
      name: 'recipients',
      compute: (recipients) => notifyLabelOf(recipients, email),
    }),
  }
}

/** The flow that is shown goes on by the answers. */
export function useSealHandlers({ handlers }: Writing, own: SealHandlers): void {
  useLayoutEffect(() => {
    handlers.current = own
  })
}

/** None for a letter to oneself alone: nothing leaves before its date. */
function notifyLabelOf(recipients: readonly DraftRecipient[], ownAddress: string): string | false {
  const count = writtenRows(recipients).length
  if (count > 0 && otherRecipients(recipients, ownAddress).length === 0) return false
  return count > 1
    ? 'Prévenir les destinataires dès maintenant'
    : 'Prévenir le destinataire dès maintenant'
}

/** What is chosen beside the form is saved with it. */
function useAutosavedChoices(
  update: (changes: Partial<StoredDraft>) => void,
  { album, voice, notifiesNow }: RevelationFormState,
): void {
  const former = useRef({ notifiesNow, fileCount: 0 })
  const uploads = [...album.items, voice].flatMap(({ upload }) => upload ?? [])
  const fileCount = uploads.filter((upload) => 'file' in upload).length
  useEffect(() => {
    if (former.current.notifiesNow !== notifiesNow) update({ notifiesNow })
    // None while those of before have not come back yet.
    if (former.current.fileCount !== fileCount) update({ fileCount })
    if (former.current.fileCount === 0 && fileCount > 0) void requestPersistence()
    former.current = { notifiesNow, fileCount }
  }, [update, notifiesNow, fileCount])
  const order = JSON.stringify(album.entries)
  const formerOrder = useRef(order)
  useEffect(() => {
    if (formerOrder.current === order) return
    formerOrder.current = order
    update({ files: JSON.parse(order) })
  }, [update, order])
  const teaser = teaserOf(album.first)
  useEffect(() => {
    if (teaser) update({ teaser })
  }, [update, teaser])
}

function teaserOf({ kind, teaser }: Attachment) {
  return kind === 'video' ? teaser : undefined
}

/** Asks the browser not to clear the files away when its disk is full. */
async function requestPersistence(): Promise<void> {
  const { storage } = navigator as { storage?: Partial<StorageManager> }
  await storage?.persist?.().catch(() => undefined)
}

/** The files of the draft go on their way again by themselves. */
function useRestoredFiles(draft: StoredDraft, state: RevelationFormState): void {
  const { id: userId } = useSignedInUser()
  const restore = useEffectEvent((files: Awaited<ReturnType<typeof readDraftFiles>>) => {
    for (const { file, stored } of files) {
      const isVoice = isSealVoiceFile(stored)
      // What is sent already was chosen meanwhile, or came back from signing in.
      if (isVoice) {
        if (!('file' in state.voice.upload)) state.voice.resume(file, stored)
      } else if (!state.album.items.some(({ id }) => id === stored.id)) {
        state.album.restore(file, stored, draft.teaser)
      }
    }
  })
  useEffect(() => {
    if (!hasDatabases()) return
    let isOver = false
    const read = () =>
      readDraftFiles(userId, draft.id).then(
        (files) => !isOver && restore(files),
        () => undefined,
      )
    void read()
    // The copy of a file may still be under way from the page before.
    const stop = uploadsBroadcast.listen(() => void read())
    return () => {
      isOver = true
      stop()
    }
  }, [userId, draft.id])
}
