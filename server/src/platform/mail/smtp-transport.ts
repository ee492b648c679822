import { createTransport, type NodemailerError, type Transporter } from 'nodemailer'
import { StartError } from '#server/platform/start-error.ts'
import { type Email, MailError, type MailFailure, type OpenedMail } from './mail.ts'
import { messageOf } from './mail-message.ts'

const CONNECT_TIMEOUT_MS = 15_000
const SILENCE_TIMEOUT_MS = 60_000
/** A server that answers a word a minute never goes silent: this ends it. */
const MAIL_TIMEOUT_MS = 120_000

// RFC 3463: no such mailbox or domain, or a mailbox that is closed. 5.1.7 and 5.1.8 are about the sender.
const BAD_ADDRESS = /^5\d\d[ -]5\.(?:1\.(?:[0-6]|10)|2\.1)\b/

/** Options beyond host and account are nodemailer's own, in the query: `requireTLS`, `tls.rejectUnauthorized`… */
export function openSmtp(url: string, from: string): OpenedMail {
  const transporter = createTransporter(url)
  return {
    destination: destinationOf(url),
    async check() {
      try {
        await transporter.verify()
      } catch (error) {
        throw mailErrorOf(error as NodemailerError)
      }
    },
    async send(email: Email) {
      const message = messageOf(email, from)
      try {
        await transporter.sendMail({ ...message, signal: AbortSignal.timeout(MAIL_TIMEOUT_MS) })
      } catch (error) {
        throw mailErrorOf(error as NodemailerError)
      }
    },
    async forget() {},
    async close() {
      transporter.close()
    },
  }
}

function destinationOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
}

// The sentence never repeats the URL: it may hold a password.
function createTransporter(url: string): Transporter {
  const parsed = URL.parse(url)
  if (!parsed?.hostname || !/^smtps?:$/.test(parsed.protocol)) {
    throw new StartError('SMTP_URL cannot be used: smtp://user:password@host:port is expected.')
  }
  try {
    return createTransport({
      url,
      pool: true,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      // Trying again is the job's decision: it waits, counts, and tells the author.
      maxRequeues: 0,
    })
  } catch {
    throw new StartError('SMTP_URL cannot be used: its account or options are unreadable.')
  }
}

// Without its cause: that one names the address, and logs follow causes.
function mailErrorOf(error: NodemailerError): MailError {
  return new MailError(failureOf(error), describe(error), {
    isPermanent: (error.responseCode ?? 0) >= 500,
  })
}

function failureOf(error: NodemailerError): MailFailure {
  if (error.responseCode === undefined) return 'unreachable'
  return BAD_ADDRESS.test(error.response ?? '') ? 'bad_address' : 'refused'
}

function describe({ code, response, message }: NodemailerError): string {
  const words = `${code ?? 'ERROR'}: ${response ?? message}`
  return words.replace(/[^\s<>]+@[^\s<>]+/g, '…').slice(0, 300)
}
