import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { removeStored } from './storage.ts'

const PREFIX = 'delivery-key:'
const FRAGMENT = /^#cle=([\w-]{16,200})$/

/** The personal key of a delivery mail's link, if the fragment of the address carries one. */
export function keyInFragment(hash: string): string | undefined {
  return FRAGMENT.exec(hash)?.[1]
}

/** Remembers a personal key as long as this tab is open, or until somebody signs out of it. */
export function storeDeliveryKey(revelationId: string, key: string): void {
  sessionStorage.setItem(PREFIX + revelationId, key)
}

/** Whether this tab was opened with a personal key; the server alone knows what it opens. */
export function hasDeliveryKey(revelationId: string): boolean {
  return keyOf(revelationId) !== null
}

export function forgetDeliveryKey(revelationId: string): void {
  sessionStorage.removeItem(PREFIX + revelationId)
}

/** Whoever comes to this tab next holds no key of whoever left it; the mail's link still does. */
export function forgetDeliveryKeys(): void {
  removeStored(sessionStorage, PREFIX)
}

/** None on the server, where every page is made for a visitor. */
function keyOf(revelationId: string): string | null {
  return typeof window === 'undefined' ? null : sessionStorage.getItem(PREFIX + revelationId)
}

/** The header that carries the personal key to one revelation, when this tab was opened with it. */
export function deliveryKeyHeaders(revelationId: string): Record<string, string> {
  const key = keyOf(revelationId)
  return key ? { [DELIVERY_KEY_HEADER]: key } : {}
}
