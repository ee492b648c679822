import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { KeptRecording } from './kept-recording.ts'
import { listHeldRecordings } from './recording-lock.ts'
import { eraseRecording, listRecordings, recordingsNews } from './recording-store.ts'

const KEY = 'recordings'

function unsentQuery(ownerId: string) {
  return queryOptions({
    queryKey: [KEY, ownerId],
    queryFn: () => listUnsent(ownerId),
    // It lies on this device: no network is needed to read it.
    networkMode: 'always',
    staleTime: 0,
    retry: false,
  })
}

/** What this account recorded on this device and did not send, apart from what a tab is busy with. */
export function useUnsentRecordings(ownerId: string): KeptRecording[] {
  const client = useQueryClient()
  const { data = [] } = useQuery(unsentQuery(ownerId))
  useEffect(
    () => recordingsNews.listen(() => void client.invalidateQueries({ queryKey: [KEY] })),
    [client],
  )
  return data
}

/** The uploads that belong to voices of this device: they are offered with them. */
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

async function listUnsent(ownerId: string): Promise<KeptRecording[]> {
  const all = await listRecordings(ownerId)
  const held = await listHeldRecordings()
  const free = all.filter(({ id }) => !held.has(id))
  // Ended before its first second: there is nothing to hear.
  const empty = free.filter(({ sizeBytes }) => sizeBytes === 0)
  await Promise.all(empty.map(({ id }) => eraseRecording(ownerId, id)))
  return free.filter(({ sizeBytes }) => sizeBytes > 0)
}
