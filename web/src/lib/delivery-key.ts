import { useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { isStorageTemporary } from './provided-storage.ts'
import { readToken } from './session-token.ts'
import { removeStored } from './storage.ts'

// The names of the entries are those of `app/inline-boot.js` too.
const PREFIX = 'delivery-key:'
/** Beside a key, the account that the letter was joined to. */
const JOINED_PREFIX = 'delivery-joined:'
const FRAGMENT = /^#cle=([\w-]{16,200})$/
/** In a tab of a device that nobody called their own. Tabs live for weeks. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000
/** When somebody last signed out on this device: the other tabs have the keys of whoever left. */
const SIGNED_OUT_AT = 'signed-out-at'

const ofTabSchema = z.object({
  key: z.string(),
  forgottenAtMs: z.number(),
  /** The reader wants nothing kept on this device. */
  isNotToKeep: z.boolean(),
  /** What else this tab remembers of the letter, as long as the key: see `reader-marks.ts`. */
  marks: z._default(z.array(z.string()), []),
})
type KeyOfTab = z.infer<typeof ofTabSchema>

/** The personal key of a delivery mail's link, if the fragment of the address carries one. */
export function keyInFragment(hash: string): string | undefined {
  return FRAGMENT.exec(hash)?.[1]
}

/** Remembers a personal key in this tab for a day, or until somebody signs out of it. */
export function storeDeliveryKey(revelationId: string, key: string): void {
  storeInTab(revelationId, key, false, ofTabOf(revelationId)?.marks)
  // The link may be another one than that of the device.
  if (deviceChoiceOf(revelationId) === 'persisted') persistDeliveryKey(revelationId)
}

function storeInTab(
  revelationId: string,
  key: string,
  isNotToKeep: boolean,
  marks: string[] = [],
): void {
  const forgottenAtMs = Date.now() + FORGOTTEN_AFTER_MS
  writeOfTab(revelationId, { key, forgottenAtMs, isNotToKeep, marks })
}

function writeOfTab(revelationId: string, ofTab: KeyOfTab): void {
  sessionStorage.setItem(PREFIX + revelationId, JSON.stringify(ofTab))
}

/** What this tab remembers of a letter together with its key; undefined where it has none. */
export function marksOfTab(revelationId: string): string[] | undefined {
  return ofTabOf(revelationId)?.marks
}

export function setMarksOfTab(revelationId: string, marks: string[]): void {
  const ofTab = ofTabOf(revelationId)
  if (ofTab) writeOfTab(revelationId, { ...ofTab, marks })
}

/** How long this tab still has the key; undefined where it has none. */
export function keyLastsMs(revelationId: string): number | undefined {
  const ofTab = ofTabOf(revelationId)
  return ofTab && ofTab.forgottenAtMs - Date.now()
}

/** Whether this tab, or this device, has a personal key; the server alone knows what it opens. */
export function hasDeliveryKey(revelationId: string): boolean {
  return keyOf(revelationId) !== null
}

/** What the reader decided about the key on this device; undefined until they decide. */
export function deviceChoiceOf(revelationId: string): 'persisted' | 'declined' | undefined {
  if (localStorage.getItem(PREFIX + revelationId) !== null) return 'persisted'
  return ofTabOf(revelationId)?.isNotToKeep ? 'declined' : undefined
}

/** Whether this device is its reader’s: they are signed in, or said so of this letter. What they leave may stay on it. */
export function isReadersDevice(revelationId: string): boolean {
  return readToken() !== null || deviceChoiceOf(revelationId) === 'persisted'
}

/** Remembers the key of this tab on the device, for every tab; false where the device stores nothing. */
export function persistDeliveryKey(revelationId: string): boolean {
  const key = keyOf(revelationId)
  if (isStorageTemporary()) return false
  try {
    if (key !== null) localStorage.setItem(PREFIX + revelationId, key)
  } catch {
    return false
  }
  notify()
  return key !== null
}

/** The device has no key, or forgets it; this tab still has it, for a day at most. */
export function declineDeliveryKey(revelationId: string): void {
  const key = keyOf(revelationId)
  localStorage.removeItem(PREFIX + revelationId)
  localStorage.removeItem(JOINED_PREFIX + revelationId)
  if (key !== null) storeInTab(revelationId, key, true, ofTabOf(revelationId)?.marks)
  notify()
}

export function forgetDeliveryKey(revelationId: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    storage.removeItem(PREFIX + revelationId)
    storage.removeItem(JOINED_PREFIX + revelationId)
  }
  notify()
}

/** Whoever comes next holds no key of whoever left; the mail's link still does. */
export function forgetDeliveryKeys(): void {
  for (const storage of [sessionStorage, localStorage]) {
    removeStored(storage, PREFIX)
    removeStored(storage, JOINED_PREFIX)
  }
  localStorage.setItem(SIGNED_OUT_AT, String(Date.now()))
  notify()
}

/** Remembers, as long as the key, that this account has the letter without it. */
export function markJoined(revelationId: string, userId: string): void {
  const storage = deviceChoiceOf(revelationId) === 'persisted' ? localStorage : sessionStorage
  storage.setItem(JOINED_PREFIX + revelationId, userId)
  notify()
}

/** The account has it no more. */
export function unmarkJoined(revelationId: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    storage.removeItem(JOINED_PREFIX + revelationId)
  }
  notify()
}

export function isJoined(revelationId: string, userId: string): boolean {
  const name = JOINED_PREFIX + revelationId
  return [sessionStorage, localStorage].some((storage) => storage.getItem(name) === userId)
}

const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab persists or forgets one.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const SEPARATOR = ' '

function deviceLetterIds(): string[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))
  return names.map((name) => name.slice(PREFIX.length)).sort()
}

/**
 * The letters whose key this device stores for every tab, or those of them that an account has not been given yet; none in
 * what the server renders.
 */
export function useDeviceLetters(unjoinedBy?: string): string[] {
  const read = () =>
    deviceLetterIds()
      .filter((id) => unjoinedBy === undefined || !isJoined(id, unjoinedBy))
      .join(SEPARATOR)
  const ids = useSyncExternalStore(subscribe, read, () => '')
  return useMemo(() => (ids === '' ? [] : ids.split(SEPARATOR)), [ids])
}

/** Whether this tab or device remembers that the account has the letter without its key. */
export function useIsJoined(revelationId: string, userId: string | undefined): boolean {
  return useSyncExternalStore(
    subscribe,
    () => userId !== undefined && isJoined(revelationId, userId),
    () => false,
  )
}

/** What the reader decided about the key on this device (`deviceChoiceOf`), here or in another tab. */
export function useDeviceChoice(revelationId: string): ReturnType<typeof deviceChoiceOf> {
  return useSyncExternalStore(
    subscribe,
    () => deviceChoiceOf(revelationId),
    () => undefined,
  )
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
    const signedOutAtMs = Number(localStorage.getItem(SIGNED_OUT_AT))
    const isOfFormer = ofTab.forgottenAtMs - FORGOTTEN_AFTER_MS < signedOutAtMs
    if (Date.now() < ofTab.forgottenAtMs && !isOfFormer) return ofTab
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
