import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail server that accepts everything and reports arrivals. Its own process excludes it from the measurement. */
export interface Arrival {
  to: string
  messageId: string
  /** Of the wall clock, as the instants of letters are. */
  at: number
  bytes: string
}

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  async onData(stream, { envelope }, answer) {
    const bytes = (await buffer(stream)).toString('latin1')
    answer()
    const messageId = /^message-id: *(\S+)/im.exec(bytes)?.[1] ?? ''
    for (const { address } of envelope.rcptTo) {
      process.send?.({ to: address, messageId, at: Date.now(), bytes } satisfies Arrival)
    }
  },
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.server.address() as AddressInfo).port })
})
process.once('disconnect', () => process.exit())
