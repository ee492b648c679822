import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { readEmailLink, refuseEmailLink, sendVerification, verifyEmail } from '#contract/account.ts'
import { listRevelations } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const LINK = '/verification#jeton=le-jeton_du-mail'
const proved = aUser()
const unproved = aUser({ email_verified: false })

let used: unknown[]
const works = answer(verifyEmail, ({ body }) => {
  used.push(body)
  return { user: proved }
})
const read = answer(readEmailLink, { pseudo: proved.pseudo, email: proved.email })
beforeEach(() => {
  used = []
})

const confirmButton = () => screen.findByRole('button', { name: 'Confirmer mon adresse' })

describe('the page of a link that proves an address', () => {
  test('uses the link at a tap, never by being opened', async () => {
    const user = renderPage(LINK, { api: [read, works] })
    const button = await confirmButton()
    expect(used).toEqual([])
    await user.click(button)
    const heading = await screen.findByRole('heading', { name: 'Adresse vérifiée' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(used).toEqual([{ token: 'le-jeton_du-mail' }])
    expect(screen.getByText('camille@exemple.be')).toBeTruthy()
    expect(screen.getByText('C’est l’adresse du compte @camille.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Se connecter' })).toBeTruthy()
  })

  test('says first whose account the address would be of', async () => {
    renderPage(LINK, { api: [read, works] })
    const button = await confirmButton()
    const words = button.closest('main')?.textContent
    expect(words).toContain('Le compte @camille utilise l’adresse camille@exemple.be.')
    expect(words).toContain(
      'En confirmant, les lettres adressées à camille@exemple.be s’ouvriront pour ce compte.',
    )
  })

  test('ends a link to an account that is not one’s own, and proves nothing', async () => {
    const ended: unknown[] = []
    const user = renderPage(LINK, {
      api: [
        read,
        works,
        answer(refuseEmailLink, ({ body }) => {
          ended.push(body)
          return { success: true as const }
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Ce n’est pas mon compte' }))
    const heading = await screen.findByRole('heading', { name: 'C’est noté' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(ended).toEqual([{ token: 'le-jeton_du-mail' }])
    expect(used).toEqual([])
    expect(sessionStorage.getItem('link-token:/verification')).toBeNull()
  })

  test('says at once that a link is over, and keeps it no longer', async () => {
    renderPage(LINK, { api: [answer(readEmailLink, refusal('link_expired'))] })
    await screen.findByRole('heading', { name: 'Ce lien n’est plus valable' })
    expect(screen.queryByRole('button', { name: 'Confirmer mon adresse' })).toBeNull()
    expect(sessionStorage.getItem('link-token:/verification')).toBeNull()
  })

  test('reads the link again when the server did not answer', async () => {
    let isDown = true
    const whose = { pseudo: proved.pseudo, email: proved.email }
    const user = renderPage(LINK, {
      api: [works, answer(readEmailLink, () => (isDown ? refusal('not_ready') : whose))],
    })
    const retry = await screen.findByRole('button', { name: 'Réessayer' })
    isDown = false
    await user.click(retry)
    await confirmButton()
  })

  test('takes the token out of the address, and still has it once reloaded', async () => {
    renderPage(LINK, { api: [read, works] })
    await confirmButton()
    expect(window.location.hash).toBe('')
    cleanup()
    const user = renderPage('/verification', { api: [read, works] })
    await user.click(await confirmButton())
    await screen.findByRole('heading', { name: 'Adresse vérifiée' })
    expect(used).toEqual([{ token: 'le-jeton_du-mail' }])
    expect(sessionStorage.getItem('link-token:/verification')).toBeNull()
  })

  test('proves the address of whoever is signed in: nothing reminds of it any more', async () => {
    const user = renderPage(LINK, {
      user: unproved,
      api: [read, works, answer(listRevelations, aPage([]))],
    })
    await user.click(await confirmButton())
    await screen.findByRole('heading', { name: 'Adresse vérifiée' })
    expect(screen.queryByText(/C’est l’adresse du compte/)).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Aller à l’accueil' }))
    await screen.findByRole('heading', { name: /Ce qui attend/ })
    expect(screen.queryByText('Vérifiez votre adresse')).toBeNull()
  })

  test('leaves the session alone when the link is of somebody else', async () => {
    const other = aUser({ id: 'user-other', pseudo: 'noemie', email: 'noemie@exemple.be' })
    const user = renderPage(LINK, { user: other, api: [read, works] })
    await user.click(await confirmButton())
    expect(await screen.findByText('C’est l’adresse du compte @camille.')).toBeTruthy()
    expect(screen.getByText('@noemie')).toBeTruthy()
  })

  test('offers another link when this one is used or too old', async () => {
    let sent = 0
    const user = renderPage(LINK, {
      user: unproved,
      api: [
        read,
        answer(verifyEmail, refusal('link_expired')),
        answer(sendVerification, () => {
          sent += 1
          return { success: true as const }
        }),
      ],
    })
    await user.click(await confirmButton())
    expect(await screen.findByRole('heading', { name: 'Ce lien n’est plus valable' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Recevoir un nouveau lien' }))
    expect(await screen.findByText('Le lien vient de partir. Il vaut 24 heures.')).toBeTruthy()
    expect(sent).toBe(1)
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /Renvoyer dans \d+\ss/ })
    expect(button.disabled).toBe(true)
  })

  test('leads a visitor with such a link to sign in, and back here', async () => {
    const user = renderPage(LINK, { api: [read, answer(verifyEmail, refusal('link_expired'))] })
    await user.click(await confirmButton())
    await user.click(await screen.findByRole('link', { name: /Se connecter pour en recevoir/ }))
    await screen.findByRole('heading', { name: 'Connexion' })
    expect(window.history.state.usr.from.pathname).toBe('/verification')
    expect(sessionStorage.getItem('link-token:/verification')).toBeNull()
  })

  test('says why it failed, and lets the person try again', async () => {
    const answers = [refusal('too_many_requests'), { user: proved }]
    const user = renderPage(LINK, {
      api: [read, answer(verifyEmail, () => answers.shift() ?? refusal('unexpected'))],
    })
    await user.click(await confirmButton())
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
    await user.click(await confirmButton())
    expect(await screen.findByRole('heading', { name: 'Adresse vérifiée' })).toBeTruthy()
  })

  test.each(['/verification', '/verification#jeton='])('says that %s is cut off', async (path) => {
    renderPage(path)
    expect(
      await screen.findByRole('heading', { name: 'Il manque une partie du lien' }),
    ).toBeTruthy()
  })

  test('tells a proved person who comes back that all is well', async () => {
    renderPage('/verification', { user: proved })
    expect(await screen.findByRole('heading', { name: 'Adresse vérifiée' })).toBeTruthy()
  })
})
