import * as z from 'zod/mini'
import { DRAFT_PREFIX } from '#web/lib/drafts.ts'
import { storedValue } from '#web/lib/storage.ts'
import { newDraft, parseValues, type StoredDraft } from './draft-schema.ts'

const choiceSchema = z.object({ notifiesNow: z.optional(z.boolean()) })

/** What the form stored before there were several drafts: one, those that made place for it, and what was wanted for it. */
function formerValues(userId: string) {
  const stored = <Value>(name: string, parse: (value: unknown) => Value | undefined) =>
    storedValue(DRAFT_PREFIX + name + userId, parse)
  return {
    draft: stored('', parseValues),
    aside: stored('aside:', (value) =>
      z
        .array(z.unknown())
        .parse(value)
        .flatMap((one) => {
          const values = parseValues(one)
          return values ? [{ values, ...choiceSchema.safeParse(one).data }] : []
        }),
    ),
    wish: stored('wish:', (value) => choiceSchema.safeParse(value).data),
    key: stored('key:', (value) => (typeof value === 'string' ? value : undefined)),
  }
}

/** As drafts of today, the latest first. */
export function readFormer(userId: string): StoredDraft[] {
  const { draft, aside, wish, key } = formerValues(userId)
  const last = draft.read()
  const wanted = wish.read()
  const now = Date.now()
  const lastDraft =
    last &&
    newDraft(last, {
      id: `former-${userId}`,
      notifiesNow: wanted?.notifiesNow ?? true,
      wantsSealing: wanted !== undefined,
      key: key.read() ?? null,
      touchedAtMs: now,
    })
  const others = (aside.read() ?? []).map(({ values, notifiesNow = true }, at) =>
    // The order stays.
    newDraft(values, { id: `former-${userId}-${at}`, notifiesNow, touchedAtMs: now - 1 - at }),
  )
  return lastDraft ? [lastDraft, ...others] : others
}

export function eraseFormer(userId: string): void {
  for (const { remove } of Object.values(formerValues(userId))) remove()
}
