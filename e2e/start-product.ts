import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startTestSmtp, type TestSmtp } from '#testing/mailbox.ts'
import { startProgram } from '#testing/program.ts'
import { startPushService } from '#testing/push-service.ts'
import { startTestStorage } from '#testing/s3-server.ts'

/** The product as people run it, on a folder of its own; its mails and notifications go to where journeys read them. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'revelations-e2e-'))
  const smtp = await startTestSmtp()
  const mailboxes = await openMailboxes(smtp)
  const push = await startPushService()
  const stopStorage = await startTestStorage()
  const program = await startProgram({
    DATA_DIR: path.join(folder, 'data'),
    SMTP_URL: smtp.url,
    PUSH_SERVICES: push.origin,
    LOG_LEVEL: 'info',
  })
  process.env.E2E_ORIGIN = program.origin
  process.env.E2E_PUSH_SERVICE = push.origin
  process.env.E2E_MAILBOXES = mailboxes.origin
  return async () => {
    await program.end('SIGTERM')
    await stopStorage()
    await smtp.stop()
    await push.close()
    mailboxes.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Journeys run in processes of their own: they fetch the mails to an address from `/<address>`, the newest last. */
async function openMailboxes(smtp: TestSmtp) {
  const server = createServer((request, response) => {
    const address = decodeURIComponent(request.url?.slice(1) ?? '')
    const mails = smtp.received
      .filter(({ to }) => to.includes(address))
      .map(({ headers, text, html, attachments }) => ({
        ...{ headers: Object.fromEntries(headers), text, html, attachments },
      }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(mails))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
