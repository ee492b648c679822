import { act, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import {
  type AccountRemains,
  changeEmail,
  deleteAccount,
  getAccountRemains,
  sendVerification,
} from '#contract/account.ts'
import { listApiTokens } from '#contract/api-tokens.ts'
import { listSessions, verifyToken } from '#contract/auth.ts'
import { createExportLink, exportAccount } from '#contract/exports.ts'
import { getNotificationSwitches } from '#contract/notifications.ts'
import { getUser, type User } from '#contract/profiles.ts'
import { listBlocks } from '#contract/relationships.ts'
import { listRevelations } from '#contract/revelations.ts'
import { getPreferences, getSubscription } from '#contract/subscriptions.ts'
import { callApi } from '#web/lib/api-client.ts'
import { hasDeliveryKey, storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { readToken } from '#web/lib/session-token.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { allSwitches } from '#web/test/notification-samples.ts'
import { ALL_PREFERENCES, aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser, inDays } from '#web/test/samples.ts'

function openSettings(api: RequestHandler[] = [], me: User = aUser()) {
  return renderPage('/profile?onglet=parametres', {
    user: me,
    api: [
      ...api,
      answer(getUser, myProfile({}, me)),
      answer(getPreferences, { preferences: ALL_PREFERENCES }),
      answer(getNotificationSwitches, allSwitches()),
      answer(listSessions, { sessions: [] }),
      answer(listApiTokens, { tokens: [] }),
      answer(getSubscription, aSubscription()),
      answer(listBlocks, { blocks: [] }),
      answer(listRevelations, aPage([])),
    ],
  })
}

const panel = async (name: string) => within(await screen.findByRole('region', { name }))
const addressPanel = () => panel('Adresse e-mail')

describe('the address', () => {
  test('is said to be proved', async () => {
    openSettings()
    const address = await addressPanel()
    expect(address.getByText('camille@exemple.be')).toBeTruthy()
    expect(address.getByText('Vérifiée')).toBeTruthy()
    expect(address.queryByRole('button', { name: 'Renvoyer le lien' })).toBeNull()
  })

  test('that is not proved may be mailed another link', async () => {
    const user = openSettings(
      [answer(sendVerification, { success: true })],
      aUser({ email_verified: false }),
    )
    const address = await addressPanel()
    expect(address.getByText('À vérifier')).toBeTruthy()
    await user.click(address.getByRole('button', { name: 'Renvoyer le lien' }))
    expect(await address.findByText('Le lien vient de partir. Il vaut 24 heures.')).toBeTruthy()
  })

  test('may be mailed a link at once when the first one did not leave', async () => {
    const user = openSettings(
      [answer(sendVerification, refusal('not_ready'))],
      aUser({ email_verified: false }),
    )
    const address = await addressPanel()
    await user.click(address.getByRole('button', { name: 'Renvoyer le lien' }))
    expect(await address.findByText(/Le service démarre/)).toBeTruthy()
    expect(
      address.getByRole<HTMLButtonElement>('button', { name: 'Renvoyer le lien' }).disabled,
    ).toBe(false)
  })

  async function fillIn(user: ReturnType<typeof openSettings>, email: string, password: string) {
    await user.click(await screen.findByRole('button', { name: 'Changer d’adresse' }))
    if (email) await user.type(screen.getByLabelText('Nouvelle adresse'), email)
    if (password) await user.type(screen.getByLabelText('Votre mot de passe'), password)
    await user.click(screen.getByRole('button', { name: 'Envoyer le lien' }))
  }

  test('is changed with the password, by a link to the new one', async () => {
    let sent: unknown
    const user = openSettings([
      answer(changeEmail, ({ body }) => {
        sent = body
        return { success: true as const }
      }),
    ])
    await fillIn(user, 'moi@exemple.fr', 'mon secret')
    const notice = await screen.findByText('Un lien est parti')
    expect(notice.parentElement?.textContent).toContain('votre adresse reste camille@exemple.be')
    expect(sent).toEqual({ email: 'moi@exemple.fr', password: 'mon secret' })
    const opener = screen.getByRole('button', { name: 'Changer d’adresse' })
    expect(document.activeElement).toBe(opener)
  })

  test.each([
    ['wrong_password', 'Votre mot de passe', 'Le mot de passe actuel est incorrect'],
    ['email_taken', 'Nouvelle adresse', 'Un compte existe déjà avec cet e-mail'],
  ] as const)(
    'refused with %s is said at its field and stays typed',
    async (code, label, message) => {
      const user = openSettings([answer(changeEmail, refusal(code))])
      await fillIn(user, 'moi@exemple.fr', 'mon secret')
      const sentence = await screen.findByText(message)
      const field = screen.getByLabelText<HTMLInputElement>(label)
      expect(field.getAttribute('aria-describedby')).toContain(sentence.id)
      await waitFor(() => expect(document.activeElement).toBe(field))
      expect(screen.getByLabelText<HTMLInputElement>('Nouvelle adresse').value).toBe(
        'moi@exemple.fr',
      )
    },
  )

  test('is left as it was, and the focus goes back to what opened the form', async () => {
    const user = openSettings()
    await user.click(await screen.findByRole('button', { name: 'Changer d’adresse' }))
    await user.click(screen.getByRole('button', { name: 'Annuler' }))
    const opener = screen.getByRole('button', { name: 'Changer d’adresse' })
    expect(document.activeElement).toBe(opener)
  })

  test('is changed only with a valid address and a password', async () => {
    const user = openSettings()
    await fillIn(user, 'moi', '')
    expect(await screen.findByText('Format email invalide')).toBeTruthy()
    expect(screen.getByText('Mot de passe requis')).toBeTruthy()
  })
})

describe('one’s data', () => {
  /** What the browser was told to save. */
  function watchDownloads() {
    const saved: { name: string; url: string; content: Blob | undefined }[] = []
    const blobs = new Map<string, Blob>()
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          blobs.set('blob:test/1', blob)
          return 'blob:test/1'
        },
      }),
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      const url = this.getAttribute('href') ?? ''
      saved.push({ name: this.download, url, content: blobs.get(url) })
    })
    return saved
  }

  test('is saved as one file, byte for byte', async () => {
    const saved = watchDownloads()
    let query: unknown
    const user = openSettings([
      answer(exportAccount, (request) => {
        query = request.query
        return { profile: { pseudo: 'camille' } }
      }),
    ])
    await user.click(await screen.findByRole('button', { name: 'Exporter mes données' }))
    expect(await screen.findByText('Le fichier est enregistré sur cet appareil.')).toBeTruthy()
    expect(query).toEqual({ format: 'json' })
    expect(saved[0]?.name).toMatch(/^revelations-camille-\d{4}-\d\d-\d\d\.json$/)
    expect(await saved[0]?.content?.text()).toBe('{"profile":{"pseudo":"camille"}}')
  })

  test('is downloaded with its files by the browser itself', async () => {
    const saved = watchDownloads()
    const url = '/api/auth/export?format=zip&token=court'
    const user = openSettings([answer(createExportLink, { url })])
    await user.click(await screen.findByRole('button', { name: 'Tout télécharger (ZIP)' }))
    expect(await screen.findByText(/Le téléchargement commence/)).toBeTruthy()
    expect(saved).toEqual([{ name: '', url, content: undefined }])
  })

  test('is not said to come while another export is under way', async () => {
    const saved = watchDownloads()
    const user = openSettings([answer(createExportLink, refusal('too_many_requests'))])
    await user.click(await screen.findByRole('button', { name: 'Tout télécharger (ZIP)' }))
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
    expect(screen.queryByText(/Le téléchargement commence/)).toBeNull()
    expect(saved).toEqual([])
  })

  test('says why it could not be saved', async () => {
    const saved = watchDownloads()
    const user = openSettings([answer(exportAccount, refusal('too_many_requests'))])
    await user.click(await screen.findByRole('button', { name: 'Exporter mes données' }))
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
    expect(saved).toEqual([])
  })
})

