import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { keepWords } from '#web/lib/kept-words.ts'
import { changeRecording } from './recording-store.ts'
import type { SoundDraft } from './sound-draft.ts'

/** Keeps what is typed beside the recording, on this device. */
export function useKeptWords(ownerId: string, id: string, form: UseFormReturn<SoundDraft>): void {
  useEffect(
    () =>
      keepWords(form, (draft) => {
        // Where it cannot be kept, it stays on the page.
        changeRecording(ownerId, id, { draft }).catch(() => undefined)
      }),
    [ownerId, id, form],
  )
}
