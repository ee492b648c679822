import type { Revelation } from '#contract/revelations.ts'
import { useIsPast } from '#web/lib/clock.ts'

const AN_HOUR_MS = 3_600_000

/** Whether a letter that waits was sealed within the hour: its author sees the receipt come, without unfolding anything. */
export function useIsFreshlySealed({ created_at, updated_at, is_revealed }: Revelation): boolean {
  const sealedMs = Math.max(Date.parse(created_at), Date.parse(updated_at))
  return !useIsPast(new Date(sealedMs + AN_HOUR_MS).toISOString()) && !is_revealed
}
