import { lazy, Suspense, useSyncExternalStore } from 'react'

const loadSonner = () => import('sonner')
const Toaster = lazy(async () => ({ default: (await loadSonner()).Toaster }))

const DURATION_MS = 3000

// The code of the messages comes with the first one: most visits never see any.
let isWanted = false
let announce = () => {}

function subscribe(listener: () => void): () => void {
  announce = listener
  return () => {
    announce = () => {}
  }
}

/** Where short messages appear. Mounted once. */
export function Toasts() {
  const isShown = useSyncExternalStore(subscribe, () => isWanted)
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
          },
        }}
      />
    </Suspense>
  )
}

/** Says a short thing for three seconds. What must be acted upon belongs beside what failed, not here. */
export async function showToast(kind: 'info' | 'success' | 'error', message: string) {
  isWanted = true
  announce()
  const { toast } = await loadSonner()
  toast[kind](message)
}
