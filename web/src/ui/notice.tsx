import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

type Tone = 'info' | 'success' | 'warning' | 'error'

const TONES = {
  info: { icon: Info, color: 'text-ink-soft', role: undefined },
  success: { icon: CircleCheck, color: 'text-leaf-ink', role: 'status' },
  warning: { icon: TriangleAlert, color: 'text-ember-ink', role: 'status' },
  error: { icon: CircleAlert, color: 'text-error-ink', role: 'alert' },
} as const

interface NoticeProps {
  tone?: Tone
  title?: string
  children?: ReactNode
  /** A button or a link that helps. */
  action?: ReactNode
  className?: string
}

/** Words beside what they are about, until the matter is settled. */
export function Notice({ tone = 'info', title, children, action, className }: NoticeProps) {
  const { icon: Icon, color, role } = TONES[tone]
  return (
    <div
      role={role}
      className={classNames(
        'flex items-start gap-3 rounded-field border border-line bg-sunken px-4 py-3 text-ink',
        className,
      )}
    >
      <Icon aria-hidden="true" className={classNames('mt-0.5 size-5 shrink-0', color)} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className="mt-3">{action}</div>}
      </div>
    </div>
  )
}

interface LoadFailureProps {
  title?: string
  /** Why, in a sentence. */
  children: ReactNode
  isRetrying?: boolean
  onRetry: () => unknown
  className?: string
}

/** In the place of what could not be loaded, with a button to try again. */
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

interface QueryFailureProps extends Pick<LoadFailureProps, 'title' | 'className'> {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  /** Why, where the server gave no sentence. */
  fallback?: string
}

/** In the place of what a query could not load. */
export function QueryFailure({ query, fallback = 'Erreur API', ...notice }: QueryFailureProps) {
  return (
    <LoadFailure {...notice} isRetrying={query.isFetching} onRetry={query.refetch}>
      {errorSentence(query.error, fallback)}
    </LoadFailure>
  )
}
