/** The page runs as an app of its own. */
export function isStandalone(): boolean {
  const { standalone = false } = navigator as { standalone?: boolean }
  return standalone || (window.matchMedia?.('(display-mode: standalone)').matches ?? false)
}

/** An iPhone or iPad, which installs by hand and tells no page so. Recent iPads call themselves Macs. */
export function isIosBrowser(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return (
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  )
}
