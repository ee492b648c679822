import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listUploads, type OpenUpload } from '#contract/uploads.ts'
import { callApi } from '#web/lib/api-client.ts'
import { listHeld } from '#web/lib/tab-locks.ts'
import { HELD_UPLOADS } from './held-upload.ts'
import type { KeptUpload } from './kept-upload.ts'
import { eraseUpload, listKeptUploads, uploadsNews } from './uploads-store.ts'

const KEY = 'uploads'
// Whoever has not come back by then has let it be; the room of their device is theirs.
const KEPT_ON_DEVICE_MS = 7 * 86_400_000

const HELD_POLL_MS = 5_000

/** A file that was on its way and is in no tab's hands. */
export interface WaitingUpload {
  key: string
  uploadId: string | undefined
  name: string
  sizeBytes: number
  receivedBytes: number
  /** What this device knows of it; nothing when it was begun on another. */
  kept: KeptUpload | undefined
}

function waitingQuery(ownerId: string) {
  return queryOptions({
    queryKey: [KEY, ownerId],
    queryFn: () => listWaiting(ownerId),
    // What lies on this device is known without a network.
    networkMode: 'always',
    refetchOnReconnect: true,
    staleTime: 0,
    retry: false,
    // A tab that is closed tells nobody.
    refetchInterval: ({ state }) => (state.data?.isSomeHeld ? HELD_POLL_MS : false),
  })
}

/** This account's files that were on their way, begun here or elsewhere. */
export function useWaitingUploads(ownerId: string): WaitingUpload[] {
  const client = useQueryClient()
  const { data } = useQuery(waitingQuery(ownerId))
  useEffect(
    () => uploadsNews.listen(() => void client.invalidateQueries({ queryKey: [KEY] })),
    [client],
  )
  return data?.waiting ?? []
}

async function listWaiting(ownerId: string) {
  const [all, held, open] = await Promise.all([
    listKeptUploads(ownerId).catch(() => []),
    listHeld(HELD_UPLOADS),
    callApi(listUploads).then(
      ({ uploads }) => uploads,
      () => undefined,
    ),
  ])
  const free = all.filter(({ id }) => !held.has(id))
  const dead = open ? free.filter((kept) => isDead(kept, open)) : []
  await Promise.all(dead.map(({ id }) => eraseUpload(ownerId, id)))
  const here = free.filter((kept) => !dead.includes(kept)).map((kept) => asWaiting(kept, open))
  const known = new Set(all.map(({ uploadId }) => uploadId))
  const elsewhere = open?.filter(({ id }) => !known.has(id)) ?? []
  const waiting: WaitingUpload[] = [...here, ...elsewhere.map(begunElsewhere)]
  return { waiting, isSomeHeld: held.size > 0 }
}

/** The server has nothing of it, and neither has this device, or not for long. */
function isDead(kept: KeptUpload, open: OpenUpload[]): boolean {
  if (open.some(({ id }) => id === kept.uploadId)) return false
  const isOld = Date.now() - kept.touchedAtMs > KEPT_ON_DEVICE_MS
  return isOld || (!kept.hasFile && !kept.arrivedPath)
}

function asWaiting(kept: KeptUpload, open: OpenUpload[] | undefined): WaitingUpload {
  const { id: key, uploadId, name, sizeBytes } = kept
  const { received } = open?.find(({ id }) => id === uploadId) ?? {}
  // What the server does not list any more has to be sent from its first byte, unless it has arrived.
  const lastKnown = open && !kept.arrivedPath ? 0 : kept.receivedBytes
  return { key, uploadId, name, sizeBytes, receivedBytes: received ?? lastKnown, kept }
}

function begunElsewhere({ id, name, size, received }: OpenUpload): WaitingUpload {
  return { key: id, uploadId: id, name, sizeBytes: size, receivedBytes: received, kept: undefined }
}
