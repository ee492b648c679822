import { isWorthSaving, type StoredDraft } from './draft-schema.ts'
import { eraseDraft, storeDraft } from './draft-store.ts'
import { eraseLastWords, writeLastWords } from './last-words.ts'

const QUIET_MS = 400

/** `saved`: on this device. `refused`: the device has no room, or its browser stores nothing. */
export type SaveState = 'nothing' | 'saved' | 'refused'

interface AutosaveOptions {
  userId: string
  ownAddress: string
  /** As it was opened. */
  draft: StoredDraft
  isStored: boolean
  onSaveState: (state: SaveState) => void
}

export interface DraftAutosave {
  now: () => StoredDraft
  update: (changes: Partial<StoredDraft>) => void
  /** Stores what has not been stored yet. */
  flush: () => void
  /** It is sealed, or its author wants it no more. */
  forget: (options?: { areFilesUsed?: boolean }) => Promise<void>
  /** Another tab has it now. */
  stop: () => void
}

/** Saves a letter on this device while it is written: the words at once, the rest a moment after each change. */
export function createDraftAutosave(options: AutosaveOptions): DraftAutosave {
  const { userId, ownAddress, onSaveState } = options
  let draft = options.draft
  let isStored = options.isStored
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const isToBeSaved = () => draft.step !== 'whom' || isWorthSaving(draft, ownAddress)
  const store = async () => {
    timer = undefined
    if (isOver) return
    if (!isToBeSaved()) {
      if (isStored) await eraseDraft(userId, draft.id)
      isStored = false
      return onSaveState('nothing')
    }
    const isSaved = await storeDraft(userId, draft)
    isStored = true
    if (!isOver) onSaveState(isSaved ? 'saved' : 'refused')
  }
  const flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    void store()
  }
  const stop = () => {
    isOver = true
    clearTimeout(timer)
    timer = undefined
  }
  return {
    now: () => draft,
    update: (changes) => {
      if (isOver) return
      // Never the same instant twice: the later one must win.
      draft = { ...draft, ...changes, touchedAtMs: Math.max(Date.now(), draft.touchedAtMs + 1) }
      if (isToBeSaved()) writeLastWords(userId, draft)
      else eraseLastWords(userId, draft.id)
      clearTimeout(timer)
      timer = setTimeout(() => void store(), QUIET_MS)
    },
    flush,
    forget: (how) => {
      stop()
      return eraseDraft(userId, draft.id, how)
    },
    stop,
  }
}
