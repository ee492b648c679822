import type { SendMailOptions } from 'nodemailer'
import { emailAddress } from '#contract/text.ts'

export interface Email {
  /** Exactly one address: the transport refuses anything else. */
  to: string
  subject: string
  text: string
  html: string
  /** The same for every attempt (`<id@host>`), so that a mailbox can merge a mail that arrives twice. */
  messageId: string
  headers?: Record<string, string>
  /** The person who causes the mail, shown as « pseudo via Révélations »; the product itself without one. */
  personName?: string | undefined
  /** Exactly one address, or none. */
  replyTo?: string | undefined
  attachments?: readonly Attachment[]
}

export interface Attachment {
  filename: string
  contentType: string
  content: Buffer | string
  /** The name by which the HTML shows it; what has none is a file beside the mail. */
  cid?: string
}

export interface MailTransport {
  /** Resolves once the mail is accepted or stored; otherwise throws, a `MailError` when the reason is known. */
  send(email: Email): Promise<void>
  /** Deletes the copies of these mails stored here; sent mails stay in their mailboxes. */
  delete(messageIds: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** A transport that names its destination and can test it. */
export interface OpenedMail extends MailTransport {
  /** For the log: without account or password. */
  destination: string
  /** Throws a `MailError` unless the destination accepts mails now. */
  check(): Promise<void>
}

/**
 * `bad_address`: the mailbox does not exist. `busy`: the receiving domain takes no more mails at the moment. `refused`: the server
 * refused. `unreachable`: the server did not answer.
 */
export type MailFailure = 'bad_address' | 'busy' | 'refused' | 'unreachable'

/** A mail that did not leave. The message is for the operator and contains no address. */
export class MailError extends Error {
  override name = 'MailError'
  readonly failure: MailFailure
  /** A retry of the same mail would fail in the same way. */
  readonly isPermanent: boolean

  constructor(failure: MailFailure, message: string, { isPermanent = false } = {}) {
    super(message)
    this.failure = failure
    this.isPermanent = isPermanent
  }
}

/** The sender of every mail. */
export interface Sender {
  name: string
  address: string
}

const ADDRESS = '[^<>\\s,;"]+@[^<>\\s,;"]+'
const BARE = new RegExp(`^${ADDRESS}$`)
const NAMED = new RegExp(`^("?)([^<>"\\\\\\r\\n]+)\\1\\s*<(${ADDRESS})>$`)

/** Parses `bonjour@exemple.fr` or `Révélations en famille <bonjour@exemple.fr>`; undefined for anything else. */
export function parseSender(text: string): Sender | undefined {
  if (BARE.test(text)) return { name: 'Révélations', address: text }
  const [, , name = '', address = ''] = NAMED.exec(text.trim()) ?? []
  return address ? { name: name.trim(), address } : undefined
}

const PERSON_MAX_LENGTH = 60

/** « alice via Révélations »: a name on one line, that no mail program takes for an address or for more than a name. */
function nameOfSender(personName: string | undefined, product: string): string {
  const name = personName
    ?.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .replace(/[<>"@,;:()[\]\\]/g, '')
    .trim()
    .slice(0, PERSON_MAX_LENGTH)
  return name ? `${name} via ${product}` : product
}

const oneAddress = emailAddress('An address is needed')

/** The message for nodemailer; throws a `MailError` when `to` is not exactly one address. `from` is MAIL_FROM. */
export function messageOf(email: Email, from: string): SendMailOptions {
  const sender = parseSender(from)
  const to = requireOneAddress(email.to)
  return {
    from: sender && { ...sender, name: nameOfSender(email.personName, sender.name) },
    // As a string, « a@x.fr,b@y.fr » would reach both. With a name it stands in brackets: filters of junk mail take a
    // bare address beside a picture for a sign.
    to: { name: to, address: to },
    ...(email.replyTo && { replyTo: { name: '', address: requireOneAddress(email.replyTo) } }),
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId: email.messageId,
    attachments: email.attachments?.map(({ cid, ...file }) => ({
      ...file,
      ...(cid && { cid, contentDisposition: 'inline' }),
    })),
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
