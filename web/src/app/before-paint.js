/*
 * Runs before anything is painted. The server makes every page for a visitor: whoever is signed in, or holds the personal
 * key of a letter, must not see that one first, and `start-app.tsx` makes theirs. A visitor who comes to the home page for
 * the first time is led to the demo, and the visit is marked (`lib/first-visit.ts`).
 */
const CRAWLERS = /bot\b|crawl|spider|lighthouse|google-inspection|googleother/i

function isKnown() {
  return (
    localStorage.getItem('auth_token') !== null ||
    Object.keys(sessionStorage).some((name) => name.startsWith('delivery-key:')) ||
    location.hash.startsWith('#cle=')
  )
}

/** Never for search engines, which come with nothing every time: the home page is the one they are to keep. */
function isFirstVisit() {
  if (location.pathname !== '/' || location.search !== '') return false
  if (CRAWLERS.test(navigator.userAgent)) return false
  return !JSON.parse(localStorage.getItem('demo-store') ?? 'null')?.state?.hasVisited
}

let isLeaving = false
try {
  if (isKnown()) {
    document.documentElement.classList.add('is-known')
  } else if (isFirstVisit()) {
    localStorage.setItem('demo-store', '{"state":{"hasVisited":true},"version":0}')
    isLeaving = true
    document.documentElement.classList.add('is-leaving')
    location.replace('/demo')
  }
} catch {
  // A browser that keeps nothing knows nobody, and would be led to the demo again and again.
}

/*
 * The browser offers to install the site when it likes; the settings of the profile ask for it, and nothing else does.
 */
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  window.installOffer = event
})

/*
 * On a slow network the code of the page would come at the cost of its styles and fonts: it is asked for once the first
 * screen is painted, or at once where that one is hidden. A page in the background is not painted at all.
 */
const CODE_LATEST_MS = 2000
let isAsked = false

function askForCode() {
  const code = document.getElementById('code')
  if (isAsked || !(code instanceof HTMLTemplateElement)) return
  isAsked = true
  document.body.append(document.importNode(code.content, true))
}

addEventListener('DOMContentLoaded', () => {
  if (isLeaving) return
  if (document.documentElement.classList.contains('is-known')) {
    askForCode()
    return
  }
  new PerformanceObserver(askForCode).observe({ type: 'paint', buffered: true })
  setTimeout(askForCode, CODE_LATEST_MS)
})

/*
 * What somebody does on a page that has no code yet is kept, and done once React has taken the page over
 * (`app/kept-gestures.ts`): the last text of each field, each button once, however often it was pressed. Links lead by
 * themselves.
 */
const kept = []
const root = document.documentElement

function keep(gesture) {
  const index = kept.findIndex(
    ({ type, target }) => type === gesture.type && target === gesture.target,
  )
  if (index >= 0) kept.splice(index, 1)
  kept.push(gesture)
}

function keepGesture(event) {
  const { type, target } = event
  if (!(target instanceof Element) || !target.closest('#root')) return
  if (type === 'input') {
    const isTicked = target.type === 'checkbox' || target.type === 'radio'
    keep({ type, target, value: isTicked ? target.checked : target.value })
  } else if (type === 'submit') {
    event.preventDefault()
    keep({ type, target, submitter: event.submitter })
    root.classList.add('is-waiting')
  } else {
    const button = target.closest('button')
    if (!button || target.closest('a[href]') || (button.form && button.type === 'submit')) return
    keep({ type, target: button })
    root.classList.add('is-waiting')
  }
}

const GESTURES = ['click', 'input', 'submit']
for (const type of GESTURES) addEventListener(type, keepGesture, true)

/** What was kept; from now on React hears for itself. */
window.takeKeptGestures = () => {
  for (const type of GESTURES) removeEventListener(type, keepGesture, true)
  root.classList.remove('is-waiting')
  return kept.splice(0)
}

/*
 * The code of the app cannot be had: the server is down, or has another version by now. What is here stays, and says so.
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