describe('the end of an account', () => {
  const nothing: AccountRemains = {
    revelations_count: 0,
    pending_count: 0,
    sounds: 0,
    sealed_sounds: 0,
    pending: [],
  }
  const waiting: AccountRemains = {
    revelations_count: 12,
    pending_count: 2,
    sounds: 3,
    sealed_sounds: 2,
    pending: [
      {
        id: 'letter-1',
        title: 'Pour tes dix-huit ans',
        target_email: 'louise@exemple.be',
        target_name: 'Louise',
        reveal_date: inDays(400),
      },
    ],
  }

  async function openDialog(api: RequestHandler[]) {
    const user = openSettings(api)
    await user.click(await screen.findByRole('button', { name: 'Supprimer mon compte' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Supprimer mon compte/ }))
    const confirm = () =>
      user.click(dialog.getByRole('button', { name: 'Supprimer définitivement' }))
    return { user, dialog, confirm }
  }

  test('signs out, and leads home', async () => {
    let sent: unknown
    const { user, dialog, confirm } = await openDialog([
      answer(getAccountRemains, nothing),
      answer(deleteAccount, ({ body }) => {
        sent = body
        return { success: true as const }
      }),
    ])
    await user.type(await dialog.findByLabelText('Votre mot de passe'), 'mon secret')
    expect(dialog.queryByRole('checkbox')).toBeNull()
    await confirm()
    expect(await screen.findByText('Votre compte est supprimé.')).toBeTruthy()
    expect(sent).toEqual({ password: 'mon secret' })
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(readToken()).toBeNull()
    expect(screen.queryByText('@camille')).toBeNull()
  })

  test('leaves nothing of the account in this browser', async () => {
    localStorage.setItem('revelation-draft:user-camille', '{}')
    storeDeliveryKey('letter-1', 'n_orl3Ypvrc47VXXcm7Y')
    const { user, dialog, confirm } = await openDialog([
      answer(getAccountRemains, nothing),
      answer(deleteAccount, { success: true }),
    ])
    await user.type(await dialog.findByLabelText('Votre mot de passe'), 'mon secret')
    await confirm()
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    await waitFor(() => expect(localStorage.getItem('revelation-draft:user-camille')).toBeNull())
    expect(hasDeliveryKey('letter-1')).toBe(false)
  })

  describe('while sessions end before the rest', () => {
    async function confirmAndBeRefusedMeanwhile(isDeleted: boolean) {
      let finish = () => {}
      let refused = 0
      const { user, dialog, confirm } = await openDialog([
        answer(getAccountRemains, nothing),
        answer(deleteAccount, async () => {
          await new Promise<void>((resolve) => {
            finish = resolve
          })
          return isDeleted ? { success: true as const } : refusal('unexpected')
        }),
      ])
      await user.type(await dialog.findByLabelText('Votre mot de passe'), 'mon secret')
      await confirm()
      await dialog.findByText('Suppression en cours')
      fakeServer.use(
        answer(verifyToken, () => {
          refused += 1
          return refusal('unauthenticated')
        }),
      )
      await act(async () => {
        await callApi(verifyToken).catch(() => undefined)
      })
      expect(refused).toBe(1)
      expect(dialog.getByText('Suppression en cours')).toBeTruthy()
      expect(window.location.pathname).toBe('/profile')
      finish()
    }

    test('it is not taken for a session that expired', async () => {
      await confirmAndBeRefusedMeanwhile(true)
      expect(await screen.findByText('Votre compte est supprimé.')).toBeTruthy()
      await waitFor(() => expect(window.location.pathname).toBe('/'))
      expect(readToken()).toBeNull()
    })

    test('a failure is said, and leads to sign in', async () => {
      await confirmAndBeRefusedMeanwhile(false)
      expect(await screen.findByText(/La suppression n’est pas confirmée/)).toBeTruthy()
      expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeTruthy()
      expect(readToken()).toBeNull()
    })
  })

  test('names first the letters that will never arrive, and wants them understood', async () => {
    let isDeleted = false
    const { user, dialog, confirm } = await openDialog([
      answer(getAccountRemains, waiting),
      answer(deleteAccount, () => {
        isDeleted = true
        return { success: true as const }
      }),
    ])
    const list = within(
      await dialog.findByRole('region', { name: 'Lettres qui n’arriveront jamais' }),
    )
    expect(list.getByText(/2.lettres attendent leur jour/)).toBeTruthy()
    expect(list.getByText('Pour tes dix-huit ans')).toBeTruthy()
    expect(list.getByText(/^À Louise, le/)).toBeTruthy()
    expect(list.getByText(/et 1.autre/)).toBeTruthy()
    expect(
      dialog.getByText(
        /12.révélations avec leurs fichiers, 3.messages vocaux \(dont 2 encore scellés\), votre profil/,
      ),
    ).toBeTruthy()
    await user.type(dialog.getByLabelText('Votre mot de passe'), 'mon secret')
    await confirm()
    expect(await dialog.findByText('Cochez cette case pour continuer')).toBeTruthy()
    expect(isDeleted).toBe(false)
    await user.click(dialog.getByRole('checkbox', { name: /Je comprends/ }))
    await confirm()
    await waitFor(() => expect(isDeleted).toBe(true))
  })

  test('stays off with a wrong password, and nothing typed is lost', async () => {
    const { user, dialog, confirm } = await openDialog([
      answer(getAccountRemains, waiting),
      answer(deleteAccount, refusal('wrong_password')),
    ])
    const password = await dialog.findByLabelText<HTMLInputElement>('Votre mot de passe')
    await user.type(password, 'mon secret')
    await user.click(dialog.getByRole('checkbox', { name: /Je comprends/ }))
    await confirm()
    expect(await dialog.findByText('Le mot de passe actuel est incorrect')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(password))
    expect(password.value).toBe('mon secret')
    expect(readToken()).not.toBeNull()
  })

  test('is not offered before what goes with it is known', async () => {
    const answers = [refusal('unexpected'), nothing]
    const { user, dialog } = await openDialog([
      answer(getAccountRemains, () => answers.shift() ?? nothing),
    ])
    const retry = await dialog.findByRole('button', { name: 'Réessayer' })
    expect(
      dialog.getByRole<HTMLButtonElement>('button', { name: 'Supprimer définitivement' }).disabled,
    ).toBe(true)
    await user.click(retry)
    expect(await dialog.findByLabelText('Votre mot de passe')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Garder mon compte' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
