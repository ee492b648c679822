import type { FieldValues, UseFormReturn } from 'react-hook-form'

const QUIET_MS = 400

/**
 * Calls `save` with the values of a form, a moment after each change and at once when the page is left. Returns what
 * stops it, once the last change is saved.
 */
export function autosaveForm<Words extends FieldValues>(
  form: UseFormReturn<Words>,
  save: (words: Words) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const saveNow = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    save(form.getValues())
  }
  const stop = form.subscribe({
    formState: { values: true },
    callback: () => {
      clearTimeout(timer)
      timer = setTimeout(saveNow, QUIET_MS)
    },
  })
  window.addEventListener('pagehide', saveNow)
  return () => {
    stop()
    window.removeEventListener('pagehide', saveNow)
    saveNow()
  }
}
