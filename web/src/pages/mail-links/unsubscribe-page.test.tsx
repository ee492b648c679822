import { screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { type MailLink, readMailLink, resubscribe, unsubscribe } from '#contract/mail-links.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'

beforeAll(() => import('./unsubscribe-page.tsx'))

const TOKEN = 'abc.def_ghi-123'
const link: MailLink = {
  address: 'l•••@e•••.be',
  stops: 'everything',
  is_stopped: false,
  can_report: true,
}

function follow(overrides: Partial<MailLink> = {}) {
  const requests: string[] = []
  const user = renderPage(`/ne-plus-recevoir#jeton=${TOKEN}`, {
    api: [
      answer(readMailLink, ({ body }) => {
        requests.push(`read ${(body as { token: string }).token}`)
        return { ...link, ...overrides }
      }),
      answer(unsubscribe, ({ query }) => {
        requests.push(`stop ${query.token}`)
        return { success: true as const }
      }),
      answer(resubscribe, ({ body }) => {
        requests.push(`resume ${(body as { token: string }).token}`)
        return { success: true as const }
      }),
    ],
  })
  return { user, requests }
}

test('nothing is stopped before the button, and it may be taken back', async () => {
  const { user, requests } = follow()
  expect(await screen.findByText('l•••@e•••.be')).toBeTruthy()
  expect(screen.getByText(/Tout ce que d’autres scellent pour cette adresse/)).toBeTruthy()
  expect(requests).toEqual([`read ${TOKEN}`])
  await waitFor(() => expect(window.location.href).not.toContain('jeton'))
  await user.click(screen.getByRole('button', { name: 'Ne plus recevoir ces e-mails' }))
  expect(await screen.findByText('C’est fait')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Recevoir à nouveau' }))
  expect(await screen.findByText('C’est rétabli')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Ne plus recevoir ces e-mails' })).toBeTruthy()
  expect(requests.slice(1)).toEqual([`stop ${TOKEN}`, `resume ${TOKEN}`])
})

test('one kind of notification is named', async () => {
  follow({ stops: 'newComments', can_report: false })
  expect(
    await screen.findByText(/^Les nouveaux commentaires sous vos révélations, et/),
  ).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Le signaler' })).toBeNull()
})

test('what is stopped already is said, with the way back', async () => {
  follow({ is_stopped: true })
  expect(await screen.findByText('C’est déjà arrêté')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Recevoir à nouveau' })).toBeTruthy()
})

test('a mail that should not be is reported with the same link', async () => {
  const { user } = follow()
  await user.click(await screen.findByRole('link', { name: 'Le signaler' }))
  expect(await screen.findByRole('heading', { name: 'Signaler un e-mail' })).toBeTruthy()
  expect(
    await screen.findByRole('radio', { name: 'Publicité indésirable ou arnaque' }),
  ).toBeTruthy()
})

test.each([
  ['a link that is not ours', `#jeton=${TOKEN}`],
  ['a link without its token', ''],
])('%s is said', async (_, hash) => {
  renderPage(`/ne-plus-recevoir${hash}`, {
    api: [answer(readMailLink, () => refusal('link_expired'))],
  })
  expect(await screen.findByText('Ce lien n’est pas valable')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Ne plus recevoir ces e-mails' })).toBeNull()
})

test('a server that does not answer is asked again, and loses no choice', async () => {
  let isDown = true
  const user = renderPage(`/ne-plus-recevoir#jeton=${TOKEN}`, {
    api: [
      answer(readMailLink, () => (isDown ? refusal('not_ready') : link)),
      answer(unsubscribe, () => refusal('not_ready')),
    ],
  })
  const retry = await screen.findByRole('button', { name: 'Réessayer' })
  isDown = false
  await user.click(retry)
  await user.click(await screen.findByRole('button', { name: 'Ne plus recevoir ces e-mails' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Le service démarre')
  expect(screen.getByRole('button', { name: 'Ne plus recevoir ces e-mails' })).toBeTruthy()
})
