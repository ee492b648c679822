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
  type Sound,
  toggleFavorite,
} from '#contract/sounds.ts'
import { callApi } from '#web/lib/api-client.ts'
import {
  findSound,
  forgetSound,
  pageOf,
  patchSound,
  renewSounds,
  SOUND_LIST_KEY,
  SOUNDS_KEY,
} from './sound-cache.ts'

/** How many sounds there are for me. */
export function soundsCountQuery() {
  return queryOptions({
    queryKey: [...SOUNDS_KEY, 'count'],
    queryFn: async ({ signal }) => {
      const { count } = await callApi(listSounds, { querystring: { limit: 1 } }, { signal })
      return count
    },
  })
}

/** The sounds, the newest first: page after page. */
export function soundsQuery() {
  return infiniteQueryOptions({
    queryKey: SOUND_LIST_KEY,
    queryFn: async ({ pageParam, signal }) => {
      const page = await askPage(pageParam, signal)
      // Reading it was the work of one frame, showing it is that of another.
      if (pageParam) await new Promise((resolve) => setTimeout(resolve, FRAMES_MS))
      return page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
}

/** Of the pages after the first: as many as are read between two frames of a slow phone that scrolls. */
const PAGE = 50
/** Two frames. */
const FRAMES_MS = 33

function askPage(cursor: string | null, signal?: AbortSignal) {
  const querystring = cursor ? { cursor, limit: PAGE } : {}
  return callApi(listSounds, { querystring }, { ...(signal && { signal }) })
}

/** The shape of a sound never changes. */
export function waveformQuery(id: string) {
  return queryOptions({
    queryKey: ['waveform', id],
    queryFn: ({ signal }) => callApi(getWaveform, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A sound with new tickets. */
export async function renewSound(client: QueryClient, id: string): Promise<Sound> {
  const { sound } = await callApi(getSound, { params: { id } })
  patchSound(client, id, () => sound)
  return sound
}

/** Asks again for a sound and its neighbours, and for what all of them add up to. */
export async function renewPageOf(client: QueryClient, id: string): Promise<void> {
  const page = pageOf(client, id)
  if (page) {
    const fresh = await askPage(page.cursor)
    renewSounds(client, fresh)
    if (fresh.sounds.some((sound) => sound.id === id)) return
  }
  // Newer sounds have pushed it to another page, or it was deleted.
  await client.refetchQueries({ queryKey: SOUND_LIST_KEY })
}

/** Counts that I listen. It is seen at once, and taken back in silence when it could not be counted. */
export function useCountPlay() {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (id: string) => callApi(countPlay, { params: { id } }),
    onMutate: (id) => {
      const shown = (findSound(client, id)?.play_count ?? 0) + 1
      patchSound(client, id, (sound) => ({ ...sound, play_count: shown }), { plays: 1 })
      return shown
    },
    onSuccess: ({ play_count }, id) =>
      patchSound(client, id, (sound) => ({ ...sound, play_count })),
    onError: (_, id, shown) => {
      // The list may have been asked again meanwhile: then its figure is the true one.
      if (findSound(client, id)?.play_count !== shown) return
      patchSound(client, id, (sound) => ({ ...sound, play_count: sound.play_count - 1 }), {
        plays: -1,
      })
    },
  })
  return mutate
}

/** Keeps a sound among my favourites or no longer; what fails goes back in silence. */
export function useTurnFavorite() {
  const client = useQueryClient()
  const show = (id: string, isFavorite: boolean) => {
    if (findSound(client, id)?.is_favorite === isFavorite) return
    const favorites = isFavorite ? 1 : -1
    patchSound(client, id, (sound) => ({ ...sound, is_favorite: isFavorite }), { favorites })
  }
  const { mutate } = useMutation({
    mutationFn: ({ id, isFavorite }: { id: string; isFavorite: boolean }) =>
      callApi(toggleFavorite, { params: { id }, body: { is_favorite: isFavorite } }),
    // Taps in a row reach the server in their order.
    scope: { id: 'favorites' },
    onMutate: ({ id, isFavorite }) => show(id, isFavorite),
    onSuccess: ({ is_favorite }, { id }) => show(id, is_favorite),
    onError: (_, { id, isFavorite }) => show(id, !isFavorite),
  })
  return ({ id, is_favorite }: Sound) => mutate({ id, isFavorite: !is_favorite })
}

export function useDeleteSound(onDeleted: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(deleteSound, { params: { id } }),
    onSuccess: (_, id) => {
      onDeleted(id)
      forgetSound(client, id)
      // What is left of lengths, plays and favourites is the server’s to say.
      void client.invalidateQueries({ queryKey: SOUNDS_KEY })
    },
  })
}
