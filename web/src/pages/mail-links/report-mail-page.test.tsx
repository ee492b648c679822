import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { type MailLink, readMailLink, unsubscribe } from '#contract/mail-links.ts'
import { createMailReport } from '#contract/reports.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'

beforeAll(() => import('./report-mail-page.tsx'))

const TOKEN = 'abc.def_ghi-123'
const link: MailLink = {
  address: 'l•••@e•••.be',
  stops: 'everything',
  is_stopped: false,
  can_report: true,
}

test('a mail is reported without an account, and then no more are wanted', async () => {
  const received: unknown[] = []
  let isDown = true
  const user = renderPage(`/signaler#jeton=${TOKEN}`, {
    api: [
      answer(readMailLink, link),
      answer(createMailReport, ({ body }) => {
        if (isDown) return refusal('too_many_requests')
        received.push(body)
        return { success: true as const }
      }),
      answer(unsubscribe, { success: true as const }),
    ],
  })
  await user.click(await screen.findByRole('radio', { name: 'Harcèlement ou menaces' }))
  expect(screen.queryByLabelText(/Votre e-mail/)).toBeNull()
  await user.type(screen.getByLabelText(/Ce que l’équipe doit savoir/), 'Encore lui.')
  await user.click(screen.getByRole('button', { name: 'Signaler' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Trop de demandes')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Signaler' }))
  const thanks = await screen.findByRole('heading', {
    name: 'Merci, votre signalement est arrivé.',
  })
  expect(document.activeElement).toBe(thanks)
  expect(received).toEqual([{ token: TOKEN, reason: 'harassment', message: 'Encore lui.' }])
  await user.click(screen.getByRole('button', { name: 'Ne plus recevoir ces e-mails' }))
  expect(await screen.findByText('C’est fait')).toBeTruthy()
})

test('a mail of the service itself has nothing to report', async () => {
  renderPage(`/signaler#jeton=${TOKEN}`, {
    api: [answer(readMailLink, { ...link, stops: 'newReactions', can_report: false })],
  })
  expect(await screen.findByText(/il n’y a rien à signaler/)).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
})
