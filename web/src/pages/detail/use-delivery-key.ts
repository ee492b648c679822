import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { keepDeliveryKey, keyInFragment } from '#web/lib/delivery-key.ts'

/**
 * Takes the personal key of a delivery mail out of the address: it stays with this tab and goes to the server in a
 * header, never into an address, a log or the history.
 */
export function useDeliveryKey(revelationId: string): void {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const key = keyInFragment(hash)
  const [kept, setKept] = useState<string>()
  // Kept before the first question goes out, and once: whoever signs out meanwhile leaves no key behind.
  if (key && key !== kept) {
    setKept(key)
    keepDeliveryKey(revelationId, key)
  }
  useEffect(() => {
    if (!key) return
    navigate(pathname + search, { replace: true })
    // A page that was open already had its answer without the key.
    const { queryKey } = revelationQuery(revelationId)
    if (client.getQueryState(queryKey)?.fetchStatus !== 'fetching') {
      void client.invalidateQueries({ queryKey })
    }
  }, [key, pathname, search, revelationId, navigate, client])
}
