/**
 * Calls back when the network is back, and when a phone that slept, and may not have been told, shows the page again.
 * Gives what stops it.
 */
export function onNetworkBack(listener: () => void): () => void {
  const onShown = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) listener()
  }
  window.addEventListener('online', listener)
  document.addEventListener('visibilitychange', onShown)
  return () => {
    window.removeEventListener('online', listener)
    document.removeEventListener('visibilitychange', onShown)
  }
}
