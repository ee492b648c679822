import type { Log } from '#server/platform/log.ts'
import { MailError, type MailTransport } from './mail.ts'

const SAID_AFTER_MS = 10 * 60_000
const SAID_AGAIN_AFTER_MS = 60 * 60_000

/**
 * The same transport, and the log says when nothing has left by it for ten minutes, every hour after that, and once when
 * something leaves again.
 */
export function watchMail(
  transport: MailTransport,
  { log, now }: { log: Pick<Log, 'error' | 'info'>; now(): Date },
): MailTransport {
  let failingSince: number | undefined
  let saidAt: number | undefined

  function noteFailure(error: unknown): void {
    // The server has spoken: what is wrong is that address.
    if (error instanceof MailError && error.failure === 'bad_address') return
    const at = now().getTime()
    failingSince ??= at
    const isDue =
      saidAt === undefined ? at - failingSince >= SAID_AFTER_MS : at - saidAt >= SAID_AGAIN_AFTER_MS
    if (!isDue) return
    saidAt = at
    const minutes = Math.floor((at - failingSince) / 60_000)
    log.error({ err: error }, `no mail has left for ${minutes} minutes; they wait three days`)
  }

  function noteSuccess(): void {
    if (saidAt !== undefined) log.info('mails leave again')
    failingSince = undefined
    saidAt = undefined
  }

  return {
    ...transport,
    async send(email) {
      try {
        await transport.send(email)
      } catch (error) {
        noteFailure(error)
        throw error
      }
      noteSuccess()
    },
  }
}
