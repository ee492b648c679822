const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

const whole = new Intl.NumberFormat('fr', { maximumFractionDigits: 0 })
const tenth = new Intl.NumberFormat('fr', { maximumFractionDigits: 1 })

/** « 12,4 Mo »: what a file weighs, in a French reader's words. */
export function formatBytes(bytes: number): string {
  if (bytes < KB) return `${whole.format(bytes)}\u00A0o`
  if (bytes < MB) return `${whole.format(bytes / KB)}\u00A0Ko`
  if (bytes < GB) return `${tenth.format(bytes / MB)}\u00A0Mo`
  return `${tenth.format(bytes / GB)}\u00A0Go`
}
