const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

const whole = new Intl.NumberFormat('fr', { maximumFractionDigits: 0 })
const tenth = new Intl.NumberFormat('fr', { maximumFractionDigits: 1 })

const oneTenth = new Intl.NumberFormat('fr', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Storage, which the server counts in MB with -1 for no limit: « 500 Mo », « 5,0 Go », « Illimité ». */
export function formatStorage(megabytes: number): string {
  if (megabytes < 0) return 'Illimité'
  if (megabytes < 1024) return `${tenth.format(megabytes)}\u00A0Mo`
  return `${oneTenth.format(megabytes / 1024)}\u00A0Go`
}

/** « 12,4 Mo »: what a file weighs, in a French reader's words. */
export function formatBytes(bytes: number): string {
  if (bytes < KB) return `${whole.format(bytes)}\u00A0o`
  if (bytes < MB) return `${whole.format(bytes / KB)}\u00A0Ko`
  if (bytes < GB) return `${tenth.format(bytes / MB)}\u00A0Mo`
  return `${tenth.format(bytes / GB)}\u00A0Go`
}
