import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { RevelationDraft } from './revelation-draft.ts'
import { eraseStoredDraft, readStoredDraft, storeDraft } from './stored-draft.ts'

const QUIET_MS = 400

/** What to start the form with: what was being written, or the defaults. */
export function useFirstDraft(userId: string, blank: () => RevelationDraft) {
  const [first] = useState(() => {
    const stored = readStoredDraft(userId)
    return { isRestored: stored !== undefined, draft: stored ?? blank() }
  })
  return first
}

/** Keeps the form on this device while it is written. Returns what forgets it, for good. */
export function useKeptDraft(userId: string, form: UseFormReturn<RevelationDraft>): () => void {
  const isOver = useRef(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keepNow = () => {
      if (timer === undefined || isOver.current) return
      clearTimeout(timer)
      timer = undefined
      const draft = form.getValues()
      if (isBlank(draft)) eraseStoredDraft(userId)
      else storeDraft(userId, draft)
    }
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(keepNow, QUIET_MS)
      },
    })
    window.addEventListener('pagehide', keepNow)
    return () => {
      stop()
      window.removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [userId, form])
  return () => {
    isOver.current = true
    eraseStoredDraft(userId)
  }
}

/** Nothing that would be missed. */
function isBlank({ title, content, target_email, second_email }: RevelationDraft): boolean {
  return `${title}${content}${target_email}${second_email}`.trim() === ''
}
