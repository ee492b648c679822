import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { login } from '#contract/auth.ts'
import { listRevelations } from '#contract/revelations.ts'
import { readToken } from '#web/lib/session-token.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const emptyFeed = answer(listRevelations, aPage([]))

async function fillIn(user: ReturnType<typeof renderPage>, email: string, password: string) {
  await user.type(await screen.findByLabelText('E-mail'), email)
  await user.type(screen.getByLabelText('Mot de passe'), password)
  await user.click(screen.getByRole('button', { name: 'Se connecter' }))
}

describe('the sign-in page', () => {
  test('signs in and leads home', async () => {
    let asked: unknown
    const user = renderPage('/login', {
      api: [
        emptyFeed,
        answer(login, ({ body }) => {
          asked = body
          return { token: 'fresh', user: aUser() }
        }),
      ],
    })
    await fillIn(user, ' camille@exemple.be ', 'un long secret')
    expect(await screen.findByText('@camille')).toBeTruthy()
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(readToken()).toBe('fresh')
    expect(asked).toEqual({ email: 'camille@exemple.be', password: 'un long secret' })
  })

  test('says what is missing, under each field', async () => {
    const user = renderPage('/login')
    await user.click(await screen.findByRole('button', { name: 'Se connecter' }))
    expect(await screen.findByText('Email requis')).toBeTruthy()
    expect(screen.getByText('Mot de passe requis')).toBeTruthy()
    const email = screen.getByLabelText('E-mail')
    expect(email.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(email)
    await user.type(email, 'pas-une-adresse')
    expect(await screen.findByText('Format email invalide')).toBeTruthy()
  })

  test('takes what the pattern takes: the server says whether anybody has that address', async () => {
    const asked: unknown[] = []
    const user = renderPage('/login', {
      api: [
        answer(login, ({ body }) => {
          asked.push(body)
          return refusal('invalid_credentials')
        }),
      ],
    })
    await fillIn(user, 'abc@def', 'un long secret')
    expect(await screen.findByText('E-mail ou mot de passe incorrect')).toBeTruthy()
    expect(asked).toEqual([{ email: 'abc@def', password: 'un long secret' }])
  })

  test('shows the server’s sentence, and lets the person try again', async () => {
    const user = renderPage('/login', { api: [answer(login, refusal('invalid_credentials'))] })
    await fillIn(user, 'camille@exemple.be', 'autre chose')
    expect(await screen.findByText('E-mail ou mot de passe incorrect')).toBeTruthy()
    expect(readToken()).toBeNull()
    expect(window.location.pathname).toBe('/login')
  })

  test('says « Erreur de connexion » when the answer says nothing', async () => {
    const user = renderPage('/login', { api: [answer(login, { token: 1 } as never)] })
    await fillIn(user, 'camille@exemple.be', 'un long secret')
    expect(await screen.findByText('Erreur de connexion')).toBeTruthy()
  })

  test('shows the password when asked', async () => {
    const user = renderPage('/login')
    const password = await screen.findByLabelText('Mot de passe')
    expect(password.getAttribute('type')).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Afficher le mot de passe' }))
    expect(password.getAttribute('type')).toBe('text')
  })

  test('leads to another password with the address that is typed already', async () => {
    const user = renderPage('/login')
    await user.type(await screen.findByLabelText('E-mail'), 'camille@exemple.be')
    await user.click(screen.getByRole('link', { name: /Mot de passe oublié/ }))
    await screen.findByRole('button', { name: 'Recevoir un lien' })
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('camille@exemple.be')
  })

  test('leads a signed-in person home', async () => {
    renderPage('/login', { user: aUser(), api: [emptyFeed] })
    expect(screen.getByText('Initialisation...')).toBeTruthy()
    await waitFor(() => expect(window.location.pathname).toBe('/'))
  })
})
