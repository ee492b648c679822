import { type ComponentProps, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { replayGestures } from './app/early-gestures.ts'
import { hydrateAnswers, type PageState, STATE_ID } from './app/page-state.ts'
import { followTranslation } from './app/translated-page.ts'
import { BrowserPages, type BrowserRouter, createRouter, isReady } from './browser-router.tsx'
import { freezeServerClock, learnClockOfPage } from './lib/clock.ts'
import { provideStorages } from './lib/provided-storage.ts'
import { createQueryClient } from './lib/query-client.ts'
import { setSiteOrigin } from './lib/site.ts'

/** Takes over the page that the server rendered for a visitor; makes the page itself for anybody else. */
async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  await provideStorages()
  followTranslation()
  startWorker()
  const queryClient = createQueryClient()
  const state = readState()
  if (!state || isKnown() || hasHistory()) {
    window.drainEarlyGestures?.()
    root.replaceChildren()
    document.documentElement.classList.remove('is-known')
    createRoot(root).render(page({ queryClient, router: createRouter(queryClient) }))
    return
  }
  setSiteOrigin(state.origin)
  learnClockOfPage()
  hydrateAnswers(queryClient, state.queries)
  const router = createRouter(queryClient, state.notFound)
  await isReady(router)
  // What the server rendered stays, to be read, where the code of the page could not be had.
  const [failure] = Object.values(router.state.errors ?? {})
  if (failure) throw failure
  const letClockGo = freezeServerClock(state.nowMs)
  // From here on React hears: what is done while it takes the page over must not be done twice.
  const gestures = window.drainEarlyGestures?.() ?? []
  const onShown = () => {
    letClockGo()
    replayGestures(gestures)
  }
  hydrateRoot(root, page({ queryClient, router, onShown }))
}

function page({
  router,
  ...props
}: { router: BrowserRouter } & Omit<ComponentProps<typeof App>, 'children'>) {
  return (
    <StrictMode>
      <App {...props}>
        <BrowserPages router={router} />
      </App>
    </StrictMode>
  )
}

/** After everything that the page itself is waiting for. */
function startWorker(): void {
  if (!import.meta.env.PROD) return
  const startLater = () => import('./app/start-worker.ts').catch(() => undefined)
  if (document.readyState === 'complete') void startLater()
  else window.addEventListener('load', startLater, { once: true })
}

function readState(): PageState | undefined {
  const text = document.getElementById(STATE_ID)?.textContent
  return text ? JSON.parse(text) : undefined
}

/** `inline-boot.js` hid the visitor's page: somebody is signed in here, or holds the key of a letter. */
function isKnown(): boolean {
  return document.documentElement.classList.contains('is-known')
}

/** A page that is loaded again remembers how one came to it, which the server does not know. */
function hasHistory(): boolean {
  return window.history.state?.usr != null
}

start().catch((error) => {
  // A part of the code is not to be had; `inline-boot.js` tells when it is this one.
  document.getElementById('not-loaded')?.removeAttribute('hidden')
  throw error
})
