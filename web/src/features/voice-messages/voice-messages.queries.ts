import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  countPlay,
  deleteSound,
  getSound,
  getWaveform,
  listSounds,
  toggleFavorite,
} from '#contract/sounds.ts'
import { callApi } from '#web/lib/api-client.ts'
import type { VoiceMessage } from './voice-message.ts'
import {
  findPage,
  findVoiceMessage,
  patchVoiceMessage,
  removeVoiceMessage,
  updateVoiceMessages,
  VOICE_MESSAGE_LIST_KEY,
  VOICE_MESSAGES_KEY,
} from './voice-message-cache.ts'

/** How many voice messages the viewer may know of. */
export function voiceMessagesCountQuery() {
  return queryOptions({
    queryKey: [...VOICE_MESSAGES_KEY, 'count'],
    queryFn: async ({ signal }) => {
      const { count } = await callApi(listSounds, { querystring: { limit: 1 } }, { signal })
      return count
    },
  })
}

export function voiceMessagesQuery() {
  return infiniteQueryOptions({
    queryKey: VOICE_MESSAGE_LIST_KEY,
    queryFn: async ({ pageParam, signal }) => {
      const page = await fetchPage(pageParam, signal)
      // Parsing a page fills one frame; rendering it needs another.
      if (pageParam) await new Promise((resolve) => setTimeout(resolve, FRAMES_MS))
      return page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
}

/** What a slow phone parses between two frames while it scrolls; the first page has the length of the server. */
const PAGE_LENGTH = 50
/** Two frames. */
const FRAMES_MS = 33

function fetchPage(cursor: string | null, signal?: AbortSignal) {
  const querystring = cursor ? { cursor, limit: PAGE_LENGTH } : {}
  return callApi(listSounds, { querystring }, { ...(signal && { signal }) })
}

export function waveformQuery(id: string) {
  return queryOptions({
    queryKey: ['waveform', id],
    queryFn: ({ signal }) => callApi(getWaveform, { params: { id } }, { signal }),
    // A waveform never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Fetches a voice message again, with new tickets. */
export async function refetchVoiceMessage(client: QueryClient, id: string): Promise<VoiceMessage> {
  const { sound: voiceMessage } = await callApi(getSound, { params: { id } })
  patchVoiceMessage(client, id, () => voiceMessage)
  return voiceMessage
}

/** Refetches the page of the list that has a voice message, with the totals. */
export async function refetchPageOf(client: QueryClient, id: string): Promise<void> {
  const page = findPage(client, id)
  if (page) {
    const fresh = await fetchPage(page.cursor)
    updateVoiceMessages(client, fresh)
    if (fresh.sounds.some((voiceMessage) => voiceMessage.id === id)) return
  }
  // It moved to another page, or was deleted.
  await client.refetchQueries({ queryKey: VOICE_MESSAGE_LIST_KEY })
}

/** Counts a play, optimistically: a failure rolls back without a message. */
export function useCountPlay() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (id: string) => callApi(countPlay, { params: { id } }),
    onMutate: (id) => {
      const shown = (findVoiceMessage(client, id)?.play_count ?? 0) + 1
      patchVoiceMessage(client, id, (voiceMessage) => ({ ...voiceMessage, play_count: shown }), {
        plays: 1,
      })
      return shown
    },
    onSuccess: ({ play_count }, id) =>
      patchVoiceMessage(client, id, (voiceMessage) => ({ ...voiceMessage, play_count })),
    onError: (_, id, shown) => {
      // A list that was refetched meanwhile has the true figure.
      if (findVoiceMessage(client, id)?.play_count !== shown) return
      patchVoiceMessage(
        client,
        id,
        (voiceMessage) => ({ ...voiceMessage, play_count: voiceMessage.play_count - 1 }),
        {
          plays: -1,
        },
      )
    },
  })
  return mutate
}

/** Toggles a favourite, optimistically: a failure rolls back without a message. */
export function useToggleFavorite() {
  const client = useQueryClient()
  const show = (id: string, isFavorite: boolean) => {
    if (findVoiceMessage(client, id)?.is_favorite === isFavorite) return
    const favorites = isFavorite ? 1 : -1
    patchVoiceMessage(
      client,
      id,
      (voiceMessage) => ({ ...voiceMessage, is_favorite: isFavorite }),
      { favorites },
    )
  }
  const { mutate } = useMutation({
    mutationFn: ({ id, isFavorite }: { id: string; isFavorite: boolean }) =>
      callApi(toggleFavorite, { params: { id }, body: { is_favorite: isFavorite } }),
    // Repeated taps reach the server in their order.
    scope: { id: 'favorites' },
    onMutate: ({ id, isFavorite }) => show(id, isFavorite),
    onSuccess: ({ is_favorite }, { id }) => show(id, is_favorite),
    onError: (_, { id, isFavorite }) => show(id, !isFavorite),
  })
  return ({ id, is_favorite }: VoiceMessage) => mutate({ id, isFavorite: !is_favorite })
}

export function useDeleteVoiceMessage(onDeleted: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(deleteSound, { params: { id } }),
    onSuccess: (_, id) => {
      onDeleted(id)
      removeVoiceMessage(client, id)
      // Only the server knows the totals that remain.
      void client.invalidateQueries({ queryKey: VOICE_MESSAGES_KEY })
    },
  })
}
