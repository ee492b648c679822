import { useEffect, useEffectEvent, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { CONTENT_MAX_LENGTH, TITLE_MAX_LENGTH } from '#contract/sealing.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { claimShared, type Shared } from '#web/features/uploads/shared-store.ts'

/** Adds what another app shared to the letter, replacing nothing. Answers how many files there were, once something was shared. */
export function useShared(
  form: UseFormReturn<RevelationDraft>,
  add: (files: File[]) => void,
): { fileCount: number } | undefined {
  const [received, setReceived] = useState<{ fileCount: number }>()
  const receive = useEffectEvent(({ title, text, files }: Shared) => {
    const before = form.getValues()
    const isTitleFree = before.title.trim() === ''
    // Where the title is taken, the shared one goes into the text.
    const words = isTitleFree ? text : [title, text].filter(Boolean).join('\n')
    if (isTitleFree && title) write('title', title.slice(0, TITLE_MAX_LENGTH))
    if (words) {
      const content = [before.content.trimEnd(), words].filter(Boolean).join('\n\n')
      write('content', content.slice(0, CONTENT_MAX_LENGTH))
    }
    if (files.length > 0) add(files)
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
