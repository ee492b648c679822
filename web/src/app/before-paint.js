/*
 * Runs before anything is painted. The server makes every page for a visitor: whoever is signed in, or holds the personal
 * key of a letter, must not see that one first. `start-app.tsx` makes theirs.
 */
try {
  if (
    localStorage.getItem('auth_token') !== null ||
    Object.keys(sessionStorage).some((name) => name.startsWith('delivery-key:')) ||
    location.hash.startsWith('#cle=')
  ) {
    document.documentElement.classList.add('is-known')
  }
} catch {
  // A browser that keeps nothing knows nobody.
}

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
  if (document.documentElement.classList.contains('is-known')) {
    askForCode()
    return
  }
  new PerformanceObserver(askForCode).observe({ type: 'paint', buffered: true })
  setTimeout(askForCode, CODE_LATEST_MS)
})
