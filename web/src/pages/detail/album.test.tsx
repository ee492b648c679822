import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  getRevelation,
  openRevelation,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { answer } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aLetterFile, anAlbum, anOpenLetter, aUser, inDays } from '#web/test/samples.ts'

beforeAll(() =>
  Promise.all([
    import('./detail-page.tsx'),
    import('#web/features/revelations/letter-album.tsx'),
    import('#web/features/media/album-viewer.tsx'),
    import('#web/features/media/album-pages.tsx'),
  ]),
)
beforeEach(() => {
  standInForMedia({ duration: 8 })
  // Going back leads to the link by which one left.
  vi.spyOn(window, 'scrollBy').mockImplementation(() => {})
})

const TITLE = 'Un dimanche au port'
const FILES = [
  aLetterFile('quai', { caption: 'Le quai' }),
  aLetterFile('bateau', {
    ...{ type: 'video', url: '/api/secure-file/videos/bateau.mp4?token=un', mobile_url: null },
    ...{ name: 'bateau.mp4', duration: 8 },
  }),
  aLetterFile('jetee', { caption: 'La jetée' }),
  aLetterFile('phare'),
]
const NAMES = [
  'Photo 1 sur 4\u202F: Le quai',
  'Film 2 sur 4',
  'Photo 3 sur 4\u202F: La jetée',
  'Photo 4 sur 4',
]

function open(letter: Revelation | (() => Revelation)) {
  const shown = () => (typeof letter === 'function' ? letter() : letter)
  let asked = 0
  const user = renderPage(`/revelation/${shown().id}`, {
    user: aUser(),
    api: [
      answer(getRevelation, () => {
        asked += 1
        return { revelation: shown() }
      }),
      answer(openRevelation, { opened_at: new Date().toISOString() }),
      answer(recordView, { views_count: 1 }),
    ],
  })
  return { user, asked: () => asked }
}

const thumbnails = async () => {
  const list = await screen.findByRole('list', { name: 'Fichiers' })
  return within(list).getAllByRole('link')
}

describe('an album on the page of its letter', () => {
  test('has its files in order, each a link to its file that is named with its place and caption', async () => {
    open(anAlbum(FILES, { title: TITLE }))
    const links = await thumbnails()
    expect(links.map((link) => link.getAttribute('aria-label'))).toEqual(NAMES)
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      FILES.map(({ mobile_url, url }) => mobile_url ?? url),
    )
    expect(screen.getByRole('heading', { name: /^4\sfichiers$/ })).toBeTruthy()
    const shown = links.map((link) => link.querySelector('img')?.getAttribute('src'))
    // The first is as wide as the letter.
    expect(shown).toEqual([FILES[0]?.mobile_url, ...FILES.slice(1).map((file) => file.thumbnail)])
  })

  test('opens at a thumbnail, goes on by keys and buttons, and is left where it is by going back', async () => {
    const { user } = open(anAlbum(FILES, { title: TITLE }))
    const links = await thumbnails()
    await user.click(links[2] as HTMLElement)
    const viewer = within(
      await screen.findByRole('dialog', { name: `Album de la révélation ${TITLE}` }),
    )
    const status = viewer.getByRole('status')
    expect(status.textContent).toBe(NAMES[2])
    expect(viewer.getByText('3 sur 4')).toBeTruthy()
    expect(viewer.getByText('La jetée')).toBeTruthy()
    await user.keyboard('{ArrowRight}')
    await waitFor(() => expect(status.textContent).toBe(NAMES[3]))
    expect(viewer.queryByText('La jetée')).toBeNull()
    expect(viewer.getByRole('button', { name: 'Suivant' })).toHaveProperty('disabled', true)
    await user.click(viewer.getByRole('button', { name: 'Précédent' }))
    await user.click(viewer.getByRole('button', { name: 'Précédent' }))
    await waitFor(() => expect(status.textContent).toBe(NAMES[1]))
    expect(viewer.getByRole('button', { name: 'Lire la vidéo Film 2 sur 4' })).toBeTruthy()
    act(() => window.history.back())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(links[1])
  })

  test('is closed by Escape and by its button, and leaves no entry to go back through', async () => {
    const { user } = open(anAlbum(FILES, { title: TITLE }))
    const [first] = (await thumbnails()) as [HTMLElement]
    const before = window.history.state.idx
    for (const leave of [
      () => user.keyboard('{Escape}'),
      () => user.click(screen.getByRole('button', { name: 'Fermer' })),
    ]) {
      await user.click(first)
      await screen.findByRole('dialog')
      expect(window.history.state.idx).toBe(before + 1)
      await leave()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      await waitFor(() => expect(window.history.state.idx).toBe(before))
      expect(document.activeElement).toBe(first)
    }
  })

  test('asks for a new address of the one picture whose ticket ended', async () => {
    let requests = 0
    const { user } = open(() => {
      const token = requests <= 1 ? 'un' : 'deux'
      requests += 1
      return anAlbum(
        FILES.map((file) => ({
          ...file,
          mobile_url: file.mobile_url?.replace('=un', `=${token}`) ?? null,
        })),
        { id: 'le-meme', title: TITLE },
      )
    })
    const [, , third] = (await thumbnails()) as HTMLElement[]
    await user.click(third as HTMLElement)
    const viewer = within(await screen.findByRole('dialog'))
    const picture = () => viewer.getByRole('img', { name: 'Photo 3 sur 4' })
    fireEvent.error(picture())
    await waitFor(() => expect(picture().getAttribute('src')).toMatch(/mobile_jetee.*=deux$/))
  })

  test('says of a picture without a copy yet that it is prepared, and shows it once it is there', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let isReady = false
    const prepared = { url: null, mobile_url: null, thumbnail: null }
    open(() =>
      anAlbum([aLetterFile('quai'), aLetterFile('jetee', isReady ? {} : prepared)], {
        id: 'en-preparation',
      }),
    )
    expect(await thumbnails()).toHaveLength(1)
    expect(screen.getByText('La photo se prépare…')).toBeTruthy()
    isReady = true
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    await waitFor(async () => expect(await thumbnails()).toHaveLength(2))
    expect(screen.queryByText('La photo se prépare…')).toBeNull()
  })

  test('of one picture says so in its place, without a button to download it', async () => {
    open(anOpenLetter({ file_type: 'image', file_name: 'quai.jpg' }))
    expect(await screen.findByText('La photo se prépare…')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Télécharger(?! tout)/ })).toBeNull()
  })
})

