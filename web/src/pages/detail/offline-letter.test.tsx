import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { logout, verifyToken } from '#contract/auth.ts'
import { listComments } from '#contract/comments.ts'
import { listReactions } from '#contract/reactions.ts'
import { listReceived } from '#contract/received.ts'
import { getRevelation, listRevelations, recordView } from '#contract/revelations.ts'
import { OFFLINE_DATABASE } from '#web/features/offline-letters/offline-database.ts'
import { persistDeliveryKey, storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { setReachable } from '#web/lib/online.ts'
import { openedHere } from '#web/lib/reader-marks.ts'
import { KNOWN_USER_KEY } from '#web/lib/session-token.ts'
import { standInForDatabases, storeBlobsWhole } from '#web/test/disk-stand-ins.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aCommentPage, NO_REACTIONS } from '#web/test/open-panel.tsx'
import { renderPage } from '#web/test/render-page.tsx'
import {
  aLetterFile,
  anAlbum,
  anOpenLetter,
  aPage,
  aReceived,
  aReceivedPage,
  aUser,
  inDays,
} from '#web/test/samples.ts'

standInForDatabases()
beforeAll(() =>
  Promise.all([
    import('./detail-page.tsx'),
    import('#web/pages/received/received-page.tsx'),
    import('#web/features/offline-letters/offline-row.tsx'),
  ]),
)

const CONTENT = 'La clé est sous le pot de géraniums.'
const PICTURE = '/api/secure-file/images/mobile_plage.webp'
const KEY = 'n_orl3Ypvrc47VXXcm7Y'
const letter = () =>
  anOpenLetter({
    id: 'a-garder',
    title: 'La plage',
    content: CONTENT,
    visibility: 'private',
    file_type: 'image',
    file_url: '/api/secure-file/images/plage.jpg?token=t',
    file_mobile_url: `${PICTURE}?token=t`,
    opening: { needed: false, opened_at: inDays(-1), tells_author: true },
  })

let objectUrls: Blob[]
beforeEach(() => {
  storeBlobsWhole()
  // A page without a server looks for it again.
  fakeServer.use(http.get('*/api/health', () => HttpResponse.error()))
  objectUrls = []
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override createObjectURL(blob: Blob) {
        objectUrls.push(blob)
        return `blob:${window.location.origin}/${objectUrls.length}`
      }
      static override revokeObjectURL() {}
    },
  )
})
afterEach(async () => {
  // Whoever waits for the server waits no longer.
  setReachable(true)
  cleanup()
  await new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase(OFFLINE_DATABASE)
    deleting.onsuccess = resolve
    deleting.onblocked = resolve
  })
})

/** The page of the letter; `server` is what there is of it: the letter, none, or no network at all. */
function read(
  server: 'there' | 'gone' | 'unreachable',
  options: { path?: string; user?: boolean } = {},
) {
  const { path = `/revelation/${letter().id}`, user = true } = options
  const api = {
    there: answer(getRevelation, { revelation: letter() }),
    gone: answer(getRevelation, refusal('not_found')),
    unreachable: http.get('*/api/revelations/*', () => HttpResponse.error()),
  }[server]
  return renderPage(path, {
    ...(user && { user: aUser() }),
    api: [
      api,
      http.get(
        `*${PICTURE}`,
        () => new HttpResponse('les octets', { headers: { 'content-type': 'image/webp' } }),
      ),
      answer(recordView, { views_count: 7 }),
      answer(listReactions, NO_REACTIONS),
      answer(listComments, aCommentPage([])),
      answer(listRevelations, aPage([])),
      answer(logout, { success: true as const }),
    ],
  })
}

async function storeLetter(person: UserEvent) {
  await person.click(await screen.findByRole('button', { name: 'Lire sans réseau' }))
  expect(await screen.findByText(/^Elle se lit ici sans réseau/)).toBeTruthy()
}

async function readAndStore() {
  const person = read('there')
  await storeLetter(person)
  return person
}

/** Opened before, by the link of its mail. */
function comeByLink() {
  openedHere.add(letter().id)
  storeDeliveryKey(letter().id, KEY)
}

/** All that the database holds, as far as bytes can be read. */
async function rawRecords(): Promise<unknown[]> {
  const { openDB } = await import('idb')
  const database = await openDB(OFFLINE_DATABASE)
  const names = database.objectStoreNames.contains('records')
  const records = names ? await database.getAll('records') : []
  database.close()
  return records
}

