import type { ReactNode } from 'react'

interface EmptyStateProps {
  /** One drawing, hidden from assistive technology by itself. */
  drawing: ReactNode
  title: string
  children?: ReactNode
  /** The one thing to do here. */
  action?: ReactNode
}

export function EmptyState({ drawing, title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-10 text-center">
      {drawing}
      <h2 className="text-2xl">{title}</h2>
      {children && <div className="text-balance text-ink-soft">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
