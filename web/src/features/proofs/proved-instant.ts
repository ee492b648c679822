import { provedInstantInWords } from '#contract/date-in-words.ts'
import { browserTimeZone } from '#web/lib/dates.ts'

/** An instant of a proof, by the clocks of this device and in UTC. */
export function formatProvedInstant(instant: string): string {
  return provedInstantInWords(new Date(instant), browserTimeZone())
}
