import { Component, type ReactNode, Suspense } from 'react'
import { useRouteError } from 'react-router'
import { ErrorScreen } from './error-screen.tsx'

interface Props {
  children: ReactNode
  /** When it changes, the children get another chance: for instance the address of the page. */
  resetKey?: string
  /** In the place of what broke, where the page can do without it. */
  fallback?: ReactNode
}

interface State {
  failedKey: string | undefined
  /** What was thrown, in a box: anything may be. */
  failure: { error: unknown } | undefined
}

/** Shows what to do when a page breaks, instead of nothing. React offers this to classes only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: undefined, failedKey: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (state.failedKey === props.resetKey) return null
    return { failedKey: props.resetKey, failure: undefined }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    const { fallback = <ErrorScreen error={failure.error} /> } = this.props
    return fallback
  }
}

/** What comes besides the page: where its code cannot be loaded, the page goes on without it. */
export function Dispensable({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  )
}

/** In the place of a page that broke, or whose code could not be loaded. */
export function RouteFailure() {
  return <ErrorScreen error={useRouteError()} />
}
