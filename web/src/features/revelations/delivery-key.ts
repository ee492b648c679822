import { DELIVERY_KEY_HEADER } from '#contract/revelations.ts'

const FRAGMENT = /^#cle=([\w-]{16,200})$/

function storageKey(revelationId: string): string {
  return `delivery-key:${revelationId}`
}

/** The personal key of a delivery mail's link, if the fragment of the address carries one. */
export function keyInFragment(hash: string): string | undefined {
  return FRAGMENT.exec(hash)?.[1]
}

/** Remembers a personal key as long as this tab is open. */
export function keepDeliveryKey(revelationId: string, key: string): void {
  sessionStorage.setItem(storageKey(revelationId), key)
}

/** The header that carries the personal key to one revelation, when this tab was opened with it. */
export function deliveryKeyHeaders(revelationId: string): Record<string, string> {
  const key = sessionStorage.getItem(storageKey(revelationId))
  return key ? { [DELIVERY_KEY_HEADER]: key } : {}
}
