import type { FieldErrors, Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  CATEGORIES,
  type OwnRevelation,
  VISIBILITIES,
  type Visibility,
} from '#contract/revelations.ts'
import { createRevelationInputSchema } from '#contract/sealing.ts'
import { dayAt, timeAt } from '#contract/zoned-time.ts'
import { dayFromNow, type MomentRule, refuseMoment, revealDateOf } from './reveal-moment.ts'

/** What is typed and chosen in the form, under the names of the wire where it has them. */
export const revelationDraftSchema = z.object({
  title: z.string(),
  content: z.string(),
  target_email: z.string(),
  // A draft that was kept before there were two has one.
  second_email: z._default(z.string(), ''),
  day: z.string(),
  time: z.string(),
  category: z.enum(CATEGORIES),
  visibility: z.enum(VISIBILITIES),
})
export type RevelationDraft = z.infer<typeof revelationDraftSchema>

/** The defaults of behaviour.md 3.1: public, general, tomorrow. */
export function emptyDraft(timeZone: string, visibility: Visibility = 'public'): RevelationDraft {
  return {
    title: '',
    content: '',
    target_email: '',
    second_email: '',
    day: dayFromNow(1, timeZone),
    time: '',
    category: 'general',
    visibility,
  }
}

export function draftOf(revelation: OwnRevelation): RevelationDraft {
  const { title, content, target_email, category, visibility, reveal_date, time_zone } = revelation
  const { second_delivery } = revelation
  const instant = new Date(reveal_date)
  const time = timeAt(instant, time_zone)
  return {
    title,
    content,
    target_email,
    second_email: second_delivery?.address ?? '',
    day: dayAt(instant, time_zone),
    time: time === '00:00' ? '' : time,
    category,
    visibility,
  }
}

export function inputOf(draft: RevelationDraft, timeZone: string) {
  const { title, content, target_email, second_email, category, visibility } = draft
  return {
    title,
    content,
    target_email,
    second_email: second_email.trim() || null,
    reveal_date: draft.day && revealDateOf(draft, timeZone),
    time_zone: timeZone,
    category,
    visibility,
    is_private: visibility === 'private',
  }
}

/** The field of the form that a name of the wire belongs to. */
export function fieldOf(name: string): keyof RevelationDraft | undefined {
  if (name === 'reveal_date' || name === 'time_zone') return 'day'
  return name in revelationDraftSchema.shape ? (name as keyof RevelationDraft) : undefined
}

const SAME_ADDRESS = 'Cette adresse est déjà celle du destinataire'

/** Two ways to write one address; nothing is no address. */
export function isSameAddress(one: string, other: string): boolean {
  return one.trim() !== '' && one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** Checks the form with the schema that the server checks it with, and the day with the rule of the page. */
export function draftResolver(timeZone: string, rule: MomentRule): Resolver<RevelationDraft> {
  return (draft) => {
    const errors: FieldErrors<RevelationDraft> = {}
    const checked = createRevelationInputSchema.safeParse(inputOf(draft, timeZone))
    for (const { path, message } of checked.error?.issues ?? []) {
      const field = fieldOf(String(path[0]))
      if (field) errors[field] ??= { type: 'invalid', message }
    }
    if (isSameAddress(draft.second_email, draft.target_email)) {
      errors.second_email ??= { type: 'invalid', message: SAME_ADDRESS }
    }
    const refusal = refuseMoment(draft, timeZone, rule)
    if (refusal) errors.day ??= { type: 'invalid', message: refusal }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: draft, errors: {} }
  }
}
