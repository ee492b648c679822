import type { FieldErrors, Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import { SOUND_CATEGORIES, type SoundInput, soundInputSchema } from '#contract/sounds.ts'
import {
  dayFromNow,
  revealDateOf,
  validateMoment,
} from '#web/features/revelations/reveal-moment.ts'

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
  const day = new Intl.DateTimeFormat('fr', { timeZone, dateStyle: 'medium' }).format(startedAtMs)
  const time = new Intl.DateTimeFormat('fr', { timeZone, timeStyle: 'short' }).format(startedAtMs)
  return `Message vocal du ${day} à ${time}`
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

/** The field of the form for a name of the API. */
export function fieldOf(name: string): keyof VoiceMessageDraft | undefined {
  if (name === 'reveal_date' || name === 'time_zone') return 'day'
  if (name === 'is_public') return 'recipient_id'
  return name in voiceMessageDraftSchema.shape ? (name as keyof VoiceMessageDraft) : undefined
}

const TOO_EARLY = 'La date de révélation ne peut pas être dans le passé'

/** Validates the form with the schema of the server, and the day with the rule of the page. */
export function draftResolver(timeZone: string): Resolver<VoiceMessageDraft> {
  return (draft) => {
    const errors: FieldErrors<VoiceMessageDraft> = {}
    const input = { ...inputOf(draft, timeZone), file_url: 'known once it is sent' }
    for (const { path, message } of soundInputSchema.safeParse(input).error?.issues ?? []) {
      const field = fieldOf(String(path[0]))
      if (field) errors[field] ??= { type: 'invalid', message }
    }
    if (draft.is_scheduled) {
      const rule = { firstDay: dayFromNow(0, timeZone), tooEarly: TOO_EARLY }
      const refusal = validateMoment(draft, timeZone, rule)
      if (refusal) errors.day ??= { type: 'invalid', message: refusal }
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: draft, errors: {} }
  }
}
