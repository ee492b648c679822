import { watchNewVersions } from './new-version.ts'

const WORKER = '/service-worker.js'
/** As the policy of the pages names it (`server/src/http/security-headers.ts`). */
const POLICY = 'service-worker'
const LOOK_AGAIN_MS = 60 * 60_000

/** Has the browser keep what a letter is written with. Nothing changes where it cannot: a page that did not come safely, say. */
async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const worker = trustedWorker()
    const registration = await navigator.serviceWorker.register(worker, { updateViaCache: 'none' })
    watchNewVersions(registration)
    lookAgain(registration)
  } catch {
    // The site goes on as it did before there were workers.
  }
}

declare global {
  interface Window {
    /** Not in every browser; those that have it let no text become code but by a policy. TypeScript takes its values for text. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(): string },
      ): { createScriptURL(input: string): string }
    }
  }
}

/** The one script that the site starts by its address, whatever is asked for. */
function trustedWorker(): string {
  const policy = window.trustedTypes?.createPolicy(POLICY, { createScriptURL: () => WORKER })
  return policy?.createScriptURL(WORKER) ?? WORKER
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
