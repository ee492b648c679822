import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** What TypeScript does not know yet of the browser's navigation. */
interface TraverseEvent extends Event {
  navigationType: string
  destination: { key: string; sameDocument: boolean }
}
interface Navigation extends EventTarget {
  traverseTo: (key: string) => unknown
}

interface LeaveGuardProps {
  /** While it is true, leaving the page asks first. */
  when: boolean
  title: string
  description: string
}

/** Warns once before the page is left: by a link, by the way back, by closing it. */
export function LeaveGuard({ when, title, description }: LeaveGuardProps) {
  const navigate = useNavigate()
  const [leave, setLeave] = useState<() => void>()
  const hasConfirmed = useRef(false)
  const ask = useCallback((then: () => void) => setLeave(() => then), [])

  // With the page that says it, not a moment after: a tap that it still held back would be lost.
  useLayoutEffect(() => {
    if (!when) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const path = pathOfLink(event)
      if (path === undefined) return
      event.preventDefault()
      event.stopPropagation()
      ask(() => navigate(path))
    }
    const onTraverse = (event: Event) => {
      const { navigationType, destination, cancelable } = event as TraverseEvent
      const isAskable = navigationType === 'traverse' && destination.sameDocument && cancelable
      if (!isAskable || hasConfirmed.current) return
      event.preventDefault()
      ask(() => navigation()?.traverseTo(destination.key))
    }
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    navigation()?.addEventListener('navigate', onTraverse)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
      navigation()?.removeEventListener('navigate', onTraverse)
    }
  }, [when, ask, navigate])

  return (
    <ConfirmDialog
      open={when && leave !== undefined}
      onOpenChange={() => setLeave(undefined)}
      title={title}
      description={description}
      confirmLabel="Quitter la page"
      cancelLabel="Rester"
      onConfirm={() => {
        hasConfirmed.current = true
        leave?.()
      }}
    />
  )
}

function navigation(): Navigation | undefined {
  return (window as Window & { navigation?: Navigation }).navigation
}

/** Where a click would lead inside the app, when it is one that turns the page. */
function pathOfLink(event: MouseEvent): string | undefined {
  const link = (event.target as Element | null)?.closest?.('a')
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || link.target || link.hasAttribute('download')) return undefined
  const { origin, pathname, search, hash } = new URL(link.href, window.location.href)
  const isElsewhere = origin === window.location.origin && pathname !== window.location.pathname
  return isElsewhere ? `${pathname}${search}${hash}` : undefined
}
