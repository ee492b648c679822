import { expect } from '@playwright/test'
import { origin } from './people.ts'

export interface Mail {
  headers: Record<string, string>
  text: string
  html: string
  attachments: Record<string, string>
}

async function mailsTo(address: string): Promise<Mail[]> {
  const response = await fetch(`${process.env.E2E_MAILBOXES}/${encodeURIComponent(address)}`)
  return (await response.json()) as Mail[]
}

/** The newest mail at this address with a matching subject, once it has arrived. */
export async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined
  await expect(async () => {
    found = (await mailsTo(address)).findLast(({ headers }) => subject.test(headers.subject ?? ''))
    expect(found, `A mail to ${address} about ${subject}`).toBeDefined()
  }).toPass()
  return found as Mail
}

/** The address of the product's page with this path, as the mail writes it, on the running copy. */
export function linkIn(mail: Mail, path: string): string {
  const link = mail.text.split(/\s/).find((word) => URL.parse(word)?.pathname.startsWith(path))
  if (!link) throw new Error(`No link to ${path} in « ${mail.headers.subject} »`)
  const { pathname, search, hash } = new URL(link)
  return origin() + pathname + search + hash
}
