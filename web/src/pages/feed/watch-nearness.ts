type Listener = (isNear: boolean, heightPx: number) => void

const listeners = new Map<Element, Listener>()
let observer: IntersectionObserver | undefined

/** Tells whether an element is less than three screens away, now and whenever that changes. One observer for all. */
export function watchNearness(element: Element, listener: Listener): () => void {
  observer ??= new IntersectionObserver(tell, { rootMargin: '300% 0%' })
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    listeners.delete(element)
    observer?.unobserve(element)
    if (listeners.size === 0) observer = undefined
  }
}

function tell(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    listeners.get(target)?.(isIntersecting, boundingClientRect.height)
  }
}
