import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import type { ToasterProps } from 'sonner'

const loadSonner = () => import('sonner')
let Toaster = lazyToaster()

const DURATION_MS = 3000
/** Long enough to reach for what it offers. */
const OFFER_DURATION_MS = 8000

// The code of the messages comes with the first one: most visits never see any.
let isWanted = false
let announce = () => {}

function subscribe(listener: () => void): () => void {
  announce = listener
  return () => {
    announce = () => {}
  }
}

// Without the network the code may not come: a page must not break for want of a message. The next one asks again.
function lazyToaster() {
  return lazy(async (): Promise<{ default: ComponentType<ToasterProps> }> => {
    const sonner = await loadSonner().catch(() => undefined)
    if (sonner) return { default: sonner.Toaster }
    isWanted = false
    Toaster = lazyToaster()
    return { default: () => null }
  })
}

/** For what may have to speak when the network is gone. */
export function prepareToasts(): void {
  loadSonner().catch(() => undefined)
}

/** Where short messages appear. Mounted once. */
export function Toasts() {
  const isShown = useSyncExternalStore(
    subscribe,
    () => isWanted,
    () => false,
  )
  if (!isShown) return null
  return (
    <Suspense>
      <Toaster
        position="bottom-center"
        duration={DURATION_MS}
        containerAriaLabel="Messages"
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              'sky-night flex w-full items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 font-sans text-ink shadow-soft',
            error: 'text-wax-ink',
            success: 'text-leaf-ink',
            actionButton:
              'ml-auto -my-1 inline-flex min-h-11 shrink-0 items-center rounded-field px-3 font-semibold underline underline-offset-4 hover:bg-sunken',
          },
        }}
      />
    </Suspense>
  )
}

/** Each test starts without messages. */
export function resetToasts(): void {
  isWanted = false
}

/**
 * Says a short thing for three seconds, longer when it offers something, until it is answered when that lasts. What must be acted upon belongs beside what
 * failed, not here: an offer must be had elsewhere too.
 */
export async function showToast(
  kind: 'info' | 'success' | 'error',
  message: string,
  offer?: { label: string; onAccept: () => void; isLasting?: boolean },
) {
  isWanted = true
  announce()
  const sonner = await loadSonner().catch(() => undefined)
  sonner?.toast[kind](
    message,
    offer && {
      duration: offer.isLasting ? Number.POSITIVE_INFINITY : OFFER_DURATION_MS,
      action: { label: offer.label, onClick: offer.onAccept },
    },
  )
}
