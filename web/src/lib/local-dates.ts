/*
 * Pickers think in the browser’s own dates. Noon keeps clear of the hours that clocks jump over.
 */

/** « 2027-01-31 » as a date of this browser. */
export function toLocalDate(day: string): Date {
  return new Date(`${day}T12:00`)
}

export function fromLocalDate(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
