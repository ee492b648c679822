import { Toaster, toast } from 'sonner'

const DURATION_MS = 3000
/** Long enough to reach for what it offers. */
const OFFER_DURATION_MS = 8000

/** Where short messages appear. Mounted once. */
export function Toasts() {
  return (
    <Toaster
      position="bottom-center"
      mobileOffset={{ bottom: 'calc(1rem + var(--bottom-bar))' }}
      offset={{ bottom: 'calc(1.5rem + var(--bottom-bar))' }}
      duration={DURATION_MS}
      containerAriaLabel="Messages"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'theme-night flex w-full items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 font-sans text-ink shadow-soft',
          error: 'text-error-ink',
          success: 'text-leaf-ink',
          actionButton:
            'ml-auto -my-1 inline-flex min-h-11 shrink-0 items-center rounded-field px-3 font-semibold underline underline-offset-4 hover:bg-sunken',
        },
      }}
    />
  )
}

/** Says what nobody asked for: long enough to be read by whoever looked elsewhere. */
export function showNotice(message: string): void {
  toast.info(message, { duration: OFFER_DURATION_MS })
}

/** Each test starts without messages: those that are still up would be shown in the next page. */
export function resetToasts(): void {
  toast.dismiss()
}

/**
 * Says a short thing for three seconds, longer when it offers something, until it is answered when that lasts. What must
 * be acted upon belongs beside what failed, not here: an offer must be had elsewhere too.
 */
export function showToast(
  kind: 'info' | 'success' | 'error',
  message: string,
  offer?: { label: string; onAccept: () => void; isLasting?: boolean },
): void {
  toast[kind](
    message,
    offer && {
      duration: offer.isLasting ? Number.POSITIVE_INFINITY : OFFER_DURATION_MS,
      action: { label: offer.label, onClick: offer.onAccept },
    },
  )
}
