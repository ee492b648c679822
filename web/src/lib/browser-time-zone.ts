import { useTakenOver } from './use-taken-over.ts'

const KEPT_MS = 10_000

let known: { zone: string; at: number } | undefined

/** The zone this device lives in. To ask the browser takes a while, and long lists ask for each row; travellers change it. */
export function browserTimeZone(): string {
  const at = Date.now()
  if (!known || Math.abs(at - known.at) > KEPT_MS) {
    known = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, at }
  }
  return known.zone
}

/** Each test lives in the zone of its device. */
export function resetBrowserTimeZone(): void {
  known = undefined
}

/** The same while a page is shown; undefined in the first screen, which the server makes without knowing. */
export function useBrowserTimeZone(): string | undefined {
  return useTakenOver() ? browserTimeZone() : undefined
}
