import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { listSounds, Sound, SoundTotals } from '#contract/sounds.ts'

export type SoundPage = EndpointOutput<typeof listSounds>
type SoundList = InfiniteData<SoundPage, string | null>

/** All that is known of sounds; whoever shares one invalidates it. */
export const SOUNDS_KEY = ['sounds'] as const
export const SOUND_LIST_KEY = [...SOUNDS_KEY, 'list'] as const

/** The list as it is known now; the newest answer alone knows how many there are. */
export function soundsIn(pages: readonly SoundPage[]): {
  sounds: Sound[]
  totals: SoundTotals | undefined
} {
  const totals = pages.at(-1)?.totals
  const sounds = new Map(pages.flatMap((page) => page.sounds).map((sound) => [sound.id, sound]))
  return { sounds: [...sounds.values()], totals }
}

export function findSound(client: QueryClient, id: string): Sound | undefined {
  const list = client.getQueryData<SoundList>(SOUND_LIST_KEY)
  return list?.pages.flatMap((page) => page.sounds).find((sound) => sound.id === id)
}

/** The cursor of the page a sound is on; undefined when it is on none. */
export function pageOf(client: QueryClient, id: string): { cursor: string | null } | undefined {
  const list = client.getQueryData<SoundList>(SOUND_LIST_KEY)
  const index = list?.pages.findIndex((page) => page.sounds.some((sound) => sound.id === id)) ?? -1
  return list && index >= 0 ? { cursor: list.pageParams[index] ?? null } : undefined
}

/** Changes one sound where it is shown, and by how much that moves the totals. */
export function patchSound(
  client: QueryClient,
  id: string,
  change: (sound: Sound) => Sound,
  moved: Partial<SoundTotals> = {},
): void {
  changePages(client, (page) => ({
    ...page,
    totals: added(page.totals, moved),
    sounds: page.sounds.some((sound) => sound.id === id)
      ? page.sounds.map((sound) => (sound.id === id ? change(sound) : sound))
      : page.sounds,
  }))
}

/** Puts a page that was asked again over what is known: no row comes, leaves or changes place. */
export function renewSounds(client: QueryClient, fresh: SoundPage): void {
  const byId = new Map(fresh.sounds.map((sound) => [sound.id, sound]))
  changePages(client, (page) => ({
    ...page,
    totals: fresh.totals,
    count: fresh.count,
    sounds: page.sounds.map((sound) => byId.get(sound.id) ?? sound),
  }))
}

export function forgetSound(client: QueryClient, id: string): void {
  changePages(client, (page) => ({
    ...page,
    count: page.count - 1,
    totals: added(page.totals, { sounds: -1 }),
    sounds: page.sounds.filter((sound) => sound.id !== id),
  }))
}

function added(totals: SoundTotals, moved: Partial<SoundTotals>): SoundTotals {
  return {
    sounds: totals.sounds + (moved.sounds ?? 0),
    duration: totals.duration + (moved.duration ?? 0),
    favorites: totals.favorites + (moved.favorites ?? 0),
    plays: totals.plays + (moved.plays ?? 0),
  }
}

function changePages(client: QueryClient, change: (page: SoundPage) => SoundPage): void {
  client.setQueryData<SoundList>(
    SOUND_LIST_KEY,
    (list) => list && { ...list, pages: list.pages.map(change) },
  )
}
