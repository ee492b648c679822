import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import type { User } from '#contract/profiles.ts'
import { DRAFT_PREFIX } from '#web/lib/drafts.ts'
import { autosaveForm } from '#web/lib/forms.ts'
import { storedValue } from '#web/lib/storage.ts'
import {
  type DraftWish,
  draftFor,
  isBlank,
  isWished,
  type RevelationDraft,
  revelationDraftSchema,
} from './revelation-draft.ts'

/**
 * One value per account on this device, erased with the drafts when its owner signs out. `parse` answers undefined for what
 * cannot be read. Where the device has no room, nothing is stored and the value lives on the page only.
 */
export function createDraftStore<Value>(
  name: string,
  parse: (stored: unknown) => Value | undefined,
) {
  const storedFor = (userId: string) => storedValue(DRAFT_PREFIX + name + userId, parse)
  return {
    read: (userId: string) => storedFor(userId).read(),
    write: (userId: string, value: Value) => storedFor(userId).write(value),
    erase: (userId: string) => storedFor(userId).remove(),
  }
}

// Older drafts have one address or two, no kind, no voice, no words of a file, no notes, and one paper.
const storedDraftSchema = z.extend(revelationDraftSchema, {
  recipients: z.optional(revelationDraftSchema.shape.recipients),
  target_email: z._default(z.string(), ''),
  second_email: z._default(z.string(), ''),
  recipients_see_each_other: z._default(z.boolean(), false),
  kind: z._default(revelationDraftSchema.shape.kind, null),
  file_words: z._default(z.string(), ''),
  seal_voice_words: z._default(z.string(), ''),
  paper: z._default(revelationDraftSchema.shape.paper, 'wove'),
  ink: z._default(revelationDraftSchema.shape.ink, 'black'),
  announcement_note: z._default(z.string(), ''),
  opening_note: z._default(z.string(), ''),
})

function parseDraft(stored: unknown): RevelationDraft | undefined {
  const known = storedDraftSchema.safeParse(stored).data
  if (!known) return undefined
  const { target_email, second_email, recipients, ...draft } = known
  const addresses = second_email.trim() ? [target_email, second_email] : [target_email]
  const former = addresses.map((email) => ({ email, name: '' }))
  return { ...draft, recipients: recipients?.length ? recipients : former }
}

/** The draft of this account on this device. */
export const storedDraft = createDraftStore('', parseDraft)

/** Its author wants the draft sealed when the network is back. */
interface DeferredSeal {
  notifiesNow: boolean
}

export const storedDeferredSeal = createDraftStore('wish:', (stored): DeferredSeal | undefined => {
  const { notifiesNow } = stored as Partial<DeferredSeal>
  return notifiesNow === undefined ? undefined : { notifiesNow }
})

/** One that made place for another letter, and whether its author wants its recipient notified, where they chose. */
const asideChoiceSchema = z.object({ notifiesNow: z.optional(z.boolean()) })
export type AsideDraft = RevelationDraft & z.infer<typeof asideChoiceSchema>

function parseAside(stored: unknown): AsideDraft | undefined {
  const draft = parseDraft(stored)
  return draft && { ...draft, ...asideChoiceSchema.safeParse(stored).data }
}

const storedAside = createDraftStore('aside:', (stored) =>
  z
    .array(z.unknown())
    .parse(stored)
    .flatMap((one) => parseAside(one) ?? []),
)

/** What the form starts with: the stored draft, unless the link asks for another letter, then the defaults. */
export function useFirstDraft(
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  timeZone: string,
  wish: DraftWish,
) {
  const [first] = useState(() => {
    const stored = storedDraft.read(userId)
    if (stored && isWished(stored, wish)) return { isRestored: true, draft: stored }
    if (stored) setAside(userId, stored)
    return { isRestored: false, draft: draftFor(timeZone, wish, email) }
  })
  return first
}

function setAside(userId: string, draft: RevelationDraft): void {
  const aside: AsideDraft = { ...draft, ...storedDeferredSeal.read(userId) }
  // First, since it takes the room that the other may need.
  storedDraft.erase(userId)
  storedDeferredSeal.erase(userId)
  storedAside.write(userId, [aside, ...(storedAside.read(userId) ?? [])])
}

/** The drafts that made place for others, the latest first. */
export function useAsideDrafts(userId: string) {
  const [drafts, setDrafts] = useState(() => storedAside.read(userId) ?? [])
  // Another tab may have set one aside meanwhile.
  const othersThan = (draft: AsideDraft) =>
    (storedAside.read(userId) ?? drafts).filter((other) => !isSameDraft(other, draft))
  const store = (next: AsideDraft[]) => {
    storedAside.write(userId, next)
    setDrafts(next)
  }
  return {
    drafts,
    forget: (draft: AsideDraft) => store(othersThan(draft)),
    /** In the place of `current`, which is set aside in its turn. */
    resume: (draft: AsideDraft, current: AsideDraft) => {
      const others = othersThan(draft)
      store(isBlank(current) ? others : [current, ...others])
      storedDraft.write(userId, draft)
    },
  }
}

/** Whatever the order of their fields. */
function isSameDraft(one: AsideDraft, other: AsideDraft): boolean {
  return JSON.stringify(parseAside(one)) === JSON.stringify(parseAside(other))
}

/** Stores the form on this device while it is written. Answers the function that erases it for good. */
export function useSavedDraft(userId: string, form: UseFormReturn<RevelationDraft>): () => void {
  const isOver = useRef(false)
  useEffect(
    () =>
      autosaveForm(form, (draft) => {
        if (isOver.current) return
        if (isBlank(draft)) storedDraft.erase(userId)
        else storedDraft.write(userId, draft)
      }),
    [userId, form],
  )
  return () => {
    isOver.current = true
    storedDraft.erase(userId)
  }
}
