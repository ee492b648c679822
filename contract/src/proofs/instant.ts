/** ISO 8601, in UTC, with milliseconds, of a day that exists: the 24 bytes that were hashed. */
export function isInstant(text: string): boolean {
  if (!/^.{24}$/.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}
