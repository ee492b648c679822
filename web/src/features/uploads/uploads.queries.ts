import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listUploads, type OpenUpload } from '#contract/uploads.ts'
import { callApi } from '#web/lib/api-client.ts'
import {
  deleteStoredUpload,
  listLockedUploads,
  listStoredUploads,
  type StoredUpload,
  uploadsBroadcast,
} from './uploads-store.ts'

const KEY = 'uploads'
// After this long the device deletes its copy.
const MAX_AGE_MS = 7 * 86_400_000

const LOCKED_POLL_MS = 5_000

/** An unfinished upload that no tab has locked. */
export interface WaitingUpload {
  key: string
  uploadId: string | undefined
  name: string
  sizeBytes: number
  receivedBytes: number
  /** Undefined when another device began it. */
  stored: StoredUpload | undefined
}

function waitingQuery(ownerId: string) {
  return queryOptions({
    queryKey: [KEY, ownerId],
    queryFn: () => listWaiting(ownerId),
    // Stored uploads are known without a network.
    networkMode: 'always',
    refetchOnReconnect: true,
    staleTime: 0,
    retry: false,
    // A closed tab announces nothing.
    refetchInterval: ({ state }) => (state.data?.isSomeLocked ? LOCKED_POLL_MS : false),
  })
}

/** The unfinished uploads of this account, begun on this device or another. */
export function useWaitingUploads(ownerId: string): WaitingUpload[] {
  const client = useQueryClient()
  const { data } = useQuery(waitingQuery(ownerId))
  useEffect(
    () => uploadsBroadcast.listen(() => void client.invalidateQueries({ queryKey: [KEY] })),
    [client],
  )
  return data?.waiting ?? []
}

async function listWaiting(ownerId: string) {
  const [all, locked, open] = await Promise.all([
    listStoredUploads(ownerId).catch(() => []),
    listLockedUploads(),
    callApi(listUploads).then(
      ({ uploads }) => uploads,
      () => undefined,
    ),
  ])
  const free = all.filter(({ id }) => !locked.has(id))
  const expired = open ? free.filter((stored) => isExpired(stored, open)) : []
  await Promise.all(expired.map(({ id }) => deleteStoredUpload(ownerId, id)))
  const here = free
    .filter((stored) => !expired.includes(stored))
    .map((stored) => asWaiting(stored, open))
  const known = new Set(all.map(({ uploadId }) => uploadId))
  const elsewhere = open?.filter(({ id }) => !known.has(id)) ?? []
  const waiting: WaitingUpload[] = [...here, ...elsewhere.map(begunElsewhere)]
  return { waiting, isSomeLocked: locked.size > 0 }
}

/** Whether neither the server nor this device has anything of it, or for too long. */
function isExpired(stored: StoredUpload, open: OpenUpload[]): boolean {
  if (open.some(({ id }) => id === stored.uploadId)) return false
  // What belongs to a draft goes with it.
  const isOld = !stored.draftId && Date.now() - stored.touchedAtMs > MAX_AGE_MS
  return isOld || (!stored.draftId && !stored.hasFile && !stored.arrivedPath)
}

function asWaiting(stored: StoredUpload, open: OpenUpload[] | undefined): WaitingUpload {
  const { id: key, uploadId, name, sizeBytes } = stored
  const { received } = open?.find(({ id }) => id === uploadId) ?? {}
  // An upload that the server no longer lists restarts from its first byte, unless it has arrived.
  const lastKnown = open && !stored.arrivedPath ? 0 : stored.receivedBytes
  return { key, uploadId, name, sizeBytes, receivedBytes: received ?? lastKnown, stored }
}

function begunElsewhere({ id, name, size, received }: OpenUpload): WaitingUpload {
  return {
    key: id,
    uploadId: id,
    name,
    sizeBytes: size,
    receivedBytes: received,
    stored: undefined,
  }
}