describe('a letter that is read without a network', () => {
  test('is kept whole and unreadable, and shown with its picture where no server answers', async () => {
    await readAndStore()
    const records = await rawRecords()
    expect(records).toHaveLength(2)
    const bytes = records
      .flatMap((record) => {
        const { data, files = [] } = record as {
          data?: ArrayBuffer
          files?: { data: ArrayBuffer }[]
        }
        return [data, ...files.map((file) => file.data)]
      })
      .map((data) => (data ? new TextDecoder().decode(data) : ''))
      .join()
    for (const plain of [CONTENT, 'La plage', 'les octets']) expect(bytes).not.toContain(plain)
    expect(records.some((record) => (record as CryptoKey).extractable === false)).toBe(true)
    cleanup()
    read('unreachable')
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    const picture = await screen.findByRole('img', { name: 'La plage' })
    expect(picture.getAttribute('src')).toMatch(/^blob:/)
    expect(await objectUrls[0]?.text()).toBe('les octets')
    expect(await screen.findByText('Vous lisez la copie gardée sur cet appareil')).toBeTruthy()
  })

  test('that was not kept says that it needs the network', async () => {
    read('unreachable')
    expect(await screen.findByText(/^Impossible de joindre le site/)).toBeTruthy()
    expect(screen.queryByText(CONTENT)).toBeNull()
  })

  test('that was not kept comes by itself once the server can be reached again', async () => {
    setReachable(false)
    read('unreachable')
    expect(await screen.findByText(/^Impossible de joindre le site/)).toBeTruthy()
    fakeServer.use(answer(getRevelation, { revelation: letter() }))
    setReachable(true)
    expect(await screen.findByText(CONTENT)).toBeTruthy()
  })

  test('is the server’s again once it can be reached, and the copy is not said to be one', async () => {
    await readAndStore()
    cleanup()
    read('unreachable')
    expect(await screen.findByText('Vous lisez la copie gardée sur cet appareil')).toBeTruthy()
    const changed = 'La clé est chez la voisine.'
    fakeServer.use(answer(getRevelation, { revelation: { ...letter(), content: changed } }))
    setReachable(true)
    expect(await screen.findByText(changed)).toBeTruthy()
    expect(await screen.findByText(/^Elle se lit ici sans réseau/)).toBeTruthy()
  })

  test('goes at the next contact once it may not be read any more, and when its reader says so', async () => {
    await readAndStore()
    cleanup()
    read('gone')
    expect(await screen.findByText('Rien à cette adresse')).toBeTruthy()
    await waitFor(async () => expect(await rawRecords()).toHaveLength(1))
    cleanup()
    const person = await readAndStore()
    await person.click(screen.getByRole('button', { name: 'Ne plus la garder hors ligne' }))
    expect(await screen.findByRole('button', { name: 'Lire sans réseau' })).toBeTruthy()
    expect(await rawRecords()).toHaveLength(1)
  })

  test('goes whole with whoever signs out', async () => {
    const person = await readAndStore()
    await person.click(screen.getAllByRole('button', { name: /Déconnexion/ })[0] as HTMLElement)
    await waitFor(async () => expect(await rawRecords()).toEqual([]))
    expect(JSON.stringify(localStorage)).not.toContain('offline')
  })

  test('goes with a session that ends by itself', async () => {
    await readAndStore()
    cleanup()
    read('there')
    fakeServer.use(answer(verifyToken, refusal('unauthenticated')))
    expect(await screen.findByText(/^Votre session a expiré/)).toBeTruthy()
    await waitFor(async () => expect(await rawRecords()).toEqual([]))
  })

  test('without an account is kept only where the device is the reader’s', async () => {
    comeByLink()
    const person = read('there', { user: false })
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Lire sans réseau' })).toBeNull()
    await person.click(await screen.findByRole('button', { name: 'Oui, la garder ici' }))
    await storeLetter(person)
    cleanup()
    sessionStorage.clear()
    read('unreachable', { user: false })
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    cleanup()
    localStorage.removeItem(`delivery-key:${letter().id}`)
    read('unreachable', { user: false })
    expect(await screen.findByText(/^Impossible de joindre le site/)).toBeTruthy()
  })
})

