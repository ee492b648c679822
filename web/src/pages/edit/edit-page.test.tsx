import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { notifyRevelation } from '#contract/deliveries.ts'
import { deleteFile } from '#contract/media.ts'
import { getRevelation, listRevelations, type OwnRevelation } from '#contract/revelations.ts'
import { type EditRevelationInput, editRevelation } from '#contract/sealing.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  aDelivery,
  anEnvelope,
  anOwnRevelation,
  anUpload,
  aPage,
  aUser,
  inDays,
  nothingAllowed,
} from '#web/test/samples.ts'
import { uploadDoor } from '#web/test/upload-door.ts'

const author = aUser()
const NOTIFIES = /^Prévenir le nouveau destinataire/

beforeAll(() =>
  Promise.all([import('./edit-page.tsx'), import('#web/features/media/album-list.tsx')]),
)
beforeEach(() => standInForMedia({ duration: 40 }))
afterEach(() => vi.useRealTimers())

function edit(revelation: OwnRevelation, outcome: 'saved' | 'refused' = 'saved') {
  const saved: EditRevelationInput[] = []
  const deleted: unknown[] = []
  const notified: unknown[] = []
  const user = renderPage(`/edit/${revelation.id}`, {
    user: author,
    api: [
      answer(getRevelation, { revelation }),
      answer(editRevelation, ({ body }) => {
        saved.push(body as EditRevelationInput)
        return outcome === 'saved' ? { revelation } : refusal('unexpected')
      }),
      answer(notifyRevelation, ({ body }) => {
        notified.push(body)
        return { queued: true }
      }),
      answer(listRevelations, aPage([])),
      ...uploadDoor().handlers,
      answer(deleteFile, ({ body }) => {
        deleted.push(body)
        return { success: true as const }
      }),
    ],
  })
  return { user, saved, deleted, notified }
}

async function save(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Enregistrer les modifications' }))
}

async function fill(user: UserEvent, label: string, text: string) {
  const field = screen.getByLabelText(label)
  await user.clear(field)
  if (text) {
    await user.click(field)
    await user.paste(text)
  }
}

const withVideo = () =>
  anOwnRevelation({
    reveal_date: '2099-07-14T16:30:00.000Z',
    file_type: 'video',
    file_url: '/api/secure-file/videos/film.mp4?token=un',
    video_edit_url: '/api/revelations/video-stream-edit/x?token=un',
    file_name: 'voyage.mp4',
    file_size: 13_000_000,
    duration: 40,
    teaser_start: 5,
    teaser_end: 15,
  })

