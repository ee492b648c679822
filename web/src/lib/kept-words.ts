import type { FieldValues, UseFormReturn } from 'react-hook-form'

const QUIET_MS = 400

/**
 * Calls back with what a form holds, a moment after each change and at once when the page is left. Gives what stops it,
 * once the last change is kept.
 */
export function keepWords<Words extends FieldValues>(
  form: UseFormReturn<Words>,
  keep: (words: Words) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const keepNow = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    keep(form.getValues())
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
}
