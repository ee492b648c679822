import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

interface LoadFailureProps {
  title?: string
  /** Why, in a sentence. */
  children: ReactNode
  isRetrying?: boolean
  onRetry: () => unknown
  className?: string
}

/** In the place of what could not be loaded. */
export function LoadFailure({ isRetrying = false, onRetry, ...notice }: LoadFailureProps) {
  return (
    <Notice
      {...notice}
      tone="error"
      action={
        <Button variant="secondary" busy={isRetrying} onClick={() => onRetry()}>
          Réessayer
        </Button>
      }
    />
  )
}