describe('the form', () => {
  test('starts with what is stored, and sends it whole', async () => {
    const { user, saved } = edit(withVideo())
    const title = await screen.findByLabelText<HTMLInputElement>('Titre')
    expect(title.value).toBe('Ce que je pense de notre voyage')
    expect(screen.getByLabelText('Date de révélation').textContent).toBe('mardi 14 juillet 2099')
    expect(screen.getByLabelText<HTMLInputElement>(/^Heure/).value).toBe('18:30')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Voyage' }).checked).toBe(true)
    expect(screen.getByText('voyage.mp4')).toBeTruthy()
    const kind = screen.getByLabelText<HTMLSelectElement>('Genre')
    expect(kind.value).toBe('letter')
    await user.selectOptions(kind, 'Prédiction')
    await fill(user, 'Titre', 'Un autre titre')
    await save(user)
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(saved[0]).toMatchObject({
      title: 'Un autre titre',
      target_email: 'maman@exemple.be',
      reveal_date: '2099-07-14T16:30:00.000Z',
      time_zone: 'Europe/Brussels',
      kind: 'prediction',
      category: 'travel',
      visibility: 'public',
      is_private: false,
      file_url: '/api/secure-file/videos/film.mp4?token=un',
      file_type: 'video',
      teaser_start: 5,
      teaser_end: 15,
    })
  })

  test.each([
    ['somebody who is told', inDays(-1), 1],
    ['somebody for whom it stays a surprise', null, 0],
  ] as const)('gives it to %s', async (_, notified_at, count) => {
    const own = anOwnRevelation({ delivery: aDelivery({ notified_at }) })
    const { user, saved, notified } = edit(own)
    await screen.findByLabelText('Titre')
    await fill(user, 'Titre', 'Un autre titre')
    expect(screen.queryByLabelText(NOTIFIES)).toBeNull()
    await fill(user, 'E-mail du destinataire', 'papa@exemple.be')
    expect(screen.getByLabelText<HTMLInputElement>(NOTIFIES).checked).toBe(notified_at !== null)
    await save(user)
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(saved[0]?.target_email).toBe('papa@exemple.be')
    await waitFor(() => expect(notified).toHaveLength(count))
  })

  test('adds somebody, and takes somebody away, while it is sealed', async () => {
    const deliveries = [
      aDelivery({ id: 'maman', name: 'Maman' }),
      aDelivery({ id: 'papa', address: 'papa@exemple.be' }),
    ]
    const { user, saved } = edit(anOwnRevelation({ deliveries, recipients_see_each_other: true }))
    expect(await screen.findByRole('button', { name: /^Maman, changer/ })).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Adresse de la 2e personne').value).toBe(
      'papa@exemple.be',
    )
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Tous se voient/ }).checked).toBe(
      true,
    )
    await user.click(screen.getByRole('button', { name: 'Retirer papa@exemple.be' }))
    expect(screen.queryByLabelText(NOTIFIES)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Une autre adresse' }))
    await user.type(screen.getByLabelText('Adresse de la 2e personne'), 'tom@exemple.be')
    expect(screen.getByLabelText(NOTIFIES)).toBeTruthy()
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({
      recipients: [
        { email: 'maman@exemple.be', name: 'Maman' },
        { email: 'tom@exemple.be', name: null },
      ],
      recipients_see_each_other: true,
    })
  })

  test('refuses what the contract refuses', async () => {
    const { user, saved } = edit(anOwnRevelation())
    await screen.findByLabelText('Titre')
    await fill(user, 'Titre', 'ab')
    await fill(user, 'Contenu', '')
    await fill(user, 'E-mail du destinataire', '')
    await user.type(screen.getByLabelText('E-mail du destinataire'), 'a@x.fr,b@y.fr')
    await save(user)
    expect(await screen.findByText('Le titre doit contenir au moins 3 caractères')).toBeTruthy()
    expect(screen.getByText('Le contenu est requis')).toBeTruthy()
    expect(screen.getByText('Format email invalide')).toBeTruthy()
    expect(saved).toEqual([])
  })

  test('shows beside its field what the server refuses, and goes to the first', async () => {
    const refused = {
      target_email: 'Cette adresse n’existe pas',
      reveal_date: 'La date de révélation ne peut pas être dans le passé',
    }
    const own = anOwnRevelation()
    const user = renderPage(`/edit/${own.id}`, {
      user: author,
      api: [
        answer(getRevelation, { revelation: own }),
        answer(editRevelation, () => refusal('invalid_input', refused)),
      ],
    })
    await save(user)
    expect(await screen.findByText(refused.reveal_date)).toBeTruthy()
    expect(screen.getByText(refused.target_email)).toBeTruthy()
    const day = screen.getByLabelText('Date de révélation')
    await waitFor(() => expect(document.activeElement).toBe(day))
  })

  test('keeps a date that comes today, and moves it to tomorrow at the earliest', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
    const { user, saved } = edit(anOwnRevelation({ reveal_date: '2026-11-20T17:30:00.000Z' }))
    await screen.findByLabelText('Titre')
    await user.clear(screen.getByLabelText(/^Heure/))
    await save(user)
    expect(
      await screen.findByText('La date de révélation doit être au plus tôt demain'),
    ).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Demain' }))
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.reveal_date).toBe('2026-11-21')
  })

  test('judges the date only where it was changed: words may, minutes before it comes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
    const reveal_date = '2026-11-20T12:03:27.500Z'
    const { user, saved } = edit(anOwnRevelation({ reveal_date }))
    await user.type(await screen.findByLabelText('Titre'), ' bis')
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.reveal_date).toBe(reveal_date)
  })

  test('goes back without saving', async () => {
    const { user, saved } = edit(anOwnRevelation())
    await user.click(await screen.findByRole('button', { name: 'Annuler' }))
    expect(window.location.pathname).toBe('/')
    expect(saved).toEqual([])
  })
})

