import { join } from 'node:path'
import type { MailTransport } from './mail.ts'
import { openOutbox } from './outbox-transport.ts'
import { openSmtp } from './smtp-transport.ts'

interface MailConfig {
  dataDir: string
  mail: { smtpUrl: string | undefined; from: string }
}

/** The SMTP server when there is one, else .eml files in `DATA_DIR/outbox`; a `StartError` when it cannot be used. */
export function openMail({ dataDir, mail }: MailConfig): MailTransport {
  if (mail.smtpUrl === undefined) return openOutbox(join(dataDir, 'outbox'), mail.from)
  return openSmtp(mail.smtpUrl, mail.from)
}
