export interface StoredValue<Value> {
  /** Undefined too where what is stored cannot be read. */
  read: () => Value | undefined
  /** On a device without room nothing is stored. */
  write: (value: Value) => void
  remove: () => void
}

/** A value that this device stores as JSON. `parse` returns undefined, or throws, for what is not one. */
export function storedValue<Value>(
  key: string,
  parse: (stored: unknown) => Value | undefined,
): StoredValue<Value> {
  return {
    read: () => {
      try {
        return parse(JSON.parse(localStorage.getItem(key) ?? 'null'))
      } catch {
        return undefined
      }
    },
    write: (value) => {
      try {
        localStorage.setItem(key, JSON.stringify(value))
      } catch {
        // A device without room, or that refuses storage.
      }
    },
    remove: () => localStorage.removeItem(key),
  }
}

/** Removes every entry whose key begins with the prefix. */
export function removeStored(storage: Storage, prefix: string): void {
  for (const key of Object.keys(storage)) {
    if (key.startsWith(prefix)) storage.removeItem(key)
  }
}