describe('the file', () => {
  test('has its teaser changed on the server’s video', async () => {
    const { user, saved } = edit(withVideo())
    await user.click(await screen.findByRole('button', { name: 'Modifier l’extrait' }))
    const video = screen.getByLabelText('Image de l’extrait choisi')
    expect(video.getAttribute('src')).toContain('video-stream-edit')
    const end = screen.getByLabelText('Fin')
    await user.clear(end)
    await user.type(end, '0:50{Enter}')
    expect(await screen.findByText('Le teaser dépasse la durée maximale autorisée')).toBeTruthy()
    await user.clear(end)
    await user.type(end, '0:12,5{Enter}')
    await user.click(screen.getByRole('button', { name: 'Garder cet extrait' }))
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({ teaser_start: 5, teaser_end: 12.5 })
  })

  test('may lose its teaser, or go', async () => {
    const { user, saved } = edit(withVideo())
    await user.click(await screen.findByRole('button', { name: 'Sans extrait' }))
    expect(screen.getByText(/personne ne voit rien de la vidéo/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Retirer le fichier' }))
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({ file_url: null, file_type: null, teaser_end: null })
  })

  test('newly sent is taken back when the update fails, and everything typed stays', async () => {
    const { user, deleted } = edit(anOwnRevelation(), 'refused')
    await screen.findByLabelText('Titre')
    await fill(user, 'Titre', 'Un autre titre')
    const photo = new File(['x'.repeat(500)], 'photo.jpg', { type: 'image/jpeg' })
    await user.upload(screen.getByLabelText('Joindre un fichier'), photo)
    await screen.findByText('Upload terminé')
    await save(user)
    expect(await screen.findByText('Failed to update revelation')).toBeTruthy()
    expect(deleted).toEqual([{ path: anUpload().path }])
    expect(
      screen.getByText('Une erreur inattendue est survenue. Réessayez dans un instant.'),
    ).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('Un autre titre')
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText('Upload terminé')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(deleted, 'left without saving').toHaveLength(2))
  })
})

describe('an album', () => {
  const fileOf = (name: string, caption: string | null = null) => ({
    ...{
      url: `/api/secure-file/images/${name}?token=un`,
      mobile_url: null,
      type: 'image' as const,
    },
    ...{ is_sealed: true, name, size: 1000, duration: null, thumbnail: null, caption },
  })
  const withAlbum = () =>
    anOwnRevelation({
      reveal_date: '2099-07-14T16:30:00.000Z',
      file_type: 'image',
      file_url: '/api/secure-file/images/a.jpg?token=un',
      file_name: 'a.jpg',
      file_size: 1000,
      files: [fileOf('a.jpg', 'La plage'), fileOf('b.jpg'), fileOf('c.jpg')],
    })
  const caption = (name: string) =>
    screen.findByRole<HTMLInputElement>('textbox', {
      name: new RegExp(`^Légende de «\\s${name}\\s»`),
    })
  const press = async (user: UserEvent, label: string, name: string) =>
    user.click(await screen.findByRole('button', { name: `${label} «\u202F${name}\u202F»` }))

  test('that nobody touched is not named again', async () => {
    const { user, saved } = edit(withAlbum())
    expect((await caption('a.jpg')).value).toBe('La plage')
    await press(user, 'Descendre', 'a.jpg')
    await press(user, 'Monter', 'a.jpg')
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({ file_url: '/api/secure-file/images/a.jpg?token=un' })
    expect(Object.keys(saved[0] ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(file_urls|captions)$/)]),
    )
  })

  test('has another order, other captions, fewer and further files', async () => {
    const { user, saved } = edit(withAlbum())
    await press(user, 'Monter', 'c.jpg')
    await press(user, 'Retirer', 'b.jpg')
    await user.clear(await caption('a.jpg'))
    await user.click(await caption('c.jpg'))
    await user.paste('Le soir')
    const photo = new File(['x'], 'photo.jpg', { type: 'image/jpeg' })
    await user.upload(screen.getByLabelText('Ajouter d’autres fichiers'), photo)
    await screen.findByText('Tous les fichiers sont arrivés')
    await press(user, 'Monter', 'photo.jpg')
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({
      file_url: '/api/secure-file/images/a.jpg?token=un',
      file_urls: [
        '/api/secure-file/images/a.jpg?token=un',
        anUpload().url,
        '/api/secure-file/images/c.jpg?token=un',
      ],
      captions: [null, null, 'Le soir'],
    })
  })

  test('of which one file is left is no album any more', async () => {
    const { user, saved } = edit(withAlbum())
    await press(user, 'Retirer', 'c.jpg')
    await press(user, 'Retirer', 'a.jpg')
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({
      file_urls: ['/api/secure-file/images/b.jpg?token=un'],
      captions: [null],
    })
  })
})

