import { isIosBrowser, isStandalone } from '#web/lib/installed-state.ts'

/** `installable`: an iPhone tells installed sites only. */
export type PushSupport = 'ready' | 'installable' | 'missing'

export function readPushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return 'ready'
  return isIosBrowser() && !isStandalone() ? 'installable' : 'missing'
}
