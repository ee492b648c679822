import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { deleteDB } from 'idb'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteFile } from '#contract/media.ts'
import { getUser } from '#contract/profiles.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { storeShared } from '#web/features/uploads/shared-store.ts'
import { uploadsDatabase } from '#web/features/uploads/upload-databases.ts'
import { listStoredUploads } from '#web/features/uploads/uploads-store.ts'
import { draftsDatabase } from '#web/lib/drafts.ts'
import { standInForDatabases, standInForDisk } from '#web/test/disk-stand-ins.ts'
import { answer, fakeServer, type Refusal, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { sealingDoor } from '#web/test/sealing-door.ts'
import { cutAfter, uploadDoor } from '#web/test/upload-door.ts'

const GB = 1024 ** 3
const author = aUser()

standInForDatabases()
beforeAll(() => Promise.all([import('./create-page.tsx'), import('./all-at-once.tsx')]))
beforeAll(() => import('#web/features/media/album-list.tsx'))
beforeEach(() => {
  standInForMedia({ duration: 40 })
  standInForDisk({ room: GB })
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})
afterEach(async () => {
  cleanup()
  await deleteDB(uploadsDatabase(author.id))
  await deleteDB(draftsDatabase(author.id))
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const photo = (name: string, content = name) =>
  new File([content], name, { type: 'image/jpeg', lastModified: 1_700_000_000_000 })
const film = (name: string) => new File([name], name, { type: 'video/mp4', lastModified: 1 })

/** Each file has an address of its own, which ends in its name. */
const doorOf = () =>
  uploadDoor(({ name }) => ({ filename: name, url: `/api/secure-file/x/${name}`, path: name }))

interface OpenOptions {
  door?: ReturnType<typeof uploadDoor>
  refused?: Refusal
}

async function open({ door = doorOf(), refused }: OpenOptions = {}) {
  const sealing = sealingDoor({ refused })
  const user = renderPage('/create?vue=tout', {
    user: author,
    api: [...door.handlers, ...sealing.handlers, answer(deleteFile, { success: true })],
  })
  await screen.findByLabelText('Titre')
  return { user, door, ...sealing }
}

async function fill(user: UserEvent, label: string, text: string) {
  await user.click(screen.getByLabelText(label))
  await user.paste(text)
}

/** The rows of the list, by the names of their files. */
const rows = () =>
  within(screen.getByRole('list', { name: 'Vos fichiers' })).getAllByRole('listitem')
const names = () =>
  rows().map((row) =>
    within(row)
      .getByRole('button', { name: /^Retirer/ })
      .getAttribute('aria-label')
      ?.replace(/^Retirer «\u202F|\u202F»$/g, ''),
  )
const button = (label: string, name: string) =>
  screen.getByRole('button', { name: `${label} «\u202F${name}\u202F»` })
const caption = (name: string) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^Légende de «\\s${name}\\s»`) })

async function seal(user: UserEvent) {
  await fill(user, 'Titre', 'Nos vacances')
  await fill(user, 'Contenu', 'Ce que nous avons vu cet été.')
  await fill(user, 'E-mail du destinataire', 'lea@exemple.be')
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  await user.click(await screen.findByRole('button', { name: 'Sceller' }))
}

const add = (user: UserEvent, files: File[], label = 'Joindre un fichier') =>
  user.upload(screen.getByLabelText(label), files)

describe('several files', () => {
  test('are sealed in the order and with the captions of their author', async () => {
    const { user, sealed } = await open({ refused: refusal('plan_limit') })
    await add(
      user,
      ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => photo(name)),
    )
    await screen.findByText('Tous les fichiers sont arrivés')
    expect(names()).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])
    await user.click(button('Monter', 'c.jpg'))
    expect(names()).toEqual(['a.jpg', 'c.jpg', 'b.jpg'])
    expect(document.activeElement, 'where one was').toBe(button('Monter', 'c.jpg'))
    screen.getByText('« c.jpg » est maintenant le fichier 2 sur 3.')
    await user.click(button('Monter', 'c.jpg'))
    expect(document.activeElement, 'nothing is above').toBe(button('Descendre', 'c.jpg'))
    screen.getByRole('button', { name: /^Déplacer «\sa.jpg\s»/ }).focus()
    await user.keyboard('{End}')
    expect(names()).toEqual(['c.jpg', 'b.jpg', 'a.jpg'])
    await user.keyboard('{ArrowUp}')
    expect(names()).toEqual(['c.jpg', 'a.jpg', 'b.jpg'])
    await user.click(caption('a.jpg'))
    await user.paste(' La plage ')
    await seal(user)
    expect(screen.getByText(/^3 photos$/)).toBeTruthy()
    expect(screen.getByText('Dans votre ordre, avec 1 légende.')).toBeTruthy()
    await waitFor(() => expect(sealed).toHaveLength(1))
    expect(sealed[0]).toMatchObject({
      file_url: '/api/secure-file/x/c.jpg',
      file_urls: ['c.jpg', 'a.jpg', 'b.jpg'].map((name) => `/api/secure-file/x/${name}`),
      captions: [null, 'La plage', null],
    })
    await screen.findByRole('alert')
  })

  test('are not sent all at once, and one alone has no list', async () => {
    const door = doorOf()
    const answerNow = door.answerLater()
    const { user } = await open({ door })
    await add(user, [photo('a.jpg')])
    expect(screen.queryByRole('list', { name: 'Vos fichiers' })).toBeNull()
    await add(
      user,
      ['b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'].map((name) => photo(name)),
      'Ajouter d’autres fichiers',
    )
    await waitFor(() => expect(door.uploads.size).toBe(3))
    expect(screen.getAllByText('En attente de son tour')).toHaveLength(2)
    await user.click(button('Retirer', 'd.jpg'))
    answerNow()
    await screen.findByText('Tous les fichiers sont arrivés')
    expect(door.received.toSorted()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'e.jpg'])
  })

  test('are dropped anywhere, and those that cannot be sent are named while the others go on', async () => {
    await open()
    fireEvent.drop(screen.getByLabelText('Contenu'), {
      dataTransfer: {
        files: [
          new File(['x'], 'notes.txt', { type: 'text/plain' }),
          photo('a.jpg'),
          photo('b.jpg'),
        ],
      },
    })
    await screen.findByText('« notes.txt » : Type de fichier non autorisé: text/plain')
    await screen.findByText('Tous les fichiers sont arrivés')
    expect(names()).toEqual(['a.jpg', 'b.jpg'])
  })

  test('of which one does not arrive are not sealed until it is sent again or goes', async () => {
    const { user, sealed } = await open({ refused: refusal('plan_limit') })
    const door = doorOf()
    fakeServer.use(...door.handlers)
    await add(user, [photo('a.jpg')])
    await screen.findByText('Upload terminé')
    door.refuse('quota_exceeded')
    await add(user, [photo('b.jpg')], 'Ajouter d’autres fichiers')
    await screen.findByText(/Ce fichier dépasse l’espace qui vous reste/)
    await fill(user, 'Titre', 'Nos vacances')
    await fill(user, 'Contenu', 'Ce que nous avons vu cet été.')
    await fill(user, 'E-mail du destinataire', 'lea@exemple.be')
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    await screen.findByText('« b.jpg » n’est pas arrivé. Réessayez, ou retirez ce fichier.')
    expect(screen.queryByRole('button', { name: 'Sceller' })).toBeNull()
    door.refuse()
    await user.click(screen.getByRole('button', { name: /^Réessayer d’envoyer «\sb.jpg/ }))
    await screen.findByText('Tous les fichiers sont arrivés')
    await user.click(button('Retirer', 'b.jpg'))
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    await user.click(await screen.findByRole('button', { name: 'Sceller' }))
    await waitFor(() => expect(sealed).toHaveLength(1))
    expect(sealed[0]).toMatchObject({ file_url: '/api/secure-file/x/a.jpg' })
    expect(sealed[0], 'one file, as ever').not.toHaveProperty('file_urls')
    await screen.findByRole('alert')
  })

  test('that the server refuses say so where they stand', async () => {
    const { user } = await open({
      refused: refusal('invalid_input', {
        'captions.1': 'Cette légende est refusée',
        'file_urls.0': 'Fichier invalide',
      }),
    })
    await add(user, [photo('a.jpg'), photo('b.jpg')])
    await screen.findByText('Tous les fichiers sont arrivés')
    await seal(user)
    await screen.findByText('Cette légende est refusée')
    expect(within(rows()[1] as HTMLElement).getByText('Cette légende est refusée')).toBeTruthy()
    expect(within(rows()[0] as HTMLElement).getByText('Fichier invalide')).toBeTruthy()
    await user.type(caption('b.jpg'), '!')
    expect(screen.queryByText('Cette légende est refusée')).toBeNull()
  })
})

test('a caption that is too long is said before anything is sent', async () => {
  const { user, sealed } = await open()
  await add(user, [photo('a.jpg'), photo('b.jpg')])
  await screen.findByText('Tous les fichiers sont arrivés')
  await user.click(caption('a.jpg'))
  await user.paste('x'.repeat(201))
  await screen.findByText('Une légende ne peut pas dépasser 200 caractères')
  await fill(user, 'Titre', 'Nos vacances')
  await fill(user, 'Contenu', 'Ce que nous avons vu cet été.')
  await fill(user, 'E-mail du destinataire', 'lea@exemple.be')
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('data-part'), 'at the files').toBe('inside'),
  )
  expect(sealed).toEqual([])
})

test('a film that is moved from the first place takes its teaser and its words with it', async () => {
  const { user, sealed } = await open({ refused: refusal('plan_limit') })
  await add(user, [film('a.mp4'), film('b.mp4')])
  await user.click(await screen.findByRole('button', { name: 'Garder cet extrait' }))
  await user.upload(
    screen.getByLabelText('Fichier de sous-titres'),
    new File(['WEBVTT\n\n00:01.000 --> 00:02.000\nBonjour'], 'a.vtt'),
  )
  await screen.findByText(/^Sous-titres scellés/)
  await screen.findByText('Tous les fichiers sont arrivés')
  await user.click(button('Descendre', 'a.mp4'))
  await screen.findByText(/« a.mp4 » n’est plus le premier : son extrait n’est pas montré/)
  screen.getByText('Sans extrait : personne ne voit rien de la vidéo avant la date.')
  expect(screen.queryByText(/^Sous-titres scellés/), 'those of another film').toBeNull()
  await seal(user)
  await waitFor(() => expect(sealed).toHaveLength(1))
  expect(sealed[0]).toMatchObject({ teaser_start: null, teaser_end: null, file_words: '' })
  await screen.findByRole('alert')
  await user.click(screen.getByRole('button', { name: 'Retour' }))
  await user.click(await screen.findByRole('button', { name: 'Monter «\u202Fa.mp4\u202F»' }))
  await screen.findByText(/^Sous-titres scellés/)
  expect(screen.queryByText(/n’est plus le premier/)).toBeNull()
})

describe('a tab that was closed', () => {
  // The waits last for minutes: nothing goes on by itself before the tab is closed.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(500))

  test('finds all of them again, in their order, with their captions, from where they were', async () => {
    const door = doorOf()
    door.next(cutAfter(2), cutAfter(0), cutAfter(0))
    const { user } = await open({ door })
    await add(user, [photo('a.jpg', 'aaaa'), photo('b.jpg'), photo('c.jpg'), photo('d.jpg')])
    await screen.findAllByText(/^Connexion perdue/)
    await user.click(button('Monter', 'd.jpg'))
    await user.click(caption('d.jpg'))
    await user.paste('La fin d’abord')
    await waitFor(async () =>
      expect((await listStoredUploads(author.id)).filter(({ hasFile }) => hasFile)).toHaveLength(4),
    )
    cleanup()
    await open({ door })
    await screen.findByText('Tous les fichiers sont arrivés')
    expect(names()).toEqual(['a.jpg', 'b.jpg', 'd.jpg', 'c.jpg'])
    expect(caption('d.jpg').value).toBe('La fin d’abord')
    expect(door.received.toSorted()).toEqual(['aaaa', 'b.jpg', 'c.jpg', 'd.jpg'])
    expect(door.offsets, 'two bytes had arrived').toContain(2)
  })

  test('asks by name for those that the device had no room for, which take their places', async () => {
    const door = doorOf()
    const { user } = await open({ door })
    standInForDisk({ room: 1000 })
    await add(user, [photo('a.jpg'), photo('b.jpg')])
    await screen.findByText('Tous les fichiers sont arrivés')
    await user.click(button('Monter', 'b.jpg'))
    await user.click(caption('b.jpg'))
    await user.paste('Devant')
    await waitFor(async () =>
      expect(await listStoredUploads(author.id)).toMatchObject([
        { isTooLarge: true },
        { isTooLarge: true },
      ]),
    )
    cleanup()
    const again = await open({ door })
    const offers = () => screen.getAllByLabelText('Le même fichier')
    await waitFor(() => expect(offers()).toHaveLength(2))
    const offerOf = (name: string) => {
      const item = screen.getByText(new RegExp(`« ${name} » est arrivée`)).closest('li')
      return within(item as HTMLElement).getByLabelText('Le même fichier')
    }
    await again.user.upload(offerOf('a.jpg'), photo('a.jpg'))
    await again.user.upload(offerOf('b.jpg'), photo('b.jpg'))
    await waitFor(() => expect(names()).toEqual(['b.jpg', 'a.jpg']))
    expect(caption('b.jpg').value).toBe('Devant')
  })
})

test('pictures are pasted, words stay words', async () => {
  await open()
  const content = screen.getByLabelText<HTMLTextAreaElement>('Contenu')
  const paste = (types: string[]) =>
    fireEvent.paste(content, {
      clipboardData: { files: [photo('a.jpg')], types, getData: () => '' },
    })
  paste(['text/plain', 'Files'])
  expect(screen.queryByText('a.jpg')).toBeNull()
  paste(['Files'])
  await screen.findByText('a.jpg')
  paste(['Files'])
  await waitFor(() => expect(rows()).toHaveLength(2))
})

test('all that another app shared is joined, in its order', async () => {
  await storeShared({
    ...{ title: 'La mer', text: '', sharedAtMs: Date.now() },
    files: [photo('un.jpg'), photo('deux.jpg')],
  })
  await open()
  await screen.findByText(/^2 fichiers, dans l’ordre où vous les avez choisis/)
  await waitFor(() => expect(names()).toEqual(['un.jpg', 'deux.jpg']))
  await screen.findByText('Tous les fichiers sont arrivés')
})
