import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { answer, fakeServer } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})

async function open() {
  const user = renderPage('/create?vue=tout', { user: aUser() })
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Quand/ })
  const say = async (words: string) => {
    await user.clear(field)
    await user.click(field)
    await user.paste(words)
  }
  return { user, field, say }
}

const day = () => screen.getByLabelText('Date de révélation').textContent
const hour = () => screen.getByLabelText<HTMLInputElement>(/^Heure/).value
const heard = (words: string) => screen.getByText(words)

test('a moment said in words is said back, and is the date and the hour', async () => {
  const { say } = await open()
  await say('samedi à 18 h')
  expect(heard('samedi 21 novembre 2026 à 18:00 (heure de Bruxelles)')).toBeTruthy()
  expect([day(), hour()]).toEqual(['samedi 21 novembre 2026', '18:00'])
  await say('à Noël')
  expect([day(), hour()]).toEqual(['vendredi 25 décembre 2026', ''])
})

test('an hour that was picked stays, where the words name none', async () => {
  const { user, field, say } = await open()
  await user.type(screen.getByLabelText(/^Heure/), '18:30')
  expect(field.value).toBe('samedi 21 novembre 2026 à 18:30')
  await say('dans un an')
  expect([day(), hour()]).toEqual(['samedi 20 novembre 2027', '18:30'])
})

test('words that are not understood seal nothing, and say so once they are left', async () => {
  const { user, say } = await open()
  await say('quand elle sera grande')
  expect(screen.queryByText(/Je n’ai pas compris/)).toBeNull()
  expect(screen.queryByText(/Elle s’ouvrira/)).toBeNull()
  await user.tab()
  expect(await screen.findByText(/^Je n’ai pas compris cette date/)).toBeTruthy()
  await review(user)
  expect(screen.queryByRole('dialog')).toBeNull()
  await say('hier')
  await say('le 3 mai 2020')
  await user.keyboard('{Enter}')
  expect(await screen.findByText(/^C’est passé : dimanche 3 mai 2020/)).toBeTruthy()
  // Emptied, the field leaves what was there before the first word.
  await user.clear(screen.getByRole('textbox', { name: /^Quand/ }))
  expect(day()).toBe('samedi 21 novembre 2026')
})

test('an age asks for the birthday, which does not leave the device', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Pour ses 18 ans' }))
  const birthDay = await screen.findByLabelText(/^Quelle est sa date de naissance/)
  expect(screen.getByText('Elle reste sur cet appareil.')).toBeTruthy()
  await user.type(birthDay, '2012-02-29')
  expect(heard('jeudi 28 février 2030 à 00:00 (heure de Bruxelles)')).toBeTruthy()
  expect(screen.getByText(/Cette année-là n’a pas de 29\sfévrier/)).toBeTruthy()
  window.dispatchEvent(new Event('pagehide'))
  expect(Object.values(localStorage).join()).not.toContain('2012')
})

test('midnight names its night, and the next one is a touch away', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Le 1ᵉʳ janvier à minuit' }))
  expect(screen.getByText(/Dans la nuit du jeudi 31 au vendredi 1/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Plutôt la nuit d’après' }))
  await waitFor(() => expect(day()).toBe('samedi 2 janvier 2027'))
  expect(hour()).toBe('00:00')
})

async function review(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
}
