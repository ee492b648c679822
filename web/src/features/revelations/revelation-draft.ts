import * as z from 'zod/mini'
import { KIND_VISIBILITY, KINDS, type Kind } from '#contract/kinds.ts'
import {
  CATEGORIES,
  type FileType,
  INKS,
  type OwnRevelation,
  PAPERS,
  VISIBILITIES,
  type Visibility,
} from '#contract/revelations.ts'
import { dayAt, timeAt } from '#contract/zoned-time.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { blankRecipient, writtenRecipients } from './recipients.ts'
import { dayFromNow, revealDateOf } from './reveal-moment.ts'

/** The values of the form, under the names of the wire where it has them. */
export const revelationDraftSchema = z.object({
  title: z.string(),
  content: z.string(),
  /** The first one is `target_email` on the wire. */
  recipients: z.array(z.object({ email: z.string(), name: z.string() })),
  recipients_see_each_other: z.boolean(),
  day: z.string(),
  time: z.string(),
  /** Null until one is chosen: the server then names a letter, or a capsule. */
  kind: z.nullable(z.enum(KINDS)),
  category: z.enum(CATEGORIES),
  visibility: z.enum(VISIBILITIES),
  /** What is said in the film (WebVTT) or recording. */
  file_words: z.string(),
  /** What the voice that plays as the seal breaks says. */
  seal_voice_words: z.string(),
  paper: z.enum(PAPERS),
  ink: z.enum(INKS),
  /** What is added to the mails that an addressee receives. */
  announcement_note: z.string(),
  opening_note: z.string(),
})
export type RevelationDraft = z.infer<typeof revelationDraftSchema>

/** The defaults of behaviour.md 3.1: public, general, tomorrow. */
function emptyDraft(timeZone: string, visibility: Visibility = 'public'): RevelationDraft {
  return {
    title: '',
    content: '',
    recipients: [blankRecipient()],
    recipients_see_each_other: false,
    day: dayFromNow(1, timeZone),
    time: '',
    kind: null,
    category: 'general',
    visibility,
    file_words: '',
    seal_voice_words: '',
    paper: 'wove',
    ink: 'black',
    announcement_note: '',
    opening_note: '',
  }
}

/** What a link to the form asks for. */
export interface DraftWish {
  kind: Kind | undefined
  visibility: Visibility | undefined
  addressee: string | undefined
}

/**
 * A letter that answers somebody goes to them, and is for nobody else unless its author says so. Of another kind, it comes to
 * its author.
 */
export function draftFor(
  timeZone: string,
  { kind, visibility, addressee }: DraftWish,
  ownAddress: string,
): RevelationDraft {
  if (addressee !== undefined) {
    const recipients = [{ email: addressee, name: '' }]
    return { ...emptyDraft(timeZone, 'private'), kind: 'letter', recipients }
  }
  if (kind === undefined) return emptyDraft(timeZone, visibility)
  const draft = { ...emptyDraft(timeZone, visibility ?? KIND_VISIBILITY[kind]), kind }
  return kind === 'letter' ? draft : { ...draft, recipients: [{ email: ownAddress, name: '' }] }
}

/** Whether a draft may be the letter that the link asks for. */
export function isWished(
  draft: RevelationDraft,
  { kind, visibility, addressee }: DraftWish,
): boolean {
  if (addressee !== undefined) {
    return isSameAddress(draft.recipients[0]?.email ?? '', addressee)
  }
  if (kind !== undefined && draft.kind !== kind) return false
  return visibility === undefined || draft.visibility === visibility
}

export function draftOf(revelation: OwnRevelation): RevelationDraft {
  const { title, content, kind, category, visibility, reveal_date, time_zone } = revelation
  const { deliveries, recipients_see_each_other, paper, ink } = revelation
  const instant = new Date(reveal_date)
  const time = timeAt(instant, time_zone)
  return {
    title,
    content,
    recipients: deliveries.map(({ address, name }) => ({ email: address, name: name ?? '' })),
    recipients_see_each_other,
    day: dayAt(instant, time_zone),
    time: time === '00:00' ? '' : time,
    kind,
    category,
    visibility,
    file_words: revelation.file_words ?? '',
    seal_voice_words: revelation.seal_voice_words ?? '',
    paper,
    ink,
    announcement_note: revelation.announcement_note ?? '',
    opening_note: revelation.opening_note ?? '',
  }
}

export function inputOf(draft: RevelationDraft, timeZone: string) {
  const { title, content, kind, category, visibility } = draft
  const { seal_voice_words, paper, ink, announcement_note, opening_note } = draft
  const recipients = writtenRecipients(draft.recipients).map(({ email, name }) => ({
    email,
    name: name.trim() || null,
  }))
  return {
    title,
    content,
    target_email: recipients[0]?.email ?? '',
    recipients,
    recipients_see_each_other: recipients.length > 1 && draft.recipients_see_each_other,
    reveal_date: draft.day && revealDateOf(draft, timeZone),
    time_zone: timeZone,
    ...(kind && { kind }),
    category,
    visibility,
    is_private: visibility === 'private',
    seal_voice_words,
    paper,
    ink,
    announcement_note,
    opening_note,
  }
}

/** The first invalid control, once the errors are rendered. */
export function firstInvalidOf(form: HTMLFormElement | null): HTMLElement | null | undefined {
  return form?.querySelector<HTMLElement>(':is(input, textarea, button)[aria-invalid]')
}

/** The refusal of the files together, of the only one, or of the teaser. */
export function fileError(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { file_url, file_urls, captions, file_type, teaser_end, teaser_start } = error.fields
  return file_url ?? file_urls ?? captions ?? file_type ?? teaser_end ?? teaser_start
}

/** The refusal of the voice itself; one of its words stands beside their field. */
export function sealVoiceError(error: unknown): string | undefined {
  return error instanceof ApiError ? error.fields.seal_voice : undefined
}

/** Whether the server refuses one more recipient today. */
export function isRecipientQuotaError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'too_many_addressees'
}

/** How the captions of a film begin. */
export const CAPTIONS_SIGNATURE = 'WEBVTT'

/** What is sent of the words that stand in the draft: captions belong to a film, other words to a recording. */
export function wordsFor(kind: FileType | undefined, words: string): string {
  const isCaptions = words.startsWith(CAPTIONS_SIGNATURE)
  return (kind === 'video' && isCaptions) || (kind === 'audio' && !isCaptions) ? words : ''
}
