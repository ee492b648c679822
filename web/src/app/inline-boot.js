/*
 * Runs before anything is painted. The server renders every page for a visitor: a person who is signed in, or has the
 * personal key of a letter, must not see that page first, and `entry.client.tsx` renders theirs; nor must whoever awaited a
 * public letter see it open before they break its seal. A visitor who comes to
 * the home page for the first time is led to the demo, and the visit is marked (`lib/first-visit.ts`).
 */
const CRAWLERS = /bot\b|crawl|spider|lighthouse|google-inspection|googleother/i

/** Of the page of a letter; empty elsewhere. */
function letterId() {
  const [, id = ''] = /^\/revelation\/([^/]+)\/?$/i.exec(decodeURI(location.pathname)) ?? []
  return id.toLowerCase()
}

function isKnown() {
  return (
    // Before the storages, which a browser may refuse.
    location.hash.startsWith('#cle=') ||
    localStorage.getItem('auth_token') !== null ||
    Object.keys(sessionStorage).some((name) => name.startsWith('delivery-key:')) ||
    localStorage.getItem(`delivery-key:${letterId()}`) !== null
  )
}

/** Whether the sealed page of this letter was seen on this device (`use-own-opening.ts`). */
function isAwaited() {
  return JSON.parse(localStorage.getItem('awaited-letters') ?? '[]').includes(letterId())
}

/** Whether this device keeps the key of any letter: its reader is no newcomer. */
function hasDeviceLetters() {
  return Object.keys(localStorage).some((name) => name.startsWith('delivery-key:'))
}

/**
 * Never for search engines, which come with nothing every time and must index the home page, nor for whoever was led here from
 * an address that is none: the page tells them (`unknown-address.tsx`).
 */
function isFirstVisit() {
  if (location.pathname !== '/' || location.search !== '') return false
  if (performance.getEntriesByType('navigation')[0]?.redirectCount > 0) return false
  if (CRAWLERS.test(navigator.userAgent) || hasDeviceLetters()) return false
  return !JSON.parse(localStorage.getItem('demo-store') ?? 'null')?.state?.hasVisited
}

let isLeaving = false
try {
  if (isKnown()) {
    document.documentElement.classList.add('is-known')
    if (location.pathname === '/') document.documentElement.classList.add('is-home')
  } else if (isAwaited()) {
    document.documentElement.classList.add('is-awaited')
  } else if (isFirstVisit()) {
    localStorage.setItem('demo-store', '{"state":{"hasVisited":true},"version":0}')
    isLeaving = true
    document.documentElement.classList.add('is-leaving')
    location.replace('/demo')
  }
} catch {
  // A browser that stores nothing knows nobody, and would be led to the demo again and again.
}

/*
 * The browser offers to install the site when it likes; the settings of the profile ask for it, and nothing else does.
 */
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  window.installOffer = event
})

/*
 * On a slow network the code of the page would delay its styles and fonts: it is loaded once the page is painted, or at
 * once where the page is hidden. A page in the background is not painted at all.
 */
const CODE_LATEST_MS = 2000
let isLoading = false

function loadCode() {
  const code = document.getElementById('code')
  if (isLoading || !(code instanceof HTMLTemplateElement)) return
  isLoading = true
  document.body.append(document.importNode(code.content, true))
}

addEventListener('DOMContentLoaded', () => {
  if (isLeaving) return
  const { classList } = document.documentElement
  // Still sealed, it is the page of any visitor.
  if (classList.contains('is-awaited') && document.querySelector('.paper-letter')) {
    classList.add('is-known')
  }
  classList.remove('is-awaited')
  if (classList.contains('is-known')) {
    loadCode()
    return
  }
  new PerformanceObserver(loadCode).observe({ type: 'paint', buffered: true })
  setTimeout(loadCode, CODE_LATEST_MS)
})

/*
 * Gestures on a page that has no code yet are recorded, and replayed once React has hydrated it
 * (`app/early-gestures.ts`): the last text of each field, each button once, however often it was pressed. Links work by
 * themselves, but for those that open a dialog once there is code.
 */
const recorded = []
const root = document.documentElement

function record(gesture) {
  const index = recorded.findIndex(
    ({ type, target }) => type === gesture.type && target === gesture.target,
  )
  if (index >= 0) recorded.splice(index, 1)
  recorded.push(gesture)
}

function recordGesture(event) {
  const { type, target } = event
  if (!(target instanceof Element) || !target.closest('#root')) return
  if (type === 'input') {
    const isTicked = target.type === 'checkbox' || target.type === 'radio'
    record({ type, target, value: isTicked ? target.checked : target.value })
  } else if (type === 'submit') {
    event.preventDefault()
    record({ type, target, submitter: event.submitter })
    root.classList.add('is-waiting')
  } else {
    const button = target.closest('button, a[aria-haspopup]')
    const link = target.closest('a[href]')
    if (!button || (link && link !== button) || (button.form && button.type === 'submit')) return
    if (link && (event.ctrlKey || event.metaKey || event.shiftKey)) return
    if (link) event.preventDefault()
    record({ type, target: button })
    root.classList.add('is-waiting')
  }
}

const GESTURES = ['click', 'input', 'submit']
for (const type of GESTURES) addEventListener(type, recordGesture, true)

/** Returns what was recorded; from now on React listens for itself. */
window.drainEarlyGestures = () => {
  for (const type of GESTURES) removeEventListener(type, recordGesture, true)
  root.classList.remove('is-waiting')
  return recorded.splice(0)
}

/*
 * The code of the app cannot be loaded: the server is down, or has another version by now. The page stays, and shows it.
 */
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) {
      document.getElementById('not-loaded')?.removeAttribute('hidden')
    }
  },
  true,
)

addEventListener('DOMContentLoaded', () => {
  const again = document.querySelector('#not-loaded button')
  again?.addEventListener('click', () => location.reload())
})
