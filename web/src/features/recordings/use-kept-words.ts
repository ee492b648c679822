import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { changeRecording } from './recording-store.ts'
import type { SoundDraft } from './sound-draft.ts'

const QUIET_MS = 400

/** Keeps what is typed beside the recording, on this device. */
export function useKeptWords(ownerId: string, id: string, form: UseFormReturn<SoundDraft>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keepNow = () => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      // Where it cannot be kept, it stays on the page.
      changeRecording(ownerId, id, { draft: form.getValues() }).catch(() => undefined)
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
  }, [ownerId, id, form])
}
