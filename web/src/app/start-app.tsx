import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createQueryClient } from '#web/lib/query-client.ts'
import { holdServerClock } from '#web/lib/server-clock.ts'
import { nameSite } from '#web/lib/site-address.ts'
import { App } from './app.tsx'
import { type FirstScreenState, keepAnswer, STATE_ID } from './first-screen-state.ts'
import { findScreen } from './first-screens.ts'
import { fetchReminderAhead } from './reminder-ahead.ts'

/** Takes over the first screen that the server made for a visitor; makes the page itself for anybody else. */
export async function startApp(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  startWorker()
  const queryClient = createQueryClient()
  const state = readState()
  const screen = state && findScreen(window.location)
  if (!screen || isKnown()) {
    fetchReminderAhead()
    root.replaceChildren()
    document.documentElement.classList.remove('is-known')
    createRoot(root).render(app(queryClient))
    return
  }
  const { queries = () => [], parts = () => [] } = (await screen.page.fetch()) ?? {}
  queries(screen.address).forEach(({ queryKey }, index) => {
    const answer = state.answers[index]
    if (answer) keepAnswer(queryClient, queryKey, answer)
  })
  await Promise.all(parts(screen.address, queryClient).map((part) => part.fetch()))
  nameSite(state.origin)
  if (hasHistory()) {
    createRoot(root).render(app(queryClient))
    return
  }
  const letGo = holdServerClock(state.nowMs)
  hydrateRoot(root, app(queryClient, letGo))
}

/** After everything that the page itself is waiting for. */
function startWorker(): void {
  if (!import.meta.env.PROD) return
  const start = () => import('./installed/start-worker.ts').catch(() => undefined)
  if (document.readyState === 'complete') void start()
  else window.addEventListener('load', start, { once: true })
}

function app(queryClient: ReturnType<typeof createQueryClient>, onShown?: () => void) {
  return (
    <StrictMode>
      <App queryClient={queryClient} onShown={onShown} />
    </StrictMode>
  )
}

function readState(): FirstScreenState | undefined {
  const text = document.getElementById(STATE_ID)?.textContent
  return text ? JSON.parse(text) : undefined
}

/** `before-paint.js` hid the visitor's page: somebody is signed in here, or holds the key of a letter. */
function isKnown(): boolean {
  return document.documentElement.classList.contains('is-known')
}

/** A page that is loaded again remembers how one came to it, which the server does not know. */
function hasHistory(): boolean {
  return window.history.state?.usr != null
}
