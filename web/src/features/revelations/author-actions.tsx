import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import type { OwnActionsProps } from './own-actions.tsx'

const OwnActions = lazyPart(() => import('./own-actions.tsx'), 'OwnActions')

/** What its author may do with it; nothing at all for others, who do not wait for its code. */
export function AuthorActions(props: OwnActionsProps) {
  const { can } = props.revelation
  if (!can.edit && !can.delete) return null
  return (
    <Suspense>
      <OwnActions {...props} />
    </Suspense>
  )
}
