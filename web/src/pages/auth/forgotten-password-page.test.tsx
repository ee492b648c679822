import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { forgotPassword } from '#contract/account.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'

const PATH = '/mot-de-passe-oublie'
const CALM = /^Si un compte existe à cette adresse, un lien vient de partir. Il vaut 30.minutes./

async function ask(user: ReturnType<typeof renderPage>, email: string) {
  await user.type(await screen.findByLabelText('E-mail'), email)
  await user.click(screen.getByRole('button', { name: 'Recevoir un lien' }))
}

describe('the page of a forgotten password', () => {
  afterEach(() => void vi.useRealTimers())

  test('asks for a link and says the same of every address', async () => {
    const asked: unknown[] = []
    const user = renderPage(PATH, {
      api: [
        answer(forgotPassword, ({ body }) => {
          asked.push(body)
          return { success: true as const }
        }),
      ],
    })
    await ask(user, ' camille@exemple.be ')
    expect(await screen.findByText(CALM)).toBeTruthy()
    const heading = screen.getByRole('heading', { name: 'Regardez votre messagerie' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(screen.getByText('camille@exemple.be')).toBeTruthy()
    expect(asked).toEqual([{ email: 'camille@exemple.be' }])
  })

  test('lets another link be asked after a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let asked = 0
    const user = renderPage(PATH, {
      api: [
        answer(forgotPassword, () => {
          asked += 1
          return { success: true as const }
        }),
      ],
    })
    await ask(user, 'camille@exemple.be')
    const again = await screen.findByRole<HTMLButtonElement>('button', {
      name: /Renvoyer un lien dans 5\d\ss/,
    })
    expect(again.disabled).toBe(true)
    act(() => vi.advanceTimersByTime(61_000))
    await user.click(screen.getByRole('button', { name: 'Renvoyer un lien' }))
    expect(await screen.findByText('C’est redemandé.')).toBeTruthy()
    expect(asked).toBe(2)
  })

  test('makes nobody wait for what did not leave, unless it was asked too often', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = [{ success: true as const }, refusal('not_ready'), refusal('too_many_requests')]
    const user = renderPage(PATH, {
      api: [answer(forgotPassword, () => answers.shift() ?? refusal('unexpected'))],
    })
    await ask(user, 'camille@exemple.be')
    await screen.findByRole('button', { name: /Renvoyer un lien dans 5\d\ss/ })
    act(() => vi.advanceTimersByTime(61_000))
    await user.click(screen.getByRole('button', { name: 'Renvoyer un lien' }))
    expect(await screen.findByText(/Le service démarre/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Renvoyer un lien' }))
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /Renvoyer un lien dans/ })).toBeTruthy()
  })

  test('keeps the address that is to be corrected', async () => {
    const user = renderPage(PATH, { api: [answer(forgotPassword, { success: true })] })
    await ask(user, 'camile@exemple.be')
    await user.click(await screen.findByRole('button', { name: 'Corriger l’adresse' }))
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('camile@exemple.be')
  })

  test('says what is wrong with an address, and that there were too many', async () => {
    const user = renderPage(PATH, { api: [answer(forgotPassword, refusal('too_many_requests'))] })
    await ask(user, 'pas-une-adresse')
    expect(await screen.findByText('Format email invalide')).toBeTruthy()
    await ask(user, '@exemple.be')
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
    expect(screen.queryByText(CALM)).toBeNull()
  })
})
