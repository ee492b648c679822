const whole = new Intl.NumberFormat('fr')

/** « 1 234 ». */
export function formatCount(count: number): string {
  return whole.format(count)
}

const compact = new Intl.NumberFormat('fr', { notation: 'compact', maximumFractionDigits: 1 })

/** « 12 345 », then « 123,5 k »: for narrow places. */
export function formatShortCount(count: number): string {
  return count < 100_000 ? whole.format(count) : compact.format(count)
}

/** « 0 vue », « 1 vue », « 1 234 vues »: in French the plural begins at two. */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)}\u00A0${count < 2 ? one : many}`
}
