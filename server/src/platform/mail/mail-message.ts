import type { SendMailOptions } from 'nodemailer'
import { emailAddress } from '#contract/text.ts'
import { type Email, MailError } from './mail.ts'
import { parseSender } from './sender.ts'

const oneAddress = emailAddress('An address is needed')

/** The message as nodemailer wants it; a `MailError` when `to` is not exactly one address. `from` is MAIL_FROM. */
export function messageOf(email: Email, from: string): SendMailOptions {
  return {
    from: parseSender(from),
    // As a string, « a@x.fr,b@y.fr » would reach both.
    to: { name: '', address: requireOneAddress(email.to) },
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId: email.messageId,
    headers: { 'Auto-Submitted': 'auto-generated', ...email.headers },
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function requireOneAddress(address: string): string {
  const parsed = oneAddress.safeParse(address)
  if (parsed.data !== address) throw new MailError('bad_address', 'Not exactly one e-mail address')
  return address
}
