import { fieldError } from '#server/errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'

/** The second address with the form under which it is one, or neither; refused when it is the first. */
export function secondAddress(
  first: string,
  second: string | null,
): { email: string | null; key: string | null } {
  if (second === null) return { email: null, key: null }
  const key = emailKeyOf(second)
  if (key === emailKeyOf(first))
    throw fieldError('second_email', 'La seconde adresse doit être différente de la première')
  return { email: second, key }
}

export function addressesOf(first: string, second: string | null): string[] {
  return second === null ? [first] : [first, second]
}
