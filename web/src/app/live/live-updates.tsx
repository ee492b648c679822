import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type LiveConnection, openLiveConnection } from './live-connection.ts'
import { useKeptPush } from './use-kept-push.ts'
import { usePageVisible } from './use-page-visible.ts'
import { useShownRevelations } from './use-shown-revelations.ts'

/**
 * Keeps the open page of a signed-in person up to date by one stream of events; shows nothing itself. A hidden page
 * follows nothing: it spares the battery and the few connections of a browser, and asks again when it is looked at. Who is
 * told on this device by notifications goes on being told.
 */
export function LiveUpdates() {
  const client = useQueryClient()
  const isVisible = usePageVisible()
  const shown = useShownRevelations()
  useKeptPush()
  const connection = useRef<LiveConnection>(undefined)

  useEffect(() => {
    if (!isVisible) return
    const opened = openLiveConnection(client)
    connection.current = opened
    return () => {
      connection.current = undefined
      opened.close()
    }
  }, [client, isVisible])

  useEffect(() => {
    if (isVisible) connection.current?.watch(shown)
  }, [isVisible, shown])

  return null
}
