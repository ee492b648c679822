import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createTransport,
  type NodemailerError,
  type PluginFunction,
  type Transporter,
} from 'nodemailer'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { moveInto } from '#server/platform/storage/folders.ts'
import {
  type Email,
  MailError,
  type MailFailure,
  type MailTransport,
  messageOf,
  type OpenedMail,
} from './mail.ts'

interface MailConfig {
  dataDir: string
  /** Without `smtpUrl`, mails are files; `from` is MAIL_FROM. */
  mail: { smtpUrl: string | undefined; from: string }
}

/** The SMTP server if one is configured, otherwise .eml files in `DATA_DIR/outbox`; `StartError` for an unusable one. */
export function openMail({ dataDir, mail }: MailConfig): OpenedMail {
  if (mail.smtpUrl !== undefined) return openSmtp(mail.smtpUrl, mail.from)
  const folder = join(dataDir, 'outbox')
  return { ...openOutbox(folder, mail.from), destination: folder, check: async () => {} }
}

/** Logs at the start where mails go, and tests the connection; a failure is logged and stops nothing. */
export function checkMailDestination(
  { destination, check }: OpenedMail,
  { mail }: Pick<MailConfig, 'mail'>,
  log: Pick<Log, 'info' | 'warn'>,
): void {
  if (mail.smtpUrl === undefined) {
    log.warn(`no mail leaves: without SMTP_URL each is a file in ${destination}`)
    return
  }
  log.info(`mails leave by ${destination}`)
  check().catch((err) =>
    log.warn({ err }, `mails cannot leave by ${destination} now: they wait, and SMTP_URL says how`),
  )
}

const CONNECT_TIMEOUT_MS = 15_000
const SILENCE_TIMEOUT_MS = 60_000
/** A server that answers a word a minute never reaches the limit of silence. */
const MAIL_TIMEOUT_MS = 120_000

// RFC 3463: the mailbox or domain does not exist, or the mailbox is closed. 5.1.7 and 5.1.8 are about the sender.
const BAD_ADDRESS = /^5\d\d[ -]5\.(?:1\.(?:[0-6]|10)|2\.1)\b/

// About one mailbox, which may be full: others of its domain take mails.
const MAILBOX_ONLY = /^4\d\d[ -]4\.[12]\./

/** The query of the URL contains options of nodemailer: `requireTLS`, `tls.rejectUnauthorized`… */
export function openSmtp(url: string, from: string): OpenedMail {
  const transporter = createTransporter(url).use('stream', answersOfClosedConnections)
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
    async delete() {},
    async close() {
      transporter.close()
    },
  }
}

function destinationOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
}

// The sentence never repeats the URL, which may contain a password.
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
      // The job retries: it waits, counts the attempts and informs the author.
      maxRequeues: 0,
    })
  } catch {
    throw new StartError('SMTP_URL cannot be used: its account or options are unreadable.')
  }
}

// The pool keeps to itself what a server said that closes a connection used before (421), unless a mail was begun to be read: it
// would try another connection.
const answersOfClosedConnections: PluginFunction = ({ message }, done) => {
  const createReadStream = message.createReadStream.bind(message)
  message.createReadStream = (options) =>
    Object.defineProperty(createReadStream(options), 'readableDidRead', { value: true })
  done()
}

// Without a cause: it would name the address, and logs print causes.
function mailErrorOf(error: NodemailerError): MailError {
  return new MailError(failureOf(error), describe(error), {
    isPermanent: (error.responseCode ?? 0) >= 500,
  })
}

function failureOf(error: NodemailerError): MailFailure {
  const { response = '', responseCode } = error
  if (responseCode === undefined) return 'unreachable'
  if (BAD_ADDRESS.test(response)) return 'bad_address'
  const isOfDomain = responseCode < 500 && isAboutRecipient(error) && !MAILBOX_ONLY.test(response)
  return isOfDomain ? 'busy' : 'refused'
}

/** Not what our own server says of itself or of the sender. */
function isAboutRecipient({ code, command, responseCode }: NodemailerError): boolean {
  if (command === 'RCPT TO' || command === 'DATA') return true
  // A server that closes the connection: nodemailer names no command for it once the sender is accepted.
  return responseCode === 421 && code === 'ECONNECTION' && command === 'CONN'
}

function describe({ code, response, message }: NodemailerError): string {
  const words = `${code ?? 'ERROR'}: ${response ?? message}`
  return words.replace(/[^\s<>]+@[^\s<>]+/g, '…').slice(0, 300)
}

/** Stores each mail as an .eml file in `folder`, for machines without a mail server. A mail sent twice is one file. */
export function openOutbox(folder: string, from: string): MailTransport {
  requireWritable(folder)
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(email) {
      const { message } = await transporter.sendMail(messageOf(email, from))
      const draft = draftIn(folder)
      try {
        await writeFile(draft, message, { flag: 'wx', mode: 0o600, flush: true })
        await moveInto(folder, draft, join(folder, fileNameOf(email.messageId)))
      } finally {
        await rm(draft, { force: true })
      }
    },
    async delete(messageIds) {
      // The host may have changed since: the id alone identifies a mail.
      const ids = new Set(messageIds.map((messageId) => idOf(fileNameOf(messageId))))
      for (const name of await readdir(folder)) {
        if (ids.has(idOf(name))) await rm(join(folder, name), { force: true })
      }
    },
    async close() {},
  }
}

function fileNameOf(messageId: string): string {
  return `${messageId.replace(/[<>]/g, '').replace(/[^\w@.-]|^\./g, '_')}.eml`
}

function idOf(fileName: string): string {
  return fileName.slice(0, fileName.indexOf('@'))
}

function draftIn(folder: string): string {
  return join(folder, `.${randomUUID()}.draft`)
}

function requireWritable(folder: string): void {
  const probe = draftIn(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`Mails cannot be kept in "${folder}" (${code}).`)
  }
}

const WARN_AFTER_MS = 10 * 60_000
const WARN_AGAIN_AFTER_MS = 60 * 60_000

/** Logs when no mail has left by this transport for ten minutes, every hour after that, and once when mails leave again. */
export function watchMail(
  transport: MailTransport,
  { log, now }: { log: Pick<Log, 'error' | 'info'>; now(): Date },
): MailTransport {
  let failingSince: number | undefined
  let warnedAt: number | undefined

  function onFailure(error: unknown): void {
    // The server works: only the address is wrong.
    if (error instanceof MailError && error.failure === 'bad_address') return
    const at = now().getTime()
    failingSince ??= at
    const isDue =
      warnedAt === undefined
        ? at - failingSince >= WARN_AFTER_MS
        : at - warnedAt >= WARN_AGAIN_AFTER_MS
    if (!isDue) return
    warnedAt = at
    const minutes = Math.floor((at - failingSince) / 60_000)
    log.error({ err: error }, `no mail has left for ${minutes} minutes; they wait three days`)
  }

  function onSuccess(): void {
    if (warnedAt !== undefined) log.info('mails leave again')
    failingSince = undefined
    warnedAt = undefined
  }

  return {
    ...transport,
    async send(email) {
      try {
        await transport.send(email)
      } catch (error) {
        onFailure(error)
        throw error
      }
      onSuccess()
    },
  }
}
