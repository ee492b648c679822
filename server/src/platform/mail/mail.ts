export interface Email {
  /** One address, and only one: anything else is refused by the transport. */
  to: string
  subject: string
  text: string
  html: string
  /** Stable over every attempt (`<id@host>`), so that a mailbox can merge a mail that came twice. */
  messageId: string
  headers?: Record<string, string>
}

export interface MailTransport {
  /** Resolves once the mail is accepted or kept; otherwise throws, a `MailError` when the reason is known. */
  send(email: Email): Promise<void>
  /** Deletes what is kept here of these mails; what left is beyond reach. */
  forget(messageIds: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Where mails go, and whether the way there is open. */
export interface OpenedMail extends MailTransport {
  /** For the log: without account or password. */
  destination: string
  /** Throws a `MailError` unless mails would be taken there now. */
  check(): Promise<void>
}

/** `bad_address`: that mailbox does not exist. `refused`: the server said no. `unreachable`: it said nothing. */
export type MailFailure = 'bad_address' | 'refused' | 'unreachable'

/** Its message is for the operator and holds no address. */
export class MailError extends Error {
  override name = 'MailError'
  readonly failure: MailFailure
  /** The server would say the same of the same mail tomorrow. */
  readonly isPermanent: boolean

  constructor(failure: MailFailure, message: string, { isPermanent = false } = {}) {
    super(message)
    this.failure = failure
    this.isPermanent = isPermanent
  }
}
