import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { listRevelations } from '#contract/revelations.ts'
import { readToken } from '#web/lib/session-token.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const emptyFeed = answer(listRevelations, aPage([]))

interface Filled {
  pseudo?: string
  email?: string
  password?: string
  confirmation?: string
  isOfAge?: boolean
}

async function fillIn(user: UserEvent, filled: Filled = {}) {
  const { pseudo, email, password, confirmation, isOfAge } = {
    pseudo: 'camille',
    email: 'camille@exemple.be',
    password: 'un long secret',
    confirmation: 'un long secret',
    isOfAge: true,
    ...filled,
  }
  await user.type(await screen.findByLabelText('Pseudo'), pseudo)
  await user.type(screen.getByLabelText('E-mail'), email)
  await user.type(screen.getByLabelText('Mot de passe'), password)
  await user.type(screen.getByLabelText('Confirmer le mot de passe'), confirmation)
  if (isOfAge) await user.click(screen.getByLabelText('J’ai 15 ans ou plus'))
  await submit(user)
}

async function submit(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Créer mon compte' }))
}

describe('the sign-up page', () => {
  test('creates the account, signs in and leads home', async () => {
    let asked: unknown
    const user = renderPage('/register', {
      api: [
        emptyFeed,
        answer(register, ({ body }) => {
          asked = body
          return { token: 'fresh', user: aUser() }
        }),
      ],
    })
    await fillIn(user)
    expect(await screen.findByText('@camille')).toBeTruthy()
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(readToken()).toBe('fresh')
    expect(asked).toEqual({
      pseudo: 'camille',
      email: 'camille@exemple.be',
      password: 'un long secret',
      age_confirmed: true,
    })
  })

  test.each([
    ['/', 'Sceller ma première révélation'],
    ['/demo', 'Sceller ma première révélation'],
    ['/predictions', 'Sceller ma première prédiction'],
  ])('leads from %s to the letter that one came to write', async (page, label) => {
    const user = renderPage(page, {
      api: [emptyFeed, answer(register, { token: 'fresh', user: aUser() })],
    })
    await user.click(await screen.findByRole('link', { name: label }))
    await fillIn(user)
    expect(
      await screen.findByRole('heading', {
        name: /^Pour qui, et pourquoi/,
      }),
    ).toBeTruthy()
    expect(window.location.pathname).toBe('/create')
  })

  test('leads where one was going, by whatever link of these pages one came', async () => {
    const user = renderPage('/create?vue=tout&visibilite=family', {
      api: [emptyFeed, answer(register, { token: 'fresh', user: aUser() })],
    })
    await screen.findByRole('heading', { name: 'Connexion' })
    await user.click(screen.getAllByRole('link', { name: 'Inscription' })[0] as HTMLElement)
    await fillIn(user)
    const family = await screen.findByRole<HTMLInputElement>('radio', { name: /^Cercle Privé/ })
    expect(family.checked).toBe(true)
  })

  test('says everything that is missing at once', async () => {
    const user = renderPage('/register')
    await submit(user)
    expect(await screen.findByText('Pseudo requis')).toBeTruthy()
    expect(screen.getByText('Email requis')).toBeTruthy()
    expect(screen.getByText('Mot de passe requis')).toBeTruthy()
    expect(screen.getByText('Confirmation du mot de passe requise')).toBeTruthy()
  })

  test.each([
    [{ pseudo: 'ab' }, 'Le pseudo doit contenir au moins 3 caractères'],
    [{ pseudo: 'a'.repeat(21) }, 'Le pseudo ne peut pas dépasser 20 caractères'],
    [{ email: 'camille' }, 'Format email invalide'],
    [
      { password: 'court', confirmation: 'court' },
      'Le mot de passe doit contenir au moins 8 caractères',
    ],
    [{ confirmation: 'autre chose' }, 'Les mots de passe ne correspondent pas'],
    [{ isOfAge: false }, 'Révélations est réservé aux personnes de 15 ans ou plus'],
  ])('refuses %o with its sentence', async (filled, sentence) => {
    const user = renderPage('/register')
    await fillIn(user, filled)
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  test.each([
    ['pseudo_taken', 'Pseudo', 'Ce pseudo est déjà pris'],
    ['email_taken', 'E-mail', 'Un compte existe déjà avec cet e-mail'],
  ] as const)('puts %s under its field and leads there', async (code, label, sentence) => {
    const user = renderPage('/register', { api: [answer(register, refusal(code))] })
    await fillIn(user)
    const error = await screen.findByText(sentence)
    const field = screen.getByLabelText(label)
    expect(field.getAttribute('aria-describedby')).toContain(error.id)
    await waitFor(() => expect(document.activeElement).toBe(field))
  })

  test('says « Erreur lors de la création du compte » when the answer says nothing', async () => {
    const user = renderPage('/register', { api: [answer(register, {} as never)] })
    await fillIn(user)
    expect(await screen.findByText('Erreur lors de la création du compte')).toBeTruthy()
  })

  test('leads a signed-in person home', async () => {
    renderPage('/register', { user: aUser(), api: [emptyFeed] })
    await waitFor(() => expect(window.location.pathname).toBe('/'))
  })
})
