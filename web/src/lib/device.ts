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

/** Read when something is about to move: it then goes to its end at once. */
export function prefersReducedMotion(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
}

/** Copies a text. False where the browser does not allow it: no https, no permission. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Has the browser save what an address of this site answers; the page stays. */
export function saveFrom(url: string, fileName = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}

/** A file that people can read, too. */
export function saveJson(content: object, fileName: string): void {
  const json = `${JSON.stringify(content, null, 2)}\n`
  saveFile(new Blob([json], { type: 'application/json' }), fileName)
}

export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  saveFrom(url, fileName)
  // Some browsers read it a little later than the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
