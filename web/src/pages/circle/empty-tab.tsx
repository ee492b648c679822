import type { ComponentProps } from 'react'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** A tab that holds nothing yet; on a phone its drawing rises into the room that the tabs leave. */
export function EmptyTab(props: ComponentProps<typeof EmptyState>) {
  return (
    <div className="max-sm:-mt-8">
      <EmptyState {...props} />
    </div>
  )
}
