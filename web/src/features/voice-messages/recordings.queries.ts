import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import {
  deleteRecording,
  listLockedRecordings,
  listRecordings,
  type Recording,
  recordingsBroadcast,
} from './recording-store.ts'

const KEY = 'recordings'

function unsentQuery(ownerId: string) {
  return queryOptions({
    queryKey: [KEY, ownerId],
    queryFn: () => listUnsent(ownerId),
    // The device has it: reading needs no network.
    networkMode: 'always',
    staleTime: 0,
    retry: false,
  })
}

/** The unsent recordings of this account on this device that no tab has locked. */
export function useUnsentRecordings(ownerId: string): Recording[] {
  const client = useQueryClient()
  const { data = [] } = useQuery(unsentQuery(ownerId))
  useEffect(
    () => recordingsBroadcast.listen(() => void client.invalidateQueries({ queryKey: [KEY] })),
    [client],
  )
  return data
}

/** Ids of the uploads of recordings: they resume with their recording, not as a file of a letter. */
export function useVoiceUploads(ownerId: string): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: [KEY, ownerId, 'uploads'],
    queryFn: async () => (await listRecordings(ownerId)).map(({ transferId }) => transferId ?? ''),
    networkMode: 'always',
    staleTime: 0,
    retry: false,
  })
  return useMemo(() => new Set(data), [data])
}

async function listUnsent(ownerId: string): Promise<Recording[]> {
  const all = await listRecordings(ownerId)
  const locked = await listLockedRecordings()
  const free = all.filter(({ id }) => !locked.has(id))
  // A recording that ended before its first second is empty.
  const empty = free.filter(({ sizeBytes }) => sizeBytes === 0)
  await Promise.all(empty.map(({ id }) => deleteRecording(ownerId, id)))
  return free.filter(({ sizeBytes }) => sizeBytes > 0)
}
