import { dayInWords } from '#contract/date-in-words.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { peopleInWords } from './for-whom.ts'
import { writtenRecipients } from './recipients.ts'
import type { RevelationDraft } from './revelation-draft.ts'

interface TitleFacts {
  ownAddress: string
  now: Date
  timeZone: string
}

/** The first line of the envelope, for an author who would rather begin with the letter. */
export function suggestedTitle(
  { kind, recipients }: Pick<RevelationDraft, 'kind' | 'recipients'>,
  { ownAddress, now, timeZone }: TitleFacts,
): string {
  if (kind === 'prediction') return `Ma prédiction du ${dayInWords(now, timeZone)}`
  if (kind === 'announcement') return 'Une annonce'
  const people = writtenRecipients(recipients)
  if (kind === 'capsule' || people.every(({ email }) => isSameAddress(email, ownAddress)))
    return 'À moi-même'
  const names = people.map(({ name }) => name.trim())
  return names.every(Boolean) ? `Une lettre pour ${peopleInWords(names)}` : 'Une lettre pour vous'
}