describe('the voice of the seal', () => {
  const voice = { seal_voice_url: '/api/audio/voix.m4a?token=un', seal_voice_words: 'À demain.' }

  test('stays with other words, or is erased with them', async () => {
    const { user, saved } = edit(anOwnRevelation(voice))
    await fill(user, await findWords(), 'À bientôt.')
    await save(user)
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({
      seal_voice: voice.seal_voice_url,
      seal_voice_words: 'À bientôt.',
    })
    cleanup()
    const again = edit(anOwnRevelation(voice))
    await findWords()
    await again.user.click(screen.getByRole('button', { name: 'Effacer cette voix' }))
    await save(again.user)
    await waitFor(() => expect(again.saved).toHaveLength(1))
    expect(again.saved[0]).toMatchObject({ seal_voice: null, seal_voice_words: null })
  })

  async function findWords(): Promise<string> {
    const label = 'Ce que dit votre voix (facultatif)'
    expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe('À demain.')
    return label
  }
})

describe('a revelation cannot be edited', () => {
  test('without its id in the address', async () => {
    renderPage('/edit', { user: author })
    expect(await screen.findByText('ID de révélation manquant')).toBeTruthy()
  })

  test.each(['not_found', 'invalid_input'] as const)(
    'when it does not exist (%s)',
    async (code) => {
      renderPage('/edit/inconnue', {
        user: author,
        api: [answer(getRevelation, () => refusal(code))],
      })
      expect(await screen.findByText('Révélation non trouvée')).toBeTruthy()
    },
  )

  test('when it is somebody else’s', async () => {
    renderPage('/edit/autre', {
      user: author,
      api: [answer(getRevelation, { revelation: anEnvelope({ id: 'autre' }) })],
    })
    expect(
      await screen.findByText("Vous n'êtes pas autorisé à modifier cette révélation"),
    ).toBeTruthy()
  })

  test('once it is revealed', async () => {
    const can = { ...nothingAllowed(), delete: true, react: true, comment: true }
    edit(anOwnRevelation({ is_revealed: true, can }))
    expect(
      await screen.findByText('Une révélation dévoilée ne peut plus être modifiée'),
    ).toBeTruthy()
    expect(screen.getByText(/C’est ce qui donne sa valeur à une prédiction/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'La relire' })).toBeTruthy()
  })

  test('while the server does not answer, until it is asked again', async () => {
    let isDown = true
    const own = anOwnRevelation()
    const user = renderPage(`/edit/${own.id}`, {
      user: author,
      api: [answer(getRevelation, () => (isDown ? refusal('not_ready') : { revelation: own }))],
    })
    expect(await screen.findByText('Le service démarre. Réessayez dans un instant.')).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByLabelText('Titre')).toBeTruthy()
  })

  test('when the update fails without words', async () => {
    const own = anOwnRevelation()
    const user = renderPage(`/edit/${own.id}`, {
      user: author,
      api: [
        answer(getRevelation, { revelation: own }),
        answer(editRevelation, { revelation: null } as never),
      ],
    })
    await save(user)
    expect(
      await within(document.body).findByText(
        'Une erreur est survenue lors de la mise à jour de la révélation',
      ),
    ).toBeTruthy()
  })
})
