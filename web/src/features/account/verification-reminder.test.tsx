import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendVerification } from '#contract/account.ts'
import { verifyToken } from '#contract/auth.ts'
import { listRevelations } from '#contract/revelations.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const unproved = aUser({ email_verified: false })
const feed = answer(listRevelations, aPage([]))
const TITLE = 'Vérifiez votre adresse'

/** As when one comes back from the mail program. */
function refocusPage() {
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

describe('the reminder of an address to prove', () => {
  afterEach(() => void vi.useRealTimers())

  test('says what proving gives, and mails another link', async () => {
    let sent = 0
    const user = renderPage('/', {
      user: unproved,
      api: [
        feed,
        answer(sendVerification, () => {
          sent += 1
          return { success: true as const }
        }),
      ],
    })
    const reminder = await screen.findByRole('complementary', { name: TITLE })
    expect(reminder.querySelector('details')?.open).toBe(false)
    await user.click(within(reminder).getByText(TITLE))
    expect(reminder.querySelector('details')?.open).toBe(true)
    expect(reminder.textContent).toContain('camille@exemple.be')
    expect(reminder.textContent).toContain('20 destinataires par jour')
    await user.click(screen.getByRole('button', { name: 'Renvoyer le lien' }))
    expect(await screen.findByText('Le lien vient de partir. Il vaut 24 heures.')).toBeTruthy()
    expect(sent).toBe(1)
  })

  test('says so when there were too many, and waits', async () => {
    const user = renderPage('/', {
      user: unproved,
      api: [feed, answer(sendVerification, refusal('too_many_requests'))],
    })
    await user.click(await screen.findByRole('button', { name: 'Renvoyer le lien' }))
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /Renvoyer dans/ })
    expect(button.disabled).toBe(true)
  })

  test('goes by itself once the address is proved in another page', async () => {
    renderPage('/', { user: unproved, api: [feed] })
    await screen.findByText(TITLE)
    fakeServer.use(answer(verifyToken, { user: aUser() }))
    refocusPage()
    await waitFor(() => expect(screen.queryByText(TITLE)).toBeNull())
    expect(await screen.findByText('Votre adresse est vérifiée.')).toBeTruthy()
  })

  test('is put off until tomorrow', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    vi.setSystemTime('2027-03-02T21:00:00')
    const user = renderPage('/', { user: unproved, api: [feed] })
    await user.click(await screen.findByRole('button', { name: 'Masquer jusqu’à demain' }))
    expect(screen.queryByText(TITLE)).toBeNull()
    cleanup()
    renderPage('/', { user: unproved, api: [feed] })
    await screen.findByText('@camille')
    expect(screen.queryByText(TITLE)).toBeNull()
    cleanup()
    vi.setSystemTime('2027-03-03T08:00:00')
    renderPage('/', { user: unproved, api: [feed] })
    expect(await screen.findByText(TITLE)).toBeTruthy()
  })

  test('is for nobody whose address is proved', async () => {
    renderPage('/', { user: aUser(), api: [feed] })
    await screen.findByText('@camille')
    expect(screen.queryByText(TITLE)).toBeNull()
  })
})
