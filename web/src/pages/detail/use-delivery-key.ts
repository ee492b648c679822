import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { keepDeliveryKey, keyInFragment } from '#web/features/revelations/delivery-key.ts'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'

/**
 * Takes the personal key of a delivery mail out of the address: it stays with this tab and goes to the server in a
 * header, never into an address, a log or the history.
 */
export function useDeliveryKey(revelationId: string): void {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const key = keyInFragment(hash)
  // Kept before the first question goes out; keeping it twice is the same.
  if (key) keepDeliveryKey(revelationId, key)
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
