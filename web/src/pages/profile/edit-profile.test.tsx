import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteFile, uploadFile } from '#contract/media.ts'
import { getUser, type User, updateProfile } from '#contract/profiles.ts'
import { listRevelationsOfUser } from '#contract/revelations.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anUpload, aPage, aUser } from '#web/test/samples.ts'

const photo = new File(['bytes'], 'moi.jpg', { type: 'image/jpeg' })

/** Who I am, as the server remembers it. */
let stored: User

async function openForm(api: RequestHandler[] = [], me = aUser({ bio: 'J’écris la nuit.' })) {
  stored = me
  const user = renderPage('/profile', {
    user: me,
    api: [
      ...api,
      answer(getUser, () => myProfile({}, stored)),
      answer(listRevelationsOfUser, aPage([])),
      answer(getSubscription, aSubscription()),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Modifier' }))
  const heading = await screen.findByRole('heading', { name: 'Modifier mon profil' })
  expect(document.activeElement).toBe(heading)
  return user
}

const save = () => screen.getByRole('button', { name: 'Sauvegarder' })

describe('the words of a profile', () => {
  test('are saved, and shown at once', async () => {
    let sent: unknown
    const user = await openForm([
      answer(updateProfile, ({ body }) => {
        sent = body
        stored = aUser({ ...(body as object) })
        return { user: stored }
      }),
    ])
    const bio = screen.getByLabelText(/^Bio/)
    await user.clear(bio)
    await user.type(bio, 'J’écris le matin.')
    expect(screen.getByText('17 / 500')).toBeTruthy()
    await user.type(screen.getByLabelText(/^Localisation/), 'Namur')
    await user.type(screen.getByLabelText(/^Site web/), 'exemple.be')
    await user.click(save())
    expect(await screen.findByText('J’écris le matin.')).toBeTruthy()
    expect(sent).toEqual({
      pseudo: 'camille',
      bio: 'J’écris le matin.',
      location: 'Namur',
      website: 'https://exemple.be',
    })
    expect(screen.queryByRole('button', { name: 'Sauvegarder' })).toBeNull()
    expect(await screen.findByText('Profil mis à jour')).toBeTruthy()
  })

  test('are left as they were by « Annuler »', async () => {
    const user = await openForm()
    await user.type(screen.getByLabelText('Pseudo'), 'xx')
    await user.click(screen.getByRole('button', { name: 'Annuler' }))
    const heading = screen.getByRole('heading', { name: '@camille' })
    expect(document.activeElement).toBe(heading)
    expect(screen.getByText('J’écris la nuit.')).toBeTruthy()
  })

  test.each([
    ['Pseudo', ' ', 'Pseudo requis'],
    ['Pseudo', 'ab', 'Le pseudo doit contenir au moins 3 caractères'],
    ['Bio', 'a'.repeat(501), 'La bio ne peut pas dépasser 500 caractères'],
    ['Site web', 'javascript:alert(1)', 'L’adresse du site doit commencer par http:// ou https://'],
  ])('refuse in %s « %s »', async (label, text, sentence) => {
    const user = await openForm()
    fireEvent.input(screen.getByLabelText(new RegExp(`^${label}`)), { target: { value: text } })
    await user.click(save())
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  test('show the server’s refusal at its field', async () => {
    const user = await openForm([answer(updateProfile, refusal('pseudo_taken'))])
    await user.click(save())
    expect(await screen.findByText('Ce pseudo est déjà pris')).toBeTruthy()
    expect(screen.getByLabelText('Pseudo').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(screen.getByLabelText('Pseudo'))
  })

  test('say when they could not be saved', async () => {
    const user = await openForm([answer(updateProfile, { user: 1 } as never)])
    await user.click(save())
    expect(await screen.findByText('Erreur lors de la mise à jour du profil')).toBeTruthy()
  })
})

describe('the picture of a profile', () => {
  const drawn = vi.fn()

  beforeEach(() => {
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:test/1', revokeObjectURL: () => {} }),
    )
    HTMLImageElement.prototype.decode = async () => undefined
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
      new DOMRect(0, 0, 320, 320),
    )
    vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(400)
    vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(200)
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
      fillRect: () => undefined,
      drawImage: drawn,
    } as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
      done(new Blob(['jpeg'], { type: 'image/jpeg' })),
    )
  })
  afterEach(() => {
    drawn.mockReset()
    vi.unstubAllGlobals()
  })

  const picture = anUpload({
    url: '/api/secure-file/images/moi.jpg',
    path: 'images/moi.jpg',
    filename: 'moi.jpg',
  })
  const upload = http.post(`${window.location.origin}${uploadFile.url}`, () =>
    HttpResponse.json(picture, { status: 201 }),
  )

  async function choose(user: ReturnType<typeof renderPage>, file = photo) {
    // A picker that offers images only can still be handed something else.
    fireEvent.change(screen.getByLabelText('Choisir une photo'), { target: { files: [file] } })
    return user
  }

  /** The dialog with its picture, which jsdom never loads. */
  async function cropDialog() {
    const dialog = await screen.findByRole('dialog', { name: 'Recadrer la photo' })
    fireEvent.load(dialog.querySelector('img') as HTMLImageElement)
    return within(dialog)
  }

  test('is cut to a square with the keyboard, sent, and becomes one’s face', async () => {
    let sent: unknown
    const user = await openForm([
      upload,
      answer(updateProfile, ({ body }) => {
        sent = body
        stored = aUser({ avatar_url: '/api/avatars/user-camille/1.webp' })
        return { user: stored }
      }),
    ])
    await choose(user)
    const dialog = await cropDialog()
    dialog.getByRole('group', { name: 'Cadre de la photo' }).focus()
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    fireEvent.input(dialog.getByRole('slider', { name: 'Zoom' }), {
      target: { value: '2' },
    })
    await user.click(dialog.getByRole('button', { name: 'Utiliser cette photo' }))
    expect(await screen.findByAltText('Aperçu')).toBeTruthy()
    // Twice a twentieth of the 200 pixels to the left of the middle, then a square of 100.
    expect(drawn.mock.lastCall?.slice(1, 5).map(Math.round)).toEqual([130, 50, 100, 100])
    await user.click(save())
    const face = await screen.findByAltText('@camille')
    expect(face.getAttribute('src')).toBe('/api/avatars/user-camille/1.webp')
    expect(sent).toMatchObject({ avatar_url: '/api/secure-file/images/moi.jpg' })
  })

  test('is taken back when the profile cannot be saved', async () => {
    let discarded: unknown
    const user = await openForm([
      upload,
      answer(updateProfile, refusal('invalid_input', { avatar_url: 'Choisissez une autre image' })),
      answer(deleteFile, ({ body }) => {
        discarded = body
        return { success: true as const }
      }),
    ])
    await choose(user)
    const dialog = await cropDialog()
    await user.click(dialog.getByRole('button', { name: 'Utiliser cette photo' }))
    await screen.findByAltText('Aperçu')
    await user.click(save())
    expect(await screen.findByText('Choisissez une autre image')).toBeTruthy()
    expect(discarded).toEqual({ path: 'images/moi.jpg' })
  })

  test('stays chosen when it cannot be sent, with the reason beside it', async () => {
    const full = http.post(`${window.location.origin}${uploadFile.url}`, () =>
      HttpResponse.json({ error: 'Plus de place', code: 'quota_exceeded' }, { status: 413 }),
    )
    const user = await openForm([full])
    await choose(user)
    const dialog = await cropDialog()
    await user.click(dialog.getByRole('button', { name: 'Utiliser cette photo' }))
    await screen.findByAltText('Aperçu')
    await user.click(save())
    expect(await screen.findByText('Plus de place')).toBeTruthy()
    const input = screen.getByLabelText('Changer la photo')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(input)
    await user.click(screen.getByRole('button', { name: 'Retirer la photo' }))
    expect(screen.queryByText('Plus de place')).toBeNull()
  })

  test('may be taken away', async () => {
    let sent: unknown
    const user = await openForm(
      [
        answer(updateProfile, ({ body }) => {
          sent = body
          stored = aUser()
          return { user: stored }
        }),
      ],
      aUser({ avatar_url: '/api/avatars/user-camille/1.webp' }),
    )
    await user.click(screen.getByRole('button', { name: 'Retirer la photo' }))
    expect(screen.queryByAltText('Aperçu')).toBeNull()
    await user.click(save())
    await waitFor(() => expect(sent).toMatchObject({ avatar_url: null }))
  })

  test.each([
    ['text/plain', 'notes.txt', 'Choisissez une image pour votre photo de profil'],
    ['image/heic', 'moi.heic', /Votre navigateur ne lit pas les photos HEIC/],
    ['image/jpeg', 'abîmée.jpg', /Cette image ne peut pas être lue/],
  ])('is refused when it is %s', async (type, name, sentence) => {
    HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no picture'))
    await choose(await openForm(), new File(['?'], name, { type }))
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
