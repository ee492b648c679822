import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Email, MailTransport } from '#server/platform/mail/mail.ts'
import { type ReadMail, readMail } from './read-mail.ts'

export interface Mailbox {
  /** The transport of the program under test. */
  transport: MailTransport
  all: Email[]
  lastTo(address: string): Email | undefined
  /** The personal key in the link of that mail; empty where there is none. */
  lastKeyTo(address: string): string
}

/** Stores every mail in memory. */
export function createMailbox(): Mailbox {
  const all: Email[] = []
  const transport: MailTransport = {
    send: async (email) => {
      all.push(email)
    },
    delete: async (messageIds) => {
      const others = all.filter(({ messageId }) => !messageIds.includes(messageId))
      all.splice(0, all.length, ...others)
    },
    close: async () => {},
  }
  const lastTo = (address: string) => all.findLast(({ to }) => to === address)
  const lastKeyTo = (address: string) =>
    /#cle=([\w-]+)/.exec(lastTo(address)?.text ?? '')?.[1] ?? ''
  return { transport, all, lastTo, lastKeyTo }
}

/** `vanish`: the mail is accepted, then the connection is cut before the answer. */
type Behaviour =
  | 'accept'
  | 'refuse'
  | 'no such address'
  | 'full mailbox'
  | 'not now'
  | 'busy'
  | 'vanish'

interface ReceivedMail extends ReadMail {
  to: string[]
  from: string
  messageId: string
}

export interface TestSmtp {
  url: string
  /** The mails that arrived, in order. */
  received: ReceivedMail[]
  /** How many times a client sent MAIL FROM. */
  attempts: number
  behaviour: Behaviour
  /** Of a recipient, unless it is that of all of them. */
  behaviourTo(address: string): Behaviour
  stop(): Promise<void>
  /** Listens again, on the same port. */
  start(): Promise<void>
}

const REFUSALS: Partial<Record<Behaviour, { responseCode: number; message: string }>> = {
  refuse: { responseCode: 554, message: '5.7.1 We do not want this' },
  'no such address': { responseCode: 550, message: '5.1.1 No such user here' },
  'full mailbox': { responseCode: 452, message: '4.2.2 This mailbox is full' },
  'not now': { responseCode: 451, message: '4.7.1 Come back later' },
  busy: { responseCode: 421, message: '4.7.0 Too many mails, closing the connection' },
}

/** A real SMTP server on loopback that can misbehave on request. */
export async function startTestSmtp(port = 0): Promise<TestSmtp> {
  let server = createServer()
  const smtp: TestSmtp = {
    url: '',
    received: [],
    attempts: 0,
    behaviour: 'accept',
    behaviourTo: () => smtp.behaviour,
    stop: () => new Promise((resolve) => server.close(resolve)),
    start: async () => {
      server = createServer()
      await listen(server, Number(new URL(smtp.url).port))
    },
  }
  await listen(server, port)
  smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return smtp

  function createServer(): SMTPServer {
    return new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 100,
      onMailFrom(_address, _session, answer) {
        smtp.attempts += 1
        answer()
      },
      onRcptTo({ address }, _session, answer) {
        const refusal = REFUSALS[smtp.behaviourTo(address)]
        answer(refusal && Object.assign(new Error(refusal.message), refusal))
      },
      async onData(stream, session, answer) {
        const { mailFrom, rcptTo } = session.envelope
        const bytes = await buffer(stream).catch(() => undefined)
        // The client disconnected in the middle of the mail.
        if (!bytes) return answer()
        const mail = readMail(bytes)
        smtp.received.push({
          ...mail,
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          messageId: mail.headers.get('message-id') ?? '',
        })
        if (smtp.behaviour === 'vanish') cutConnections(server)
        else answer()
      },
    })
  }
}

async function listen(server: SMTPServer, port: number): Promise<void> {
  // Some tests cut connections on purpose; the client must cope.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
}

function cutConnections(server: SMTPServer): void {
  const { connections } = server as unknown as {
    connections: Set<{ _socket: { destroy(): void } }>
  }
  for (const { _socket } of connections) _socket.destroy()
}
