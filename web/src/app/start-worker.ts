import { trustedScript } from '#web/lib/trusted-script.ts'
import { showToast } from '#web/ui/toasts.tsx'

const WORKER = '/service-worker.js'
/** As the policy of the pages names it (`server/src/http/security-headers.ts`). */
const POLICY = 'service-worker'
const UPDATE_EVERY_MS = 60 * 60_000

/** Has the browser store what a letter is written with. Nothing changes where it cannot, as on a page without https. */
async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const script = trustedScript(POLICY, WORKER)
    const registration = await navigator.serviceWorker.register(script, { updateViaCache: 'none' })
    watchNewVersions(registration)
    updateRegularly(registration)
  } catch {
    // The site goes on as it did before there were workers.
  }
}

/** An app that stays open for days would miss new versions. */
function updateRegularly(registration: ServiceWorkerRegistration): void {
  let updatedAtMs = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - updatedAtMs < UPDATE_EVERY_MS) return
    updatedAtMs = Date.now()
    registration.update().catch(() => undefined)
  })
}

/** Offers a new version once it is ready; it waits until it is accepted, or until every tab was closed. */
function watchNewVersions(registration: ServiceWorkerRegistration): void {
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
    onAccept: () => (hasUnsavedText() ? warn(worker) : activate(worker)),
    isLasting: true,
  })
}

function warn(worker: ServiceWorker): void {
  showToast('info', 'Ce que vous écrivez ici n’est pas encore envoyé', {
    label: 'Recharger quand même',
    onAccept: () => activate(worker),
    isLasting: true,
  })
}

function activate(worker: ServiceWorker): void {
  const reload = () => window.location.reload()
  // Another tab activated it already.
  if (worker.state === 'activated') {
    reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  worker.postMessage('take-over')
}

/** A form whose text is stored on the device as it is typed. */
const AUTOSAVED = '[data-autosaved]'
const TEXT_FIELDS =
  'textarea, input:not([type="search"], [type="file"], [type="checkbox"], [type="radio"])'

let typedAt: string | undefined

/** Notes on which page something was typed that a reload would erase. */
function watchTyping(): void {
  document.addEventListener(
    'input',
    ({ target }) => {
      const isUnsaved =
        target instanceof Element && target.matches(TEXT_FIELDS) && !target.closest(AUTOSAVED)
      if (isUnsaved) typedAt = window.location.pathname
    },
    { capture: true },
  )
}

/** Whether this page may have text that is stored nowhere. */
function hasUnsavedText(): boolean {
  return typedAt === window.location.pathname
}

void startWorker()
