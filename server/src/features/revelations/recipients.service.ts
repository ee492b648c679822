import type { CreateRevelationInput, EditRevelationInput } from '#contract/sealing.ts'
import type { AddressedTo, HookEvents } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import type { Recipient } from '#server/features/access/envelopes.rules.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'

export type PlannedRecipient = HookEvents['onMoved']['recipients'][number]

type Input = Pick<
  CreateRevelationInput | EditRevelationInput,
  'target_email' | 'target_name' | 'recipients'
>

/**
 * Whom a letter is for once this is sealed, the first one first: all of them anew, the first one alone, or those it had.
 * Refused when an address comes twice, or when both ways to write the first one differ.
 */
export function wantedRecipients(
  { target_email, target_name, recipients }: Input,
  current: readonly Recipient[] = [],
): AddressedTo[] {
  if (recipients) {
    const wanted = recipients.map(({ email, name }, index) =>
      recipientOf(email, (index === 0 ? (name ?? target_name) : name) || null),
    )
    if (target_email !== undefined && emailKeyOf(target_email) !== wanted[0]?.addressKey)
      throw fieldError('target_email', 'Le premier des destinataires a une autre adresse')
    return requireOnce(wanted, (index) => `recipients.${index}.email`)
  }
  const [first, ...others] = current
  const address = target_email ?? first?.address ?? ''
  const isSame = first?.addressKey === emailKeyOf(address)
  const storedName = isSame ? first.name : null
  const name = target_name === undefined ? storedName : target_name || null
  return requireOnce([recipientOf(address, name), ...others], () => 'target_email')
}

function recipientOf(address: string, name: string | null): AddressedTo {
  return { address, addressKey: emailKeyOf(address), name }
}

function requireOnce(wanted: AddressedTo[], fieldOf: (index: number) => string): AddressedTo[] {
  const keys = wanted.map(({ addressKey }) => addressKey)
  const twice = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (twice !== -1)
    throw fieldError(fieldOf(twice), 'Cette adresse est déjà celle d’un destinataire')
  return wanted
}

/**
 * What becomes of the deliveries of a letter that is still sealed: each recipient keeps their own; an address that takes the
 * place of another takes over its delivery, so that one journal tells of both.
 */
export function planRecipients(
  current: readonly Recipient[],
  wanted: readonly AddressedTo[],
): PlannedRecipient[] {
  const isWanted = ({ addressKey }: Recipient) =>
    wanted.some((recipient) => recipient.addressKey === addressKey)
  return wanted.map(({ address, addressKey, name }, position) => {
    const known = current.find((recipient) => recipient.addressKey === addressKey)
    const inPlace = current[position]
    const replaced = inPlace && !isWanted(inPlace) ? inPlace : undefined
    const deliveryId = (known ?? replaced)?.deliveryId
    return { address, addressKey, name, deliveryId, isNew: known === undefined }
  })
}
