import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSmtp } from '#server/platform/mail/mail-transports.ts'
import { createRevelation } from '#testing/factories.ts'
import { startTestSmtp, type TestSmtp } from '#testing/mailbox.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

/** The days on which clocks change, in the order of their midnights. */
const LETTERS = [
  ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00Z', 'heure de New York'],
  ['2026-03-29', 'Europe/Brussels', '2026-03-28T23:00:00Z', 'heure de Bruxelles'],
  ['2026-10-25', 'Europe/Brussels', '2026-10-24T22:00:00Z', 'heure de Bruxelles'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z', 'heure de New York'],
] as const

let smtp: TestSmtp
let server: TestApp
let author: Person

beforeAll(async () => {
  smtp = await startTestSmtp()
  server = await startTestServer({
    now: new Date('2026-02-20T12:00:00Z'),
    mail: openSmtp(smtp.url, 'bonjour@revelations.test'),
  })
  author = await signedIn(server)
  for (const [day, zone] of LETTERS) {
    await createRevelation(server, author, {
      target_email: addressOf(day),
      reveal_date: day,
      time_zone: zone,
    })
  }
})

afterAll(async () => {
  await server.close()
  await smtp.stop()
})

function addressOf(day: string): string {
  return `le-${day}@exemple.fr`
}

async function mailsAt(instant: number, to: string) {
  server.clock.now = new Date(instant)
  await server.runJobs()
  return smtp.received.filter((mail) => mail.to.includes(to))
}

it.each(LETTERS)('sends the letter of 00:00 on %s in %s at %s', async (day, _zone, at, words) => {
  const instant = Date.parse(at)
  expect(await mailsAt(instant - 1_000, addressOf(day))).toEqual([])
  const [mail, ...more] = await mailsAt(instant, addressOf(day))
  expect(mail?.text).toContain(`à\u00A000:00 (${words})`)
  expect(more).toEqual([])
})
