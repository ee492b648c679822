import { lazy, Suspense } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Skeleton } from '#web/ui/loading.tsx'

// Few readers unfold it.
const SealDetails = lazy(async () => ({
  default: (await import('./seal-details.tsx')).SealDetails,
}))

/** The seal of a letter, folded below it. */
export function SealPanel({ revelation }: { revelation: Revelation }) {
  return (
    <Disclosure title="Le sceau">
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <SealDetails revelation={revelation} />
      </Suspense>
    </Disclosure>
  )
}
