import type { Revelation } from '#contract/revelations.ts'
import { useRefreshRevelation } from './revelations.queries.ts'

/** Asks for the revelation again and picks one address of it: its ticket is a new one. */
export function useRenewUrl(revelationId: string) {
  const refresh = useRefreshRevelation()
  return (pick: (revelation: Revelation) => string | null) => async () =>
    pick(await refresh(revelationId))
}
