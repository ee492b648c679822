import { createTransport } from 'nodemailer'
import type { Arrival } from './harness/mail-sink.ts'

/** The bare minimum: the same bytes to the same server over as many connections, with nothing around. */
export interface SendingOrder {
  url: string
  connections: number
  mails: readonly Pick<Arrival, 'to' | 'bytes'>[]
}

process.on('message', async ({ url, connections, mails }: SendingOrder) => {
  const transporter = createTransport({ url, pool: true, maxConnections: connections })
  await Promise.all(
    mails.map(({ to, bytes }) =>
      transporter.sendMail({
        envelope: { from: 'bench@exemple.test', to: [to] },
        raw: Buffer.from(bytes, 'latin1'),
      }),
    ),
  )
  transporter.close()
  process.send?.({ done: true })
})
process.once('disconnect', () => process.exit())
