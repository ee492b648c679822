import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { listSounds, SoundTotals } from '#contract/sounds.ts'
import type { VoiceMessage } from './voice-message.ts'

export type VoiceMessagePage = EndpointOutput<typeof listSounds>
type VoiceMessagePages = InfiniteData<VoiceMessagePage, string | null>

/** Every query about voice messages starts with it: a change of any of them invalidates all. */
export const VOICE_MESSAGES_KEY = ['sounds'] as const
export const VOICE_MESSAGE_LIST_KEY = [...VOICE_MESSAGES_KEY, 'list'] as const

/** The newest answer has the true totals. */
export function voiceMessagesIn(pages: readonly VoiceMessagePage[]): {
  voiceMessages: VoiceMessage[]
  totals: SoundTotals | undefined
} {
  const totals = pages.at(-1)?.totals
  const byId = new Map(pages.flatMap(({ sounds }) => sounds).map((sound) => [sound.id, sound]))
  return { voiceMessages: [...byId.values()], totals }
}

export function findVoiceMessage(client: QueryClient, id: string): VoiceMessage | undefined {
  const list = client.getQueryData<VoiceMessagePages>(VOICE_MESSAGE_LIST_KEY)
  return list?.pages.flatMap(({ sounds }) => sounds).find((sound) => sound.id === id)
}

/** The cursor of the page that lists a voice message; undefined when none does. */
export function findPage(client: QueryClient, id: string): { cursor: string | null } | undefined {
  const list = client.getQueryData<VoiceMessagePages>(VOICE_MESSAGE_LIST_KEY)
  const index = list?.pages.findIndex(({ sounds }) => sounds.some((sound) => sound.id === id)) ?? -1
  return list && index >= 0 ? { cursor: list.pageParams[index] ?? null } : undefined
}

/** Changes one voice message where it is shown; `difference` is what the change adds to the totals. */
export function patchVoiceMessage(
  client: QueryClient,
  id: string,
  change: (voiceMessage: VoiceMessage) => VoiceMessage,
  difference: Partial<SoundTotals> = {},
): void {
  updatePages(client, (page) => ({
    ...page,
    totals: addTotals(page.totals, difference),
    sounds: page.sounds.some((sound) => sound.id === id)
      ? page.sounds.map((sound) => (sound.id === id ? change(sound) : sound))
      : page.sounds,
  }))
}

/** Puts a refetched page over the list: no row comes, leaves or changes place. */
export function updateVoiceMessages(client: QueryClient, fresh: VoiceMessagePage): void {
  const byId = new Map(fresh.sounds.map((sound) => [sound.id, sound]))
  updatePages(client, (page) => ({
    ...page,
    totals: fresh.totals,
    count: fresh.count,
    sounds: page.sounds.map((sound) => byId.get(sound.id) ?? sound),
  }))
}

export function removeVoiceMessage(client: QueryClient, id: string): void {
  updatePages(client, (page) => ({
    ...page,
    count: page.count - 1,
    totals: addTotals(page.totals, { sounds: -1 }),
    sounds: page.sounds.filter((sound) => sound.id !== id),
  }))
}

function addTotals(totals: SoundTotals, difference: Partial<SoundTotals>): SoundTotals {
  return {
    sounds: totals.sounds + (difference.sounds ?? 0),
    duration: totals.duration + (difference.duration ?? 0),
    favorites: totals.favorites + (difference.favorites ?? 0),
    plays: totals.plays + (difference.plays ?? 0),
  }
}

function updatePages(
  client: QueryClient,
  change: (page: VoiceMessagePage) => VoiceMessagePage,
): void {
  client.setQueryData<VoiceMessagePages>(
    VOICE_MESSAGE_LIST_KEY,
    (list) => list && { ...list, pages: list.pages.map(change) },
  )
}
