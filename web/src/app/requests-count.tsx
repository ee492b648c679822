import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.tsx'

const RequestsBadge = lazyPart(
  () => import('#web/features/relationships/requests-badge.tsx'),
  'RequestsBadge',
)

/** How many people wait for an answer. For signed-in people only: a visitor does not load it. */
export function RequestsCount() {
  return (
    <Suspense>
      <RequestsBadge />
    </Suspense>
  )
}
