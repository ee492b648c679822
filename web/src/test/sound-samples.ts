import type { EndpointOutput } from '#contract/endpoint.ts'
import type { listSounds, Sound } from '#contract/sounds.ts'
import { inDays } from './samples.ts'

let lastId = 0

/** A sound of somebody of the circle, which everybody in it may play. */
export function aSound(overrides: Partial<Sound> = {}): Sound {
  lastId += 1
  const id = `sound-${lastId}`
  return {
    id,
    title: `La berceuse (${lastId})`,
    author_id: 'user-noemie',
    author_pseudo: 'noemie',
    author_avatar: null,
    category: 'message',
    created_at: inDays(-2),
    is_favorite: false,
    play_count: 4,
    reveal_date: null,
    time_zone: 'Europe/Brussels',
    is_revealed: true,
    reveal_message: null,
    can_access: true,
    recipient_id: null,
    recipient_pseudo: null,
    is_public: true,
    can_delete: false,
    description: '',
    file_name: 'voix.webm',
    file_size: 12_000,
    mime_type: 'audio/webm',
    duration: 180,
    file_url: `/api/secure-file/audio/${id}.webm?token=t1`,
    file_mobile_url: `/api/audio/${id}.m4a?token=t1`,
    download_url: `/api/secure-file/audio/${id}.webm?token=t1`,
    has_waveform: true,
    ...overrides,
  }
}

/** What anybody but its author is told of a sound before its instant. */
export function aLockedSound(overrides: Partial<Sound> = {}): Sound {
  const {
    description: _description,
    file_name: _name,
    file_size: _size,
    mime_type: _type,
    duration: _duration,
    file_url: _url,
    file_mobile_url: _mobile,
    download_url: _download,
    has_waveform: _waveform,
    ...envelope
  } = aSound({ is_revealed: false, can_access: false, reveal_date: inDays(3), play_count: 0 })
  return { ...envelope, ...overrides }
}

export function aSoundPage(
  sounds: Sound[],
  rest: Partial<EndpointOutput<typeof listSounds>> = {},
): EndpointOutput<typeof listSounds> {
  return {
    sounds,
    next_cursor: null,
    count: sounds.length,
    totals: {
      sounds: sounds.length,
      duration: sounds.reduce((sum, { duration = 0 }) => sum + duration, 0),
      favorites: sounds.filter(({ is_favorite }) => is_favorite).length,
      plays: sounds.reduce((sum, { play_count }) => sum + play_count, 0),
    },
    ...rest,
  }
}
