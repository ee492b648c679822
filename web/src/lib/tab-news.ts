export interface TabNews {
  /** Tells every tab of this browser, this one too. */
  announce: () => void
  listen: (listener: () => void) => () => void
}

/** Says to every tab of this browser that what is kept on the device under a name is no longer what it was. */
export function openTabNews(name: string): TabNews {
  const listeners = new Set<() => void>()
  const tellThisTab = () => {
    for (const listener of listeners) listener()
  }
  const otherTabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  if (otherTabs) otherTabs.onmessage = tellThisTab
  return {
    announce: () => {
      tellThisTab()
      otherTabs?.postMessage('changed')
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
