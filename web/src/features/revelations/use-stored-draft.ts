import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { keepWords } from '#web/lib/kept-words.ts'
import type { RevelationDraft } from './revelation-draft.ts'
import { storedDraft } from './stored-draft.ts'

/** What to start the form with: what was being written, or the defaults. */
export function useFirstDraft(userId: string, blank: () => RevelationDraft) {
  const [first] = useState(() => {
    const stored = storedDraft.read(userId)
    return { isRestored: stored !== undefined, draft: stored ?? blank() }
  })
  return first
}

/** Keeps the form on this device while it is written. Returns what forgets it, for good. */
export function useKeptDraft(userId: string, form: UseFormReturn<RevelationDraft>): () => void {
  const isOver = useRef(false)
  useEffect(
    () =>
      keepWords(form, (draft) => {
        if (isOver.current) return
        if (isBlank(draft)) storedDraft.erase(userId)
        else storedDraft.keep(userId, draft)
      }),
    [userId, form],
  )
  return () => {
    isOver.current = true
    storedDraft.erase(userId)
  }
}

/** Nothing that would be missed. */
function isBlank({ title, content, target_email, second_email }: RevelationDraft): boolean {
  return `${title}${content}${target_email}${second_email}`.trim() === ''
}
