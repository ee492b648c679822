import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  deleteRevelation,
  getRevelation,
  listRevelations,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  anEnvelope,
  anOpenLetter,
  anOwnRevelation,
  aPage,
  aUser,
  inDays,
} from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))
beforeEach(() => standInForMedia({ duration: 40 }))
afterEach(() => vi.useRealTimers())

/** A server with one revelation, which may change between two questions; it counts what it is asked. */
function serverOf(revelation: () => Revelation) {
  const requests: Headers[] = []
  const views: string[] = []
  const api = [
    answer(getRevelation, ({ headers }) => {
      requests.push(headers)
      return { revelation: revelation() }
    }),
    answer(recordView, ({ params }) => {
      views.push(String(params.id))
      return { views_count: 7 }
    }),
  ]
  return { requests, views, api }
}

function open(revelation: Revelation, options: { as?: 'author' } = {}) {
  const server = serverOf(() => revelation)
  const user = renderPage(`/revelation/${revelation.id}`, {
    api: server.api,
    ...(options.as && { user: aUser() }),
  })
  return { user, ...server }
}

const film = {
  file_type: 'video',
  file_url: '/api/secure-file/videos/film.mp4?token=un',
  file_mobile_url: '/api/secure-file/videos/mobile_film.mp4?token=un',
  file_name: 'voyage.mp4',
  file_size: 13_000_000,
  duration: 40,
} as const
const teaser = { file_type: 'video', teaser_start: 5, teaser_end: 15 } as const

test('what is not known yet is on its way in the colours of the page, never on night', async () => {
  const revelation = anOpenLetter()
  const pending = Promise.withResolvers<void>()
  renderPage(`/revelation/${revelation.id}`, {
    api: [
      answer(getRevelation, async () => {
        await pending.promise
        return { revelation }
      }),
      answer(recordView, { views_count: 1 }),
    ],
  })
  const loading = await screen.findByText('Chargement de la révélation')
  expect(loading.closest('.theme-night')).toBeNull()
  pending.resolve()
  expect(await screen.findByText(revelation.content)).toBeTruthy()
})

describe('a sealed revelation', () => {
  test('shows its envelope, its date in words and nothing of the letter', async () => {
    const revelation = anEnvelope({
      reveal_date: '2099-12-31T23:00:00.000Z',
      created_at: inDays(-4.5),
      version: 2,
      updated_at: '2026-11-01T11:00:00.000Z',
    })
    open(revelation)
    expect(await screen.findByRole('heading', { level: 1, name: revelation.title })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Révélation en attente' })).toBeTruthy()
    expect(screen.getByText('vendredi 1 janvier 2100 à 00:00 (heure de Bruxelles)')).toBeTruthy()
    expect(screen.getByText('@noemie')).toBeTruthy()
    expect(screen.getByText('pour quelqu’un')).toBeTruthy()
    expect(screen.getByText('il y a 4 jours')).toBeTruthy()
    // The panel of the seal says it too, once its code is there.
    const changed = screen.getAllByText(/modifiée le/).map(({ textContent }) => textContent)
    expect(changed).toContainEqual(expect.stringContaining('(version 2)'))
    expect(screen.getByText('Public')).toBeTruthy()
    expect(screen.getByText('Voyage')).toBeTruthy()
    expect(screen.queryByText('Révélation dévoilée')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Plus d’actions/ })).toBeNull()
    expect(document.title).toContain(revelation.title)
  })

  test.each([
    ['video', 'Vidéo disponible après la révélation'],
    ['image', 'Image disponible après la révélation'],
    ['audio', 'Enregistrement disponible après la révélation'],
    ['document', 'Document disponible après la révélation'],
  ] as const)('with a %s says « %s »', async (file_type, words) => {
    open(anEnvelope({ file_type }))
    expect(await screen.findByText(words)).toBeTruthy()
  })

  test('shows the teaser of a video, and goes back to its start at its end', async () => {
    open(anEnvelope({ ...teaser, teaser_url: '/api/secure-file/teasers/teaser_film.mp4?token=un' }))
    const video = await screen.findByLabelText<HTMLVideoElement>(/^Aperçu : /)
    expect(screen.getByText('Aperçu · 0:10')).toBeTruthy()
    expect(video.controls).toBe(false)
    Object.defineProperty(video, 'currentTime', { value: 10, writable: true })
    fireEvent.ended(video)
    expect(video.currentTime).toBe(0)
    expect(video.pause).toHaveBeenCalled()
  })

  test('says that the teaser is being made', async () => {
    open(anEnvelope(teaser))
    expect(await screen.findByText('Création en cours...')).toBeTruthy()
  })

  test('turns on the open page at its instant, and says so', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let shown: Revelation = anEnvelope({ reveal_date: new Date(Date.now() + 3000).toISOString() })
    const { api } = serverOf(() => shown)
    renderPage(`/revelation/${shown.id}`, { api })
    expect(await screen.findByRole('heading', { name: 'Révélation en attente' })).toBeTruthy()
    const { id, reveal_date } = shown
    shown = { ...anOpenLetter({ content: 'Ce sera Jeanne.' }), id, reveal_date }
    await act(() => vi.advanceTimersByTimeAsync(4500))
    expect(await screen.findByText('Ce sera Jeanne.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Révélation dévoilée' })).toBeTruthy()
    expect(screen.getByText('La révélation vient de s’ouvrir.')).toBeTruthy()
  })
})

