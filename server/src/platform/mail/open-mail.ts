import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { OpenedMail } from './mail.ts'
import { openOutbox } from './outbox-transport.ts'
import { openSmtp } from './smtp-transport.ts'

type MailConfig = Pick<Config, 'dataDir' | 'mail'>

/** The SMTP server when there is one, else .eml files in `DATA_DIR/outbox`; a `StartError` when it cannot be used. */
export function openMail({ dataDir, mail }: MailConfig): OpenedMail {
  if (mail.smtpUrl !== undefined) return openSmtp(mail.smtpUrl, mail.from)
  const folder = join(dataDir, 'outbox')
  return { ...openOutbox(folder, mail.from), destination: folder, check: async () => {} }
}

/** Says at the start where mails go, and tries the way there: the program goes on whatever the answer is. */
export function logMailDestination(
  { destination, check }: OpenedMail,
  { mail }: Pick<Config, 'mail'>,
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
