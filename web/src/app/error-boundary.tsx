import { Component, type ReactNode } from 'react'
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
  hasFailed: boolean
}

/** Shows what to do when a page breaks, instead of nothing. React offers this to classes only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, failedKey: undefined }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (state.failedKey === props.resetKey) return null
    return { failedKey: props.resetKey, hasFailed: false }
  }

  override render(): ReactNode {
    const { children, fallback = <ErrorScreen /> } = this.props
    return this.state.hasFailed ? fallback : children
  }
}
