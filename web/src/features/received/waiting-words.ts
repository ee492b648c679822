import { formatCount } from '#web/lib/format.ts'

/** « Une lettre vous attend », « 2 lettres vous attendent ». */
export function waitingInWords(count: number): string {
  return count === 1
    ? 'Une lettre vous attend'
    : `${formatCount(count)}\u00A0lettres vous attendent`
}
