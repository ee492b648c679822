import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** The part of the Navigation API that TypeScript has no types for. */
interface TraverseEvent extends Event {
  navigationType: string
  destination: { key: string; url: string; sameDocument: boolean }
}
interface Navigation extends EventTarget {
  traverseTo: (key: string) => unknown
}

interface LeaveGuardProps {
  when: boolean
  title: string
  description: string
}

/** While `when`, asks before the page is left: by a link, by « back », by closing it. */
export function LeaveGuard({ when, title, description }: LeaveGuardProps) {
  const navigate = useNavigate()
  const [leave, setLeave] = useState<() => void>()
  const hasConfirmed = useRef(false)
  const confirmLeave = useCallback((then: () => void) => setLeave(() => then), [])

  // A layout effect: a passive one would come too late for a quick tap.
  useLayoutEffect(() => {
    if (!when) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const path = pathOfLink(event)
      if (path === undefined) return
      event.preventDefault()
      event.stopPropagation()
      confirmLeave(() => navigate(path))
    }
    const onTraverse = (event: Event) => {
      const { navigationType, destination, cancelable } = event as TraverseEvent
      // A page that is written in steps is the same page at each.
      const isLeaving = new URL(destination.url).pathname !== window.location.pathname
      const isBlockable =
        navigationType === 'traverse' && destination.sameDocument && isLeaving && cancelable
      if (!isBlockable || hasConfirmed.current) return
      event.preventDefault()
      confirmLeave(() => navigation()?.traverseTo(destination.key))
    }
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    navigation()?.addEventListener('navigate', onTraverse)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
      navigation()?.removeEventListener('navigate', onTraverse)
    }
  }, [when, confirmLeave, navigate])

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

/** Asks while files of what is written are sent. */
export function SendingLeaveGuard({ when }: Pick<LeaveGuardProps, 'when'>) {
  return (
    <LeaveGuard
      when={when}
      title="Quitter la page&#8239;?"
      description={
        isStorageTemporary()
          ? 'L’envoi s’arrête.'
          : 'L’envoi s’arrête\u202F: vous pourrez le reprendre plus tard, là où il en est. Ce que vous avez écrit est gardé sur cet appareil.'
      }
    />
  )
}

function navigation(): Navigation | undefined {
  return (window as Window & { navigation?: Navigation }).navigation
}

/** The path of a click on a link to another page of the app. */
function pathOfLink(event: MouseEvent): string | undefined {
  const link = (event.target as Element | null)?.closest?.('a')
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || link.target || link.hasAttribute('download')) return undefined
  const { origin, pathname, search, hash } = new URL(link.href, window.location.href)
  const isOtherPage = origin === window.location.origin && pathname !== window.location.pathname
  return isOtherPage ? `${pathname}${search}${hash}` : undefined
}
