import { lazy, Suspense } from 'react'

const RequestsBadge = lazy(async () => ({
  default: (await import('#web/features/relationships/requests-badge.tsx')).RequestsBadge,
}))

/** How many people wait for an answer. For signed-in people only: a visitor does not load it. */
export function RequestsCount() {
  return (
    <Suspense>
      <RequestsBadge />
    </Suspense>
  )
}
