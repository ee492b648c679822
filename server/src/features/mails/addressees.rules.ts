const WINDOW_MS = 24 * 3_600_000
const ADDRESSES_VERIFIED = 20
const ADDRESSES_UNVERIFIED = 3

/** An address somebody wrote to, by its keyed hash. */
export interface AddresseeUse {
  addressHash: Buffer
  usedAt: Date
}

/** Uses before it no longer count. */
export function startOfWindow(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS)
}

/**
 * How long somebody must wait before they may write to these addresses; 0 when they may now. Those they already wrote
 * to in the last 24 hours are free.
 */
export function waitForRoom(
  asked: readonly Buffer[],
  uses: readonly AddresseeUse[],
  { isVerified, now }: { isVerified: boolean; now: Date },
): number {
  const fresh = asked.filter((hash) => !uses.some(({ addressHash }) => addressHash.equals(hash)))
  const limit = isVerified ? ADDRESSES_VERIFIED : ADDRESSES_UNVERIFIED
  const surplus = uses.length + fresh.length - limit
  if (fresh.length === 0 || surplus <= 0) return 0
  const instants = uses.map(({ usedAt }) => usedAt.getTime()).sort((one, other) => one - other)
  // Room for the last of them comes when the oldest uses too many have left the window.
  const leaving = instants[Math.min(surplus, instants.length) - 1] ?? now.getTime()
  return Math.max(1_000, leaving + WINDOW_MS - now.getTime())
}
