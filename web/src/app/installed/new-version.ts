import { showToast } from '#web/ui/toasts.tsx'
import { holdsUnkeptWords, watchTyping } from './unkept-words.ts'

/** Says once that a new version is ready; it waits until one wants it, or until every tab was closed. */
export function watchNewVersions(registration: ServiceWorkerRegistration): void {
  watchTyping()
  const offerWaiting = () => {
    // The very first one replaces nothing.
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting)
  }
  offerWaiting()
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') offerWaiting()
    })
  })
}

function offer(worker: ServiceWorker): void {
  showToast('info', 'Une nouvelle version est prête', {
    label: 'Recharger',
    onAccept: () => (holdsUnkeptWords() ? warn(worker) : takeOver(worker)),
    isLasting: true,
  })
}

function warn(worker: ServiceWorker): void {
  showToast('info', 'Ce que vous écrivez ici n’est pas encore envoyé', {
    label: 'Recharger quand même',
    onAccept: () => takeOver(worker),
    isLasting: true,
  })
}

function takeOver(worker: ServiceWorker): void {
  const reload = () => window.location.reload()
  // Another tab let it take over already.
  if (worker.state === 'activated') {
    reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  worker.postMessage('take-over')
}
