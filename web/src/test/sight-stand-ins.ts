import { vi } from 'vitest'

/** What is in view on the page, which jsdom does not know: the answer brings an element into view, or takes it away. */
export function standInForSight(): (element: Element, isSeen?: boolean) => void {
  const watched = new Map<Element, (isSeen: boolean) => void>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      private readonly notify: IntersectionObserverCallback
      constructor(notify: IntersectionObserverCallback) {
        this.notify = notify
      }
      observe(target: Element) {
        watched.set(target, (isIntersecting) => {
          const boundingClientRect = target.getBoundingClientRect()
          const entry = { target, isIntersecting, boundingClientRect } as IntersectionObserverEntry
          this.notify([entry], this as unknown as IntersectionObserver)
        })
      }
      unobserve() {}
      disconnect() {}
    },
  )
  return (element, isSeen = true) => watched.get(element)?.(isSeen)
}
