import * as z from 'zod/mini'

export interface StoredValue<Value> {
  /** Undefined too where what is stored cannot be read. */
  read: () => Value | undefined
  /** On a device without room nothing is stored. */
  write: (value: Value) => void
  remove: () => void
}

/** A value that this device, or this tab alone, stores as JSON. `parse` returns undefined, or throws, for what is not one. */
export function storedValue<Value>(
  key: string,
  parse: (stored: unknown) => Value | undefined,
  storage: () => Storage = () => localStorage,
): StoredValue<Value> {
  return {
    read: () => {
      try {
        return parse(JSON.parse(storage().getItem(key) ?? 'null'))
      } catch {
        return undefined
      }
    },
    write: (value) => {
      try {
        storage().setItem(key, JSON.stringify(value))
      } catch {
        // A device without room, or that refuses storage.
      }
    },
    remove: () => storage().removeItem(key),
  }
}

const MAX_IDS = 500
const idsSchema = z.array(z.string())

/** Letters that this device remembers for one reason, the newest first. */
export function storedIds(key: string) {
  const stored = storedValue(key, (value) => idsSchema.parse(value ?? []))
  const others = (id: string) => (stored.read() ?? []).filter((known) => known !== id)
  return {
    has: (id: string) => stored.read()?.includes(id) ?? false,
    add: (id: string) => stored.write([id, ...others(id)].slice(0, MAX_IDS)),
    remove: (id: string) => stored.write(others(id)),
  }
}

/** Removes every entry whose key begins with the prefix. */
export function removeStored(storage: Storage, prefix: string): void {
  for (const key of Object.keys(storage)) {
    if (key.startsWith(prefix)) storage.removeItem(key)
  }
}
