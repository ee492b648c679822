import * as z from 'zod/mini'
import { SOUND_CATEGORIES, type SoundInput } from '#contract/sounds.ts'
import { dayFromNow, revealDateOf } from '#web/features/revelations/reveal-moment.ts'
import { formatNarrowInstant } from '#web/lib/dates.ts'

/** The form about a voice message, with the names of the API where it has them. Stored data. */
export const voiceMessageDraftSchema = z.object({
  title: z.string(),
  description: z.string(),
  /** Empty for the whole circle. */
  recipient_id: z.string(),
  category: z.enum(SOUND_CATEGORIES),
  is_scheduled: z.boolean(),
  day: z.string(),
  time: z.string(),
  reveal_message: z.string(),
})
export type VoiceMessageDraft = z.infer<typeof voiceMessageDraftSchema>

export function newDraft(title: string, timeZone: string, recipientId = ''): VoiceMessageDraft {
  return {
    title,
    description: '',
    recipient_id: recipientId,
    category: 'message',
    is_scheduled: false,
    day: dayFromNow(1, timeZone),
    time: '',
    reveal_message: '',
  }
}

/** « Message vocal du 22 nov. 2026 à 01:09 »: short enough for a phone. */
export function recordingTitle(startedAtMs: number, timeZone: string): string {
  return `Message vocal du ${formatNarrowInstant(new Date(startedAtMs), timeZone)}`
}

/** The body of `createSound` without the file. */
export type VoiceMessageInput = Omit<SoundInput, 'file_url'>

export function inputOf(draft: VoiceMessageDraft, timeZone: string): VoiceMessageInput {
  const { title, description, recipient_id, category, is_scheduled, reveal_message } = draft
  return {
    title,
    description: description.trim() || null,
    category,
    recipient_id: recipient_id || null,
    is_public: recipient_id === '',
    reveal_date: is_scheduled ? revealDateOf(draft, timeZone) : null,
    time_zone: timeZone,
    reveal_message: (is_scheduled && reveal_message.trim()) || null,
  }
}
