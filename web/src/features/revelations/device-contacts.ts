import type { DraftRecipient } from './recipients.ts'

/** The address book of the device, which its owner opens: in Chrome on Android alone. */
interface ContactsManager {
  select: (
    properties: string[],
    options: { multiple: boolean },
  ) => Promise<{ name?: string[]; email?: string[] }[]>
}

const contactsOf = () => (navigator as { contacts?: ContactsManager }).contacts

export function hasDeviceContacts(): boolean {
  return typeof contactsOf()?.select === 'function'
}

/** Who was chosen there and has an address; nobody where it was closed. */
export async function pickDeviceContacts(): Promise<DraftRecipient[]> {
  const chosen = await contactsOf()
    ?.select(['name', 'email'], { multiple: true })
    .catch(() => [])
  return (chosen ?? []).flatMap(({ name: [name = ''] = [], email: [email] = [] }) =>
    email ? [{ email, name }] : [],
  )
}
