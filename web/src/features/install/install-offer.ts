import { useSyncExternalStore } from 'react'

/** What TypeScript does not know of browsers that install web apps. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

// `before-paint.js` is there before the browser offers anything.
const offering = window as Window & { installOffer?: InstallPrompt | undefined }

function subscribe(listener: () => void): () => void {
  const onInstalled = () => {
    offering.installOffer = undefined
    listener()
  }
  window.addEventListener('beforeinstallprompt', listener)
  window.addEventListener('appinstalled', onInstalled)
  return () => {
    window.removeEventListener('beforeinstallprompt', listener)
    window.removeEventListener('appinstalled', onInstalled)
  }
}

/** Installs the site as an app; undefined where the browser offers nothing of the kind, or it is installed. */
export function useInstall(): (() => void) | undefined {
  const offer = useSyncExternalStore(subscribe, () => offering.installOffer)
  return offer && (() => void offer.prompt())
}
