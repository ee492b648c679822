import { beforeEach, expect, it } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { type Email, MailError, type MailFailure, type MailTransport } from './mail.ts'
import { watchMail } from './mail-transports.ts'

const A_MINUTE_MS = 60_000
const email: Email = { to: 'a@x.fr', subject: '', text: '', html: '', messageId: '<1@x>' }

let nowMs: number
let failure: MailFailure | undefined
let lines: string[]
let mail: MailTransport

beforeEach(() => {
  nowMs = Date.parse('2026-11-20T12:00:00Z')
  failure = 'unreachable'
  lines = []
  const transport: MailTransport = {
    send: async () => {
      if (failure) throw new MailError(failure, 'ECONNREFUSED: no')
    },
    delete: async () => {},
    close: async () => {},
  }
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
  mail = watchMail(transport, { log, now: () => new Date(nowMs) })
})

/** A try to send, so many minutes after the one before. */
async function tryAfter(minutes: number): Promise<void> {
  nowMs += minutes * A_MINUTE_MS
  await mail.send(email).catch((error) => expect(error).toBeInstanceOf(MailError))
}

it('logs once that no mail leaves, then hourly, and that they leave again', async () => {
  for (const minutes of [0, 5, 4]) await tryAfter(minutes)
  expect(lines).toEqual([])
  for (const minutes of [1, 5, 40, 14]) await tryAfter(minutes)
  expect(lines).toEqual([expect.stringContaining('no mail has left for 10 minutes')])
  await tryAfter(1)
  expect(lines.slice(1)).toEqual([expect.stringContaining('no mail has left for 70 minutes')])
  failure = undefined
  for (const minutes of [1, 1]) await tryAfter(minutes)
  expect(lines.slice(2)).toEqual(['mails leave again'])
})

it('logs nothing for an address that does not exist, nor while other mails leave', async () => {
  failure = 'bad_address'
  for (const minutes of [0, 30, 30]) await tryAfter(minutes)
  for (const next of ['refused', undefined, 'refused', undefined] as const) {
    failure = next
    await tryAfter(8)
  }
  expect(lines).toEqual([])
})
