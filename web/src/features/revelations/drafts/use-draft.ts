import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { releaseUploadsOfLostDrafts } from '#web/features/uploads/draft-uploads.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import type { Release } from '#web/lib/tabs.ts'
import { type DraftWish, draftFor, isWished, type RevelationDraft } from '../revelation-draft.ts'
import { createDraftAutosave, type DraftAutosave, type SaveState } from './draft-autosave.ts'
import { isWorthSaving, newDraft, type StoredDraft } from './draft-schema.ts'
import {
  draftsBroadcast,
  eraseDraft,
  listDrafts,
  listOpenDrafts,
  lockDraft,
} from './draft-store.ts'
import { hasDatabases } from './drafts-database.ts'

export interface OpenedDraft {
  draft: StoredDraft
  /** It was there before. */
  isRestored: boolean
}

type Opening =
  | { phase: 'opening' }
  | { phase: 'elsewhere'; id: string }
  | ({ phase: 'open' } & OpenedDraft)

interface OpenOptions {
  /** As the address names it. */
  id: string | undefined
  wish: DraftWish
  timeZone: string
  /** Where the address names none, the last one comes back, if it is the letter that the link asks for. */
  resumesLast: boolean
  onOpen: (draft: StoredDraft) => void
}

/** Opens a draft of this device in this tab, and no other has it meanwhile; a new one where there is none. */
export function useOpenDraft({ id, ...options }: OpenOptions) {
  const { id: userId, email } = useSignedInUser()
  const [opening, setOpening] = useState<Opening>({ phase: 'opening' })
  const locked = useRef<{ id: string; release: Release }>(undefined)
  const release = () => {
    void locked.current?.release()
    locked.current = undefined
  }
  const lock = async (wanted: string, steal = false) => {
    const freed = await lockDraft(wanted, {
      steal,
      onLost: () => {
        locked.current = undefined
        setOpening({ phase: 'elsewhere', id: wanted })
      },
    })
    if (freed) locked.current = { id: wanted, release: freed }
    return freed !== undefined
  }

  const open = useEffectEvent(async (wanted: string | undefined, isOver: () => boolean) => {
    // The address has come to name what is open.
    if (wanted !== undefined && locked.current?.id === wanted) return
    release()
    setOpening({ phase: 'opening' })
    const { wish, timeZone, resumesLast, onOpen } = options
    const fresh = newDraft(draftFor(timeZone, wish, email))
    const [drafts, elsewhere] = await Promise.all([listDrafts(userId), listOpenDrafts()])
    if (isOver()) return
    const last = drafts.find(
      (draft) =>
        isWorthSaving(draft, email) && !elsewhere.has(draft.id) && isWished(draft.values, wish),
    )
    const found =
      wanted === undefined ? resumesLast && last : drafts.find(({ id: known }) => known === wanted)
    const draft = found || fresh
    const isLocked = await lock(draft.id)
    if (isOver()) return release()
    if (!isLocked) return setOpening({ phase: 'elsewhere', id: draft.id })
    setOpening({ phase: 'open', draft, isRestored: draft !== fresh })
    onOpen(draft)
  })
  const leave = useEffectEvent(release)
  useEffect(() => {
    let isOver = false
    void open(id, () => isOver)
    return () => {
      isOver = true
    }
  }, [id])
  useEffect(() => () => leave(), [])

  return {
    opening,
    /** Claims it from the other tab, with the words of there. */
    claim: async (wanted: string) => {
      await lock(wanted, true)
      const draft = (await listDrafts(userId)).find((one) => one.id === wanted)
      if (!draft) return
      setOpening({ phase: 'open', draft, isRestored: true })
      options.onOpen(draft)
    },
  }
}

interface AutosavedDraft extends Omit<DraftAutosave, 'flush' | 'stop'> {
  saveState: SaveState
}

/** Saves what the form has, and what else is said of the letter. */
export function useDraftAutosave(
  { draft, isRestored }: OpenedDraft,
  form: UseFormReturn<RevelationDraft>,
): AutosavedDraft {
  const { id: userId, email } = useSignedInUser()
  const [saveState, setSaveState] = useState<SaveState>(() =>
    isRestored ? (isStorageTemporary() ? 'refused' : 'saved') : 'nothing',
  )
  const [autosave] = useState(() =>
    createDraftAutosave({
      userId,
      ownAddress: email,
      draft,
      isStored: isRestored,
      onSaveState: setSaveState,
    }),
  )
  useEffect(() => {
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => autosave.update({ values: form.getValues() }),
    })
    const onHidden = () => document.visibilityState === 'hidden' && autosave.flush()
    window.addEventListener('pagehide', autosave.flush)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      stop()
      window.removeEventListener('pagehide', autosave.flush)
      document.removeEventListener('visibilitychange', onHidden)
      autosave.flush()
    }
  }, [form, autosave])
  return { ...autosave, saveState }
}

/** The drafts that are not open here, the latest first. Nothing is left of those in which nothing was written. */
export function useOtherDrafts(openId: string) {
  const { id: userId, email } = useSignedInUser()
  const [drafts, setDrafts] = useState<StoredDraft[]>([])
  useEffect(() => {
    let isOver = false
    const read = async () => {
      const [all, open] = await Promise.all([listDrafts(userId), listOpenDrafts()])
      const others = all.filter(({ id }) => id !== openId)
      if (!isOver) setDrafts(others.filter((draft) => isWorthSaving(draft, email)))
      for (const draft of others) {
        if (isWorthSaving(draft, email) || open.has(draft.id)) continue
        await eraseDraft(userId, draft.id)
      }
      const living = [openId, ...open, ...all.map(({ id }) => id)]
      if (hasDatabases()) await releaseUploadsOfLostDrafts(userId, new Set(living))
    }
    void read().catch(() => undefined)
    const stop = draftsBroadcast.listen(() => void read().catch(() => undefined))
    return () => {
      isOver = true
      stop()
    }
  }, [userId, email, openId])
  return {
    drafts,
    erase: (id: string) => {
      setDrafts((known) => known.filter((draft) => draft.id !== id))
      void eraseDraft(userId, id)
    },
  }
}
