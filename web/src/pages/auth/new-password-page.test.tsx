import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { resetPassword } from '#contract/account.ts'
import { verifyToken } from '#contract/auth.ts'
import { listRevelations } from '#contract/revelations.ts'
import { readToken } from '#web/lib/session-token.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const LINK = '/nouveau-mot-de-passe#jeton=le-jeton_du-mail'

async function choose(
  user: ReturnType<typeof renderPage>,
  password: string,
  confirmation = password,
) {
  const fields = ['Nouveau mot de passe', 'Confirmer le nouveau mot de passe'] as const
  for (const [index, text] of [password, confirmation].entries()) {
    const field = await screen.findByLabelText(fields[index] ?? '')
    await user.clear(field)
    await user.type(field, text)
  }
  await user.click(screen.getByRole('button', { name: 'Enregistrer le mot de passe' }))
}

describe('the page of a link to another password', () => {
  test('changes it once and leads to sign in', async () => {
    let sent: unknown
    const user = renderPage(LINK, {
      api: [
        answer(resetPassword, ({ body }) => {
          sent = body
          return { success: true as const }
        }),
      ],
    })
    await choose(user, 'un long secret')
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeTruthy()
    expect(
      screen.getByText('Votre mot de passe est changé. Connectez-vous avec le nouveau.'),
    ).toBeTruthy()
    expect(sent).toEqual({ token: 'le-jeton_du-mail', password: 'un long secret' })
    expect(sessionStorage.getItem('link-token:/nouveau-mot-de-passe')).toBeNull()
  })

  test('signs out whoever is signed in here: that session ended too', async () => {
    const user = renderPage(LINK, {
      user: aUser(),
      api: [
        answer(resetPassword, () => {
          fakeServer.use(answer(verifyToken, refusal('unauthenticated')))
          return { success: true as const }
        }),
      ],
    })
    await choose(user, 'un long secret')
    expect(await screen.findByText(/Votre mot de passe est changé/)).toBeTruthy()
    expect(screen.queryByText('Votre session a expiré. Veuillez vous reconnecter.')).toBeNull()
    expect(readToken()).toBeNull()
  })

  test('leaves another account of this browser signed in, and says that all is done', async () => {
    const other = aUser({ id: 'user-noemie', pseudo: 'noemie' })
    const user = renderPage(LINK, {
      user: other,
      api: [answer(resetPassword, { success: true }), answer(listRevelations, aPage([]))],
    })
    await choose(user, 'un long secret')
    expect(await screen.findByText('Le mot de passe est changé.')).toBeTruthy()
    expect(await screen.findByText('@noemie')).toBeTruthy()
    expect(readToken()).not.toBeNull()
  })

  test('wants it typed twice, and long enough', async () => {
    const user = renderPage(LINK)
    await choose(user, 'court')
    expect(
      await screen.findByText('Le nouveau mot de passe doit contenir au moins 8 caractères'),
    ).toBeTruthy()
    await choose(user, 'un long secret', 'un autre secret')
    expect(await screen.findByText('Les mots de passe ne correspondent pas')).toBeTruthy()
  })

  test('puts what the server refuses at its field', async () => {
    const sentence = 'Ce mot de passe est trop courant'
    const user = renderPage(LINK, {
      api: [answer(resetPassword, refusal('invalid_input', { password: sentence }))],
    })
    await choose(user, 'motdepasse')
    expect(await screen.findByText(sentence)).toBeTruthy()
    const field = screen.getByLabelText('Nouveau mot de passe')
    await waitFor(() => expect(document.activeElement).toBe(field))
  })

  test('leads to another link when this one is used or too old', async () => {
    const user = renderPage(LINK, { api: [answer(resetPassword, refusal('link_expired'))] })
    await choose(user, 'un long secret')
    expect(await screen.findByRole('heading', { name: 'Ce lien n’est plus valable' })).toBeTruthy()
    expect(sessionStorage.getItem('link-token:/nouveau-mot-de-passe')).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Recevoir un nouveau lien' }))
    expect(await screen.findByRole('heading', { name: 'Mot de passe oublié' })).toBeTruthy()
  })

  test('says that a link without its end is cut off', async () => {
    renderPage('/nouveau-mot-de-passe')
    expect(
      await screen.findByRole('heading', { name: 'Il manque une partie du lien' }),
    ).toBeTruthy()
  })
})
