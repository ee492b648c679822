import * as z from 'zod/mini'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { removeStored } from './storage.ts'

// The names of the entries are those of `app/inline-boot.js` too.
const PREFIX = 'delivery-key:'
const FRAGMENT = /^#cle=([\w-]{16,200})$/
/** In a tab of a device that nobody called their own. Tabs live for weeks. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

const ofTabSchema = z.object({
  key: z.string(),
  forgottenAtMs: z.number(),
  /** The reader wants nothing kept on this device. */
  isNotToKeep: z.boolean(),
})
type KeyOfTab = z.infer<typeof ofTabSchema>

/** The personal key of a delivery mail's link, if the fragment of the address carries one. */
export function keyInFragment(hash: string): string | undefined {
  return FRAGMENT.exec(hash)?.[1]
}

/** Remembers a personal key in this tab for a day, or until somebody signs out of it. */
export function storeDeliveryKey(revelationId: string, key: string): void {
  storeInTab(revelationId, key, false)
  // The link may be another one than that which is kept.
  if (keepingOf(revelationId) === 'kept') keepDeliveryKey(revelationId)
}

function storeInTab(revelationId: string, key: string, isNotToKeep: boolean): void {
  const forgottenAtMs = Date.now() + FORGOTTEN_AFTER_MS
  const ofTab: KeyOfTab = { key, forgottenAtMs, isNotToKeep }
  sessionStorage.setItem(PREFIX + revelationId, JSON.stringify(ofTab))
}

/** Whether this tab, or this device, has a personal key; the server alone knows what it opens. */
export function hasDeliveryKey(revelationId: string): boolean {
  return keyOf(revelationId) !== null
}

/** What the reader said of keeping the key on this device; undefined as long as they said nothing. */
export function keepingOf(revelationId: string): 'kept' | 'declined' | undefined {
  if (localStorage.getItem(PREFIX + revelationId) !== null) return 'kept'
  return ofTabOf(revelationId)?.isNotToKeep ? 'declined' : undefined
}

/** Remembers the key of this tab on the device, for every tab; false where the device stores nothing. */
export function keepDeliveryKey(revelationId: string): boolean {
  const key = keyOf(revelationId)
  try {
    if (key !== null) localStorage.setItem(PREFIX + revelationId, key)
  } catch {
    return false
  }
  return key !== null
}

/** The device has no key, or forgets it; this tab still has it, for a day at most. */
export function declineDeliveryKey(revelationId: string): void {
  const key = keyOf(revelationId)
  localStorage.removeItem(PREFIX + revelationId)
  if (key !== null) storeInTab(revelationId, key, true)
}

export function forgetDeliveryKey(revelationId: string): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(PREFIX + revelationId)
}

/** Whoever comes next holds no key of whoever left; the mail's link still does. */
export function forgetDeliveryKeys(): void {
  for (const storage of [sessionStorage, localStorage]) removeStored(storage, PREFIX)
}

/** None on the server, where every page is made for a visitor. */
function keyOf(revelationId: string): string | null {
  if (typeof window === 'undefined') return null
  return ofTabOf(revelationId)?.key ?? localStorage.getItem(PREFIX + revelationId)
}

function ofTabOf(revelationId: string): KeyOfTab | undefined {
  const name = PREFIX + revelationId
  const stored = sessionStorage.getItem(name)
  if (stored === null) return undefined
  try {
    const ofTab = ofTabSchema.parse(JSON.parse(stored))
    if (Date.now() < ofTab.forgottenAtMs) return ofTab
  } catch {
    // An older version of the page wrote it.
  }
  sessionStorage.removeItem(name)
  return undefined
}

/** The header that carries the personal key to one revelation, when this tab or this device has it. */
export function deliveryKeyHeaders(revelationId: string): Record<string, string> {
  const key = keyOf(revelationId)
  return key ? { [DELIVERY_KEY_HEADER]: key } : {}
}
