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
