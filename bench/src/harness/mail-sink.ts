import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** At this domain every second recipient, by chance, is put off. */
const busyDomain = process.argv[2]

/** A recipient that was put off. */
export interface Deferral {
  deferred: string
  at: number
}

/**
 * A mail server that accepts everything elsewhere and reports what happens. Its own process excludes it from the measurement.
 */
export interface Arrival {
  to: string
  messageId: string
  /** Of the wall clock, as the instants of letters are. */
  at: number
  bytes: string
}

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo({ address }, _session, answer) {
    if (!address.endsWith(`@${busyDomain}`) || Math.random() < 0.5) return answer()
    process.send?.({ deferred: address, at: Date.now() } satisfies Deferral)
    answer(Object.assign(new Error('4.7.0 Too many mails'), { responseCode: 421 }))
  },
  async onData(stream, { envelope }, answer) {
    const bytes = (await buffer(stream)).toString('latin1')
    answer()
    const messageId = /^message-id: *(\S+)/im.exec(bytes)?.[1] ?? ''
    for (const { address } of envelope.rcptTo) {
      process.send?.({ to: address, messageId, at: Date.now(), bytes } satisfies Arrival)
    }
  },
})
// A client whose connection ends here connects again.
server.on('error', () => {})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit())