describe('an album as its letter opens', () => {
  const waiting = () =>
    anAlbum(FILES, {
      title: TITLE,
      visibility: 'private',
      opening: { needed: true, opened_at: null, tells_author: true },
      reveal_date: inDays(-1),
    })

  async function breakSeal() {
    const letter = waiting()
    const { user } = open(letter)
    const seal = await screen.findByRole('button', { name: 'Briser le sceau et ouvrir la lettre' })
    seal.focus()
    await user.keyboard('{Enter}')
    const turn = await screen.findByRole('button', { name: 'Tourner la page' })
    return { user, turn }
  }

  test('is turned like pages after its words, by a key, a tap and a button, back and to the end', async () => {
    const { user, turn } = await breakSeal()
    await user.click(turn)
    const pages = within(await screen.findByRole('dialog', { name: `Les pages de ${TITLE}` }))
    const status = pages.getByRole('status')
    expect(status.textContent).toBe(NAMES[0])
    expect(pages.getByText('Le quai')).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(status.textContent).toBe(NAMES[1])
    await user.keyboard('{ArrowRight}')
    expect(status.textContent).toBe(NAMES[2])
    await user.click(pages.getByRole('img', { name: 'La jetée' }))
    expect(status.textContent).toBe(NAMES[3])
    await user.click(pages.getByRole('button', { name: 'Page précédente' }))
    expect(status.textContent).toBe(NAMES[2])
    await user.click(pages.getByRole('button', { name: 'Tourner la page' }))
    await user.click(pages.getByRole('button', { name: 'Revenir à la lettre' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // It may be done again, and is asked for no more.
    expect(screen.getByRole('button', { name: 'Feuilleter' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Passer' })).toBeNull()
  })

  test('is skipped before its first page and at any other', async () => {
    const { user } = await breakSeal()
    await user.click(screen.getByRole('button', { name: 'Passer' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Feuilleter' }))
    const pages = within(await screen.findByRole('dialog'))
    await user.keyboard('{Enter}')
    await user.click(pages.getByRole('button', { name: 'Passer' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is offered to nobody who finds its letter open', async () => {
    open(anAlbum(FILES, { title: TITLE }))
    expect(await screen.findByRole('button', { name: 'Feuilleter' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Tourner la page' })).toBeNull()
  })
})

describe('an album on paper', () => {
  test('is printed whole: pictures under their captions, what cannot be printed by its name', async () => {
    open(
      anAlbum([
        ...FILES.slice(0, 2),
        aLetterFile('voix', {
          ...{ type: 'audio', name: 'berceuse.mp3', duration: 133, caption: 'Sa voix' },
        }),
        aLetterFile('plan', { type: 'document', name: 'plan.pdf' }),
      ]),
    )
    await thumbnails()
    const printed = [...document.querySelectorAll('figure.keepsake, p.keepsake-mention')]
    expect(printed.map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '))).toEqual([
      'Le quai',
      'Film : bateau, 8 s',
      'Message vocal : berceuse, 2 min 13 s',
      'Document joint : plan.pdf',
    ])
    expect(printed.map((part) => part.querySelector('img')?.getAttribute('src') ?? null)).toEqual([
      FILES[0]?.mobile_url,
      FILES[1]?.thumbnail,
      null,
      '/api/secure-file/images/thumbnail_plan.webp?token=un',
    ])
    expect(screen.getByText('Sa voix', { selector: '.keepsake' })).toBeTruthy()
  })

  test('waits for its pictures, which are asked for as it is printed', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => {})
    const arrived = Promise.withResolvers<void>()
    const pictures: HTMLImageElement[] = []
    HTMLImageElement.prototype.decode = function (this: HTMLImageElement) {
      pictures.push(this)
      return arrived.promise
    }
    onTestFinished(() => void Reflect.deleteProperty(HTMLImageElement.prototype, 'decode'))
    const { user, asked } = open(anAlbum(FILES, { title: TITLE }))
    await thumbnails()
    await user.click(screen.getByRole('button', { name: 'Imprimer' }))
    await waitFor(() => expect(pictures).toHaveLength(FILES.length))
    expect(pictures.every((picture) => picture.getAttribute('loading') === 'eager')).toBe(true)
    expect(asked()).toBe(2)
    expect(print).not.toHaveBeenCalled()
    arrived.resolve()
    await waitFor(() => expect(print).toHaveBeenCalledOnce())
  })
})
