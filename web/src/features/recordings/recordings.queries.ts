import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { KeptRecording } from './kept-recording.ts'
import { listHeldRecordings } from './recording-lock.ts'
import { eraseRecording, listRecordings, onRecordingsChanged } from './recording-store.ts'

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
    () => onRecordingsChanged(() => void client.invalidateQueries({ queryKey: [KEY] })),
    [client],
  )
  return data
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
