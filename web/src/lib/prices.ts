const cents = new Intl.NumberFormat('fr', { style: 'currency', currency: 'EUR' })
const whole = new Intl.NumberFormat('fr', {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 0,
})

/** « 2,99 € », « 0 € ». */
export function formatPrice(euros: number): string {
  return (Number.isInteger(euros) ? whole : cents).format(euros)
}
