import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { DRAFT_PREFIX } from '#web/lib/drafts.ts'
import { autosaveForm } from '#web/lib/forms.ts'
import { storedValue } from '#web/lib/storage.ts'
import { writtenRows } from './recipients.ts'
import { type RevelationDraft, revelationDraftSchema, withAddressee } from './revelation-draft.ts'

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

// Older drafts have one address or two, no voice, and no words of a file.
const storedDraftSchema = z.extend(revelationDraftSchema, {
  recipients: z.optional(revelationDraftSchema.shape.recipients),
  target_email: z._default(z.string(), ''),
  second_email: z._default(z.string(), ''),
  recipients_see_each_other: z._default(z.boolean(), false),
  file_words: z._default(z.string(), ''),
  seal_voice_words: z._default(z.string(), ''),
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

/** What the form starts with: the stored draft, or the defaults. A link that names whom to write to wins over both. */
export function useFirstDraft(
  userId: string,
  blank: () => RevelationDraft,
  addressee: string | undefined,
) {
  const [first] = useState(() => {
    const stored = storedDraft.read(userId)
    const draft = stored && withAddressee(stored, addressee)
    return { isRestored: stored !== undefined, draft: draft ?? blank() }
  })
  return first
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

/** Whether nothing was written that is worth storing. */
function isBlank({ title, content, recipients }: RevelationDraft): boolean {
  return `${title}${content}`.trim() === '' && writtenRows(recipients).length === 0
}
