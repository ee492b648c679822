/** A storage whose entries are its own properties, as those of the browser are, and end with the page. */
export class MemoryStorage implements Storage {
  [key: string]: unknown

  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null
  }

  setItem(key: string, value: string): void {
    this[key] = String(value)
  }

  removeItem(key: string): void {
    delete this[key]
  }

  clear(): void {
    for (const key of Object.keys(this)) delete this[key]
  }

  key(index: number): string | null {
    return Object.keys(this)[index] ?? null
  }

  get length(): number {
    return Object.keys(this).length
  }
}
