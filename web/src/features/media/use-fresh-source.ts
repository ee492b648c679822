import { useState } from 'react'

/** Asks for the same file again, under an address whose ticket is new; null when there is none any more. */
export type RenewUrl = () => Promise<string | null>

/**
 * The address a player keeps. Tickets change each time the page asks for the revelation: a new ticket for the same
 * file must not start it again, and one that is refused is worth one new ticket.
 */
export function useFreshSource(url: string, renew: RenewUrl) {
  const [source, setSource] = useState(url)
  if (fileOf(url) !== fileOf(source)) setSource(url)
  /** True when there is a new address to try; the player starts it by itself. */
  const freshen = async (): Promise<boolean> => {
    const fresh = await renew().catch(() => null)
    if (!fresh || fresh === source) return false
    setSource(fresh)
    return true
  }
  return { source, freshen }
}

function fileOf(url: string): string {
  return url.split('?')[0] ?? url
}
