import { RECIPIENTS_MAX } from '#contract/sealing.ts'
import { isSameAddress } from '#web/lib/addresses.ts'

/** Somebody the letter is for, as its author types it. */
export interface DraftRecipient {
  email: string
  name: string
}

export function blankRecipient(): DraftRecipient {
  return { email: '', name: '' }
}

/** The rows where something is written: the others are not sent. */
export function writtenRows(recipients: readonly DraftRecipient[]): number[] {
  return recipients.flatMap(({ email, name }, row) => (`${email}${name}`.trim() ? [row] : []))
}

export function writtenRecipients(recipients: readonly DraftRecipient[]): DraftRecipient[] {
  return writtenRows(recipients).map((row) => recipients[row] ?? blankRecipient())
}

/** Who is not its author. */
export function otherRecipients(
  recipients: readonly DraftRecipient[],
  ownAddress: string,
): DraftRecipient[] {
  return writtenRecipients(recipients).filter(({ email }) => !isSameAddress(email, ownAddress))
}

/** The rows whose address an earlier one has. */
export function repeatedRows(recipients: readonly DraftRecipient[]): number[] {
  return recipients.flatMap(({ email }, row) =>
    recipients.slice(0, row).some((earlier) => isSameAddress(earlier.email, email)) ? [row] : [],
  )
}

interface Placed {
  /** What existing blank rows become. */
  filled: Map<number, DraftRecipient>
  appended: DraftRecipient[]
  /** Whose address was there already. */
  known: number
  /** For whom there is no room. */
  refused: number
}

/** Where more people go: into the rows without an address, from `first` on, then below. */
export function placePeople(
  recipients: readonly DraftRecipient[],
  people: readonly DraftRecipient[],
  first = 0,
): Placed {
  const addresses = recipients.map(({ email }) => email)
  const fresh = people.filter(({ email }) => {
    if (addresses.some((known) => isSameAddress(known, email))) return false
    addresses.push(email)
    return true
  })
  const blank = recipients.flatMap(({ email }, row) => (email.trim() === '' ? [row] : []))
  const rows = [...blank.filter((row) => row >= first), ...blank.filter((row) => row < first)]
  const filled = new Map(
    rows.flatMap((row, index) => {
      const person = fresh[index]
      const name = recipients[row]?.name.trim() || person?.name
      return person ? [[row, { email: person.email, name: name ?? '' }] as const] : []
    }),
  )
  const rest = fresh.slice(filled.size)
  const room = Math.max(0, RECIPIENTS_MAX - recipients.length)
  return {
    filled,
    appended: rest.slice(0, room),
    known: people.length - fresh.length,
    refused: Math.max(0, rest.length - room),
  }
}

// « Léa Roux <lea@exemple.be> », or the address alone; a quoted name may hold a comma.
const PASTED =
  /(?:"([^"\n]*)"|([^<>,;"\n\t]*?))\s*<\s*([^<>\s]+@[^<>\s]+)\s*>|([^\s<>,;"]+@[^\s<>,;"]+)/g

/** The people of a pasted list, whose addresses commas, semicolons, spaces or lines part. */
export function parsePeople(text: string): DraftRecipient[] {
  return [...text.matchAll(PASTED)].map(([, quoted, plain, bracketed, alone]) => ({
    email: (bracketed ?? alone ?? '').replace(/^mailto:/i, ''),
    name: (quoted ?? plain ?? '').trim(),
  }))
}
