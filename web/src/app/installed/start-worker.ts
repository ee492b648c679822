import { watchNewVersions } from './new-version.ts'

const WORKER = '/service-worker.js'
const LOOK_AGAIN_MS = 60 * 60_000

/** Has the browser keep what a letter is written with. Nothing changes where it cannot: a page that did not come safely, say. */
async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' })
    watchNewVersions(registration)
    lookAgain(registration)
  } catch {
    // The site goes on as it did before there were workers.
  }
}

/** An app that stays open for days would not hear of a new version by itself. */
function lookAgain(registration: ServiceWorkerRegistration): void {
  let lookedAtMs = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAtMs < LOOK_AGAIN_MS) return
    lookedAtMs = Date.now()
    registration.update().catch(() => undefined)
  })
}

void startWorker()