describe('a revealed one', () => {
  test('shows the letter', async () => {
    open(anOpenLetter({ content: 'Les mots\nde la lettre.' }))
    expect(await screen.findByRole('heading', { name: 'Révélation dévoilée' })).toBeTruthy()
    expect(screen.getByText(/Les mots\s+de la lettre\./)).toBeTruthy()
    expect(screen.queryByText(/Vous seul/)).toBeNull()
  })

  test('plays the whole video, and finds its place again when the ticket dies', async () => {
    let token = 'un'
    const revelation = () =>
      anOpenLetter({
        ...film,
        id: 'film',
        file_mobile_url: null,
        file_url: `/api/secure-file/videos/film.mp4?token=${token}`,
      })
    const { api } = serverOf(revelation)
    const user = renderPage('/revelation/film', { api })
    const video = await screen.findByLabelText<HTMLVideoElement>(/^Vidéo complète : /)
    const controls: (string | null)[] = []
    new MutationObserver((records) =>
      controls.push(...records.map(({ oldValue }) => oldValue)),
    ).observe(video, { attributeFilter: ['controls'], attributeOldValue: true })
    await user.click(screen.getByRole('button', { name: /^Lire la vidéo/ }))
    expect(video.play).toHaveBeenCalledOnce()
    expect(await screen.findByRole('slider', { name: 'Position dans la vidéo' })).toBeTruthy()
    // Those of the browser came, until ours were there.
    expect(controls).toEqual([null, ''])
    expect(video.controls).toBe(false)
    expect(screen.getByText('Complète · 0:40')).toBeTruthy()
    expect(screen.getByText('voyage.mp4')).toBeTruthy()
    fireEvent.loadedMetadata(video)
    Object.defineProperty(video, 'currentTime', { value: 21, writable: true })
    fireEvent.play(video)
    token = 'deux'
    fireEvent.error(video)
    await waitFor(() => expect(video.getAttribute('src')).toContain('token=deux'))
    video.currentTime = 0
    fireEvent.loadedMetadata(video)
    expect(video.currentTime).toBe(21)
    expect(video.play).toHaveBeenCalledTimes(2)
  })

  test('says when the video cannot be read', async () => {
    open(anOpenLetter({ ...film, file_mobile_url: null }))
    const video = await screen.findByLabelText(/^Vidéo complète : /)
    fireEvent.error(video)
    expect(await screen.findByText('Erreur de chargement vidéo')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Réessayer' })).toBeTruthy()
  })

  test('on a slow network reads the light video, and leaves the choice', async () => {
    vi.stubGlobal('navigator', Object.assign(navigator, { connection: slowNetwork }))
    const { user } = open(anOpenLetter(film))
    const video = await screen.findByLabelText(/^Vidéo complète : /)
    expect(screen.getByText('Connexion lente : la vidéo est lue en qualité réduite.')).toBeTruthy()
    expect(video.getAttribute('src')).toContain('mobile_film.mp4')
    await user.click(screen.getByRole('button', { name: 'Voir en qualité d’origine' }))
    expect(video.getAttribute('src')).toContain('/film.mp4')
    Reflect.deleteProperty(navigator, 'connection')
  })

  test('shows an image on the whole screen, and hides one that cannot be read', async () => {
    const { user } = open(
      anOpenLetter({
        file_type: 'image',
        file_url: '/api/secure-file/images/photo.jpg?token=un',
        file_mobile_url: '/api/secure-file/images/mobile_photo.webp?token=un',
        file_name: 'photo.jpg',
      }),
    )
    await user.click(await screen.findByRole('button', { name: 'Voir l’image en plein écran' }))
    const viewer = within(await screen.findByRole('dialog'))
    await user.click(viewer.getByRole('button', { name: 'Fermer l’image' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const image = screen.getByRole('img')
    expect(image.getAttribute('src')).toContain('mobile_photo.webp')
    fireEvent.error(image)
    await waitFor(() => expect(screen.queryByRole('img')).toBeNull())
  })

  test('plays a sound', async () => {
    const { user } = open(
      anOpenLetter({
        title: 'Un message',
        file_type: 'audio',
        file_url: '/api/secure-file/audio/voix.mp3?token=un',
        file_mobile_url: '/api/audio/voix.m4a?token=un',
        duration: 25,
      }),
    )
    await user.click(await screen.findByRole('button', { name: 'Écouter Un message' }))
    expect(HTMLMediaElement.prototype.play).toHaveBeenCalled()
    expect(await screen.findByRole('slider', { name: 'Position dans le message' })).toBeTruthy()
  })

  test('offers a document under its true name, with a ticket of its own', async () => {
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const { user, requests } = open(
      anOpenLetter({
        file_type: 'document',
        file_url: '/api/secure-file/documents/x.pdf?token=un',
        file_name: 'testament.pdf',
        file_size: 2048,
      }),
    )
    await user.click(await screen.findByRole('button', { name: /^Télécharger\s?\d/ }))
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
    const link = clicked.mock.contexts[0] as HTMLAnchorElement
    expect(link.download).toBe('testament.pdf')
    expect(link.getAttribute('href')).toBe('/api/secure-file/documents/x.pdf?token=un&download=1')
    expect(requests).toHaveLength(2)
  })

  test('shows every file of an album under its caption, each to download under its own ticket', async () => {
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const file = (name: string, caption: string | null) => ({
      ...{ url: `/api/secure-file/documents/${name}?token=un`, is_sealed: true },
      ...{ mobile_url: null, name, caption },
      ...{ type: 'document' as const, size: 2048, duration: null, thumbnail: null },
    })
    const files = [file('un.pdf', 'Le plan'), file('deux.pdf', null), file('trois.pdf', 'La clé')]
    const [first] = files
    const { user } = open(
      anOpenLetter({ file_type: 'document', file_url: first?.url, file_name: first?.name, files }),
    )
    const rows = within(await screen.findByRole('list', { name: 'Fichiers' })).getAllByRole(
      'listitem',
    )
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Le planun\.pdf/),
      expect.stringMatching(/^deux\.pdf/),
      expect.stringMatching(/^La clétrois\.pdf/),
    ])
    await user.click(screen.getByRole('button', { name: /^Télécharger\s?La clé/ }))
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
    const link = clicked.mock.contexts[0] as HTMLAnchorElement
    expect(link.getAttribute('href')).toBe(`${files[2]?.url}&download=1`)
  })

  test('that cannot be downloaded is opened in a new tab', async () => {
    let isDown = false
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const letter = anOpenLetter({
      file_type: 'document',
      file_url: '/api/secure-file/documents/x.pdf?token=un',
    })
    const user = renderPage(`/revelation/${letter.id}`, {
      api: [
        answer(getRevelation, () => (isDown ? refusal('not_ready') : { revelation: letter })),
        answer(recordView, { views_count: 1 }),
      ],
    })
    const button = await screen.findByRole('button', { name: 'Télécharger' })
    isDown = true
    await user.click(button)
    await waitFor(() => expect(opened.mock.calls[0]?.[0]).toBe(letter.file_url))
  })
})

const slowNetwork = Object.assign(new EventTarget(), { downlink: 0.8, effectiveType: '3g' })

describe('its author', () => {
  test('reads all of it before the instant, alone', async () => {
    open(anOwnRevelation({ content: 'Mes mots à moi.', ...film }), { as: 'author' })
    expect(await screen.findByText('Mes mots à moi.')).toBeTruthy()
    expect(
      screen.getByText('Personne d’autre que vous ne peut lire ceci avant la date.'),
    ).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Révélation en attente' })).toBeTruthy()
    expect(screen.getByLabelText(/^Vidéo complète : /)).toBeTruthy()
  })

  test('sees how far the file is, step by step', async () => {
    open(
      anOwnRevelation({
        ...film,
        ...teaser,
        file_mobile_url: null,
        thumbnail_complete: '/api/thumbnail/film.webp',
        processing_status: 'processing',
        processing_progress: 42,
      }),
      { as: 'author' },
    )
    const bar = await screen.findByRole('progressbar', { name: 'Préparation du fichier' })
    expect(bar.getAttribute('aria-valuenow')).toBe('42')
    const steps = screen.getByRole('list', { name: 'Étapes de la préparation' })
    expect(within(steps).getByText('Extrait public').textContent).toContain('en cours')
    expect(within(steps).getByText('Vignettes').textContent).toContain('prêt')
  })

  test('is told what failed and why, each with a way to try again', async () => {
    const processing_error = '1 tâche(s) ont échoué. Les fonctionnalités peuvent être limitées.'
    const error = 'Préparer ce fichier demande trop de travail'
    const failed_jobs = [{ jobId: 'one', type: 'mobile' as const, error }]
    open(anOwnRevelation({ ...film, processing_status: 'failed', processing_error, failed_jobs }), {
      as: 'author',
    })
    expect(await screen.findByText(processing_error)).toBeTruthy()
    const failed = within(screen.getByRole('list', { name: 'Ce qui a échoué' }))
    expect(failed.getByText(error)).toBeTruthy()
    expect(failed.getByRole('button', { name: /^Réessayer/ })).toBeTruthy()
  })

  test('deletes it after a question, and leaves', async () => {
    const deleted: string[] = []
    const own = anOwnRevelation()
    const { api } = serverOf(() => own)
    const user = renderPage(`/revelation/${own.id}`, {
      user: aUser(),
      api: [
        ...api,
        answer(deleteRevelation, ({ params }) => {
          deleted.push(String(params.id))
          return { success: true as const }
        }),
        answer(listRevelations, aPage([])),
      ],
    })
    await user.click(await screen.findByRole('button', { name: /^Plus d’actions/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = within(
      await screen.findByRole('alertdialog', {
        name: 'Êtes-vous sûr de vouloir supprimer cette révélation ?',
      }),
    )
    await user.click(question.getByRole('button', { name: 'Supprimer' }))
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    expect(deleted).toEqual([own.id])
  })
})

describe('what is absent and what is hidden', () => {
  test.each(['not_found', 'invalid_input'] as const)('look the same (%s)', async (code) => {
    renderPage('/revelation/inconnue', { api: [answer(getRevelation, () => refusal(code))] })
    expect(await screen.findByRole('heading', { name: 'Rien à cette adresse' })).toBeTruthy()
    expect(screen.getByText(/n’existe pas, n’existe plus, ou ne vous est pas ouverte/)).toBeTruthy()
  })
})

test('a failure is said, and tried again', async () => {
  let isDown = true
  const viewed = vi.fn(() => ({ views_count: 1 }))
  const letter = anOpenLetter()
  const user = renderPage(`/revelation/${letter.id}`, {
    api: [
      answer(getRevelation, () => (isDown ? refusal('not_ready') : { revelation: letter })),
      answer(recordView, viewed),
    ],
  })
  expect(await screen.findByText('Le service démarre. Réessayez dans un instant.')).toBeTruthy()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Réessayer' }))
  expect(await screen.findByText(letter.content)).toBeTruthy()
  await waitFor(() => expect(viewed).toHaveBeenCalled())
})

test('a visit counts one view, and shows the new count', async () => {
  const { views } = open(anEnvelope({ id: 'vue', views_count: 6 }))
  await waitFor(() =>
    expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('7 vues'),
  )
  expect(views).toEqual(['vue'])
})