describe('an album', () => {
  test('is kept whole but for its films, and shown in its order where no server answers', async () => {
    const files = [
      aLetterFile('plage', { caption: 'La plage' }),
      aLetterFile('mer', {
        ...{ type: 'video', url: '/api/secure-file/videos/mer.mp4?token=t', mobile_url: null },
      }),
      aLetterFile('dune', { caption: 'La dune' }),
    ]
    const album = anAlbum(files, { ...letter(), files, file_mobile_url: files[0]?.mobile_url })
    const fetched: string[] = []
    const person = read('there')
    fakeServer.use(
      answer(getRevelation, { revelation: album }),
      http.get('*/api/secure-file/*/*', ({ request }) => {
        const { pathname } = new URL(request.url)
        fetched.push(pathname.replace(/^.*\//, ''))
        return new HttpResponse(`les octets de ${pathname}`)
      }),
    )
    expect(await screen.findByRole('link', { name: /^Photo 3 sur 3/ })).toBeTruthy()
    await storeLetter(person)
    expect(fetched.toSorted()).toEqual([
      'mobile_dune.webp',
      'mobile_plage.webp',
      'thumbnail_dune.webp',
      'thumbnail_mer.webp',
    ])
    cleanup()
    read('unreachable')
    const list = await screen.findByRole('list', { name: 'Fichiers' })
    const links = within(list).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('aria-label'))).toEqual([
      'Photo 1 sur 3\u202F: La plage',
      'Photo 3 sur 3\u202F: La dune',
    ])
    for (const link of links) expect(link.getAttribute('href')).toMatch(/^blob:/)
    expect(within(list).getByText('Le film se regarde en ligne.')).toBeTruthy()
    expect(await screen.findByText(/^Sans réseau.*Films et documents/)).toBeTruthy()
  })
})

describe('a letter that finds no room on the device', () => {
  test('is refused by the size that is announced, and its reader is told', async () => {
    const person = read('there')
    fakeServer.use(
      http.get(`*${PICTURE}`, () => {
        const headers = { 'content-length': String(201 * 2 ** 20) }
        return new HttpResponse('le début des octets', { headers })
      }),
    )
    await person.click(await screen.findByRole('button', { name: 'Lire sans réseau' }))
    expect(await screen.findByText(/^Il n’y a plus de place/)).toBeTruthy()
    expect(localStorage.getItem(OFFLINE_DATABASE)).toBeNull()
  })
})

describe('a copy that was kept by a link', () => {
  async function storeByLink() {
    comeByLink()
    persistDeliveryKey(letter().id)
    await storeLetter(read('there', { user: false }))
    cleanup()
  }

  test('goes too when whoever signed in meanwhile may not read it any more', async () => {
    await storeByLink()
    localStorage.setItem(KNOWN_USER_KEY, JSON.stringify(aUser()))
    read('gone')
    expect(await screen.findByText('Rien à cette adresse')).toBeTruthy()
    await waitFor(async () => expect(await rawRecords()).toHaveLength(1))
  })

  test('is said to be the copy to whoever signed in meanwhile', async () => {
    await storeByLink()
    read('unreachable')
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(await screen.findByText('Vous lisez la copie gardée sur cet appareil')).toBeTruthy()
  })

  test('goes at the next contact, on whatever page that is', async () => {
    await storeByLink()
    vi.setSystemTime(Date.now() + 61 * 60_000)
    onTestFinished(() => void vi.useRealTimers())
    read('gone', { path: '/legal', user: false })
    await waitFor(async () => expect(await rawRecords()).toHaveLength(1))
  })
})

describe('all letters that were opened', () => {
  test('are kept at once, counted, listed without a network, and erased', async () => {
    const opened = { state: 'opened', opened_at: inDays(-1) } as const
    const waiting = anOpenLetter({
      id: 'jamais-ouverte',
      opening: { needed: true, opened_at: null, tells_author: true },
    })
    const asked: string[] = []
    const person = renderPage('/received', {
      user: aUser(),
      api: [
        answer(listReceived, ({ query }) =>
          aReceivedPage(
            query.state === 'opened'
              ? [aReceived(letter(), opened)]
              : [aReceived(waiting), aReceived(letter(), opened)],
          ),
        ),
        answer(getRevelation, ({ params: { id = '' } }) => {
          asked.push(id)
          return { revelation: letter() }
        }),
        http.get(`*${PICTURE}`, () => new HttpResponse('les octets')),
      ],
    })
    await person.click(await screen.findByRole('switch', { name: /Garder mes lettres hors ligne/ }))
    expect(await screen.findByText(/^1\slettre gardée, .* sur 200\sMo$/)).toBeTruthy()
    expect(asked).toEqual([letter().id])
    cleanup()
    const again = renderPage('/received', {
      user: aUser(),
      api: [http.get('*/api/revelations/*', () => HttpResponse.error())],
    })
    expect(await screen.findByRole('heading', { name: 'À lire sans réseau' })).toBeTruthy()
    expect(await screen.findByRole('link', { name: 'La plage' })).toBeTruthy()
    await again.click(screen.getByRole('button', { name: 'Effacer' }))
    await again.click(
      (await screen.findAllByRole('button', { name: 'Effacer' })).at(-1) as HTMLElement,
    )
    expect(await screen.findByText(/^0\slettre gardée/)).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /hors ligne/ }).checked).toBe(false)
    expect(await rawRecords()).toEqual([])
    await waitFor(() => expect(document.activeElement?.localName).toBe('main'))
  })
})
