import * as z from 'zod/mini'
import { isSameAddress } from '#web/lib/addresses.ts'
import { createId } from '#web/lib/ids.ts'
import { writtenRecipients } from '../recipients.ts'
import { type RevelationDraft, revelationDraftSchema } from '../revelation-draft.ts'

/** The steps in which a letter is written, in their order. */
export const STEPS = ['whom', 'letter', 'when', 'seal'] as const
export type Step = (typeof STEPS)[number]

// Older drafts have one address or two, no kind, no voice, no words of a file, no notes, and one paper.
const valuesSchema = z.extend(revelationDraftSchema, {
  kind: z._default(revelationDraftSchema.shape.kind, null),
  recipients: z.optional(revelationDraftSchema.shape.recipients),
  target_email: z._default(z.string(), ''),
  second_email: z._default(z.string(), ''),
  recipients_see_each_other: z._default(z.boolean(), false),
  file_words: z._default(z.string(), ''),
  seal_voice_words: z._default(z.string(), ''),
  paper: z._default(revelationDraftSchema.shape.paper, 'wove'),
  ink: z._default(revelationDraftSchema.shape.ink, 'black'),
  announcement_note: z._default(z.string(), ''),
  opening_note: z._default(z.string(), ''),
})

/** What was written of a letter, whichever version of the form stored it; undefined for what is none. */
export function parseValues(stored: unknown): RevelationDraft | undefined {
  const known = valuesSchema.safeParse(stored).data
  if (!known) return undefined
  const { target_email, second_email, recipients, ...values } = known
  const addresses = second_email.trim() ? [target_email, second_email] : [target_email]
  const former = addresses.map((email) => ({ email, name: '' }))
  return { ...values, recipients: recipients?.length ? recipients : former }
}

const teaserSchema = z.union([
  z.object({
    state: z.enum(['editing', 'chosen']),
    window: z.object({ start: z.number(), end: z.number() }),
  }),
  z.object({ state: z.literal('none') }),
])

const fileSchema = z.object({ id: z.string(), caption: z.string() })

const restSchema = z.object({
  id: z.string(),
  schema: z.literal(1),
  step: z.enum(STEPS),
  /** The title that was written for its author, who may have left it. */
  suggestedTitle: z.string(),
  notifiesNow: z.boolean(),
  /** How many files were chosen for it, which `features/uploads` stores under its id. */
  fileCount: z.number(),
  /** Their order and captions, by the ids that they are stored under; older drafts have one file, and none. */
  files: z._default(z.array(fileSchema), []),
  teaser: z.nullable(teaserSchema),
  /** The birth day of whom it is for, to say a date by an age: it never leaves this device. */
  birthDay: z.nullable(z.string()),
  /** The hour of its date, where words named it and nobody picked it; '' where none did, as in older drafts. */
  saidTime: z._default(z.string(), ''),
  /** That of an attempt to seal it which has no answer yet. */
  key: z.nullable(z.string()),
  /** Its author wants it sealed as soon as what was missing is there. */
  wantsSealing: z.boolean(),
  touchedAtMs: z.number(),
})

/** A letter that is being written, as this device stores it. */
export interface StoredDraft extends z.infer<typeof restSchema> {
  values: RevelationDraft
}

export function parseDraft(stored: unknown): StoredDraft | undefined {
  const rest = restSchema.safeParse(stored).data
  const values = parseValues((stored as { values?: unknown } | null)?.values)
  return rest && values && { ...rest, values }
}

export function newDraft(values: RevelationDraft, changes: Partial<StoredDraft> = {}): StoredDraft {
  return {
    id: createId(),
    schema: 1,
    step: 'whom',
    values,
    suggestedTitle: '',
    notifiesNow: true,
    fileCount: 0,
    files: [],
    teaser: null,
    birthDay: null,
    saidTime: '',
    key: null,
    wantsSealing: false,
    touchedAtMs: Date.now(),
    ...changes,
  }
}

/** What a draft is known by: its author’s own words, else whom it is for. */
export function wordsOf({ values, suggestedTitle }: StoredDraft): string | undefined {
  const { title, content, announcement_note, opening_note } = values
  const ownTitle = title.trim() === suggestedTitle ? '' : title
  return [ownTitle, content, announcement_note, opening_note]
    .map((text) => text.trim())
    .find(Boolean)
}

/** Whether something was written or chosen that would be missed. One’s own address fills itself in. */
export function isWorthSaving(draft: StoredDraft, ownAddress: string): boolean {
  const others = writtenRecipients(draft.values.recipients).filter(
    ({ email }) => !isSameAddress(email, ownAddress),
  )
  return wordsOf(draft) !== undefined || others.length > 0 || draft.fileCount > 0
}
