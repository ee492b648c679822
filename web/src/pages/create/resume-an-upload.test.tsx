import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { deleteDB } from 'idb'
import { HttpResponse } from 'msw'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { login, logout } from '#contract/auth.ts'
import { ERRORS } from '#contract/errors.ts'
import { deleteFile } from '#contract/media.ts'
import { getUser } from '#contract/profiles.ts'
import { listRevelations } from '#contract/revelations.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { uploadsDatabase } from '#web/features/uploads/upload-databases.ts'
import { listStoredUploads } from '#web/features/uploads/uploads-store.ts'
import { draftsDatabase } from '#web/lib/drafts.ts'
import { standInForDatabases, standInForDisk } from '#web/test/disk-stand-ins.ts'
import { answer, fakeServer } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anUpload, aPage, aUser } from '#web/test/samples.ts'
import { cutAfter, refuseWith, uploadDoor } from '#web/test/upload-door.ts'

const MIB = 1024 ** 2
const GB = 1024 ** 3
const author = aUser()
const film = aFilm('x'.repeat(2000) + 'y'.repeat(3000))
const LOST = 'Connexion perdue. L’envoi reprend dès que possible.'

function aFilm(content: string, name = 'film.mp4', lastModified = 1_700_000_000_000): File {
  return new File([content], name, { type: 'video/mp4', lastModified })
}

standInForDatabases()
beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  // The chance in the waits makes them last for minutes: what waits goes on when it is asked to, on any machine.
  vi.spyOn(Math, 'random').mockReturnValue(500)
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

type Door = ReturnType<typeof uploadDoor>

async function openPage(door: Door) {
  const user = renderPage('/create?vue=tout', { user: author, api: door.handlers })
  await screen.findByLabelText('Titre')
  return user
}

const choose = (user: UserEvent, file: File) =>
  user.upload(screen.getByLabelText('Joindre un fichier'), file)

const chooseAgain = (user: UserEvent, file: File) =>
  user.upload(screen.getByLabelText('Le même fichier'), file)

/** A film of which 2000 bytes have arrived when the tab is closed, and which this device had the time to keep. */
async function closeInTheMiddle({ hasFile = true } = {}): Promise<Door> {
  const door = uploadDoor()
  door.next(cutAfter(2000))
  const user = await openPage(door)
  await choose(user, film)
  await screen.findByText(LOST)
  const uploadId = [...door.uploads.keys()][0]
  await waitFor(async () => expect(await stored()).toMatchObject([{ uploadId, hasFile }]))
  cleanup()
  return door
}

/** Two fifths of the film have come from another device. */
function beganElsewhere(): Door {
  const door = uploadDoor()
  const id = crypto.randomUUID()
  const bytes = new TextEncoder().encode('x'.repeat(2000))
  door.uploads.set(id, { id, name: film.name, size: film.size, bytes })
  return door
}

const stored = () => listStoredUploads(author.id)
const offer = () => screen.findByText(/Votre vidéo « film.mp4 » était en route : 40 % sont arrivés/)

describe('a network that goes away', () => {
  test('costs nothing that has arrived, and one may hurry it', async () => {
    const door = uploadDoor()
    door.next(cutAfter(2000), cutAfter(500))
    const user = await openPage(door)
    await choose(user, film)
    await screen.findByText(LOST)
    await user.click(screen.getByRole('button', { name: 'Reprendre l’envoi' }))
    await waitFor(() => expect(door.offsets).toEqual([0, 2000]))
    await user.click(await screen.findByRole('button', { name: 'Reprendre l’envoi' }))
    await screen.findByText('Upload terminé')
    expect(door.offsets).toEqual([0, 2000, 2500])
    expect(door.received).toEqual([await film.text()])
    expect(door.folders).toEqual(['videos'])
  })

  test('makes the parts smaller, as a slow line lets small ones through', async () => {
    const door = uploadDoor()
    door.next(cutAfter(0), cutAfter(0))
    const user = await openPage(door)
    const long = aFilm('x'.repeat(5 * MIB))
    await choose(user, long)
    await user.click(await screen.findByRole('button', { name: 'Reprendre l’envoi' }))
    await waitFor(() => expect(door.offsets).toEqual([0, 0]))
    await user.click(await screen.findByRole('button', { name: 'Reprendre l’envoi' }))
    await screen.findByText('Upload terminé')
    expect(door.offsets).toEqual([0, 0, 0, 2 * MIB, 4 * MIB])
    expect(door.received[0] === (await long.text())).toBe(true)
  })

  test('a part that was damaged on its way is sent again, without a word', async () => {
    vi.mocked(Math.random).mockReturnValue(0)
    const door = uploadDoor()
    door.next(refuseWith('upload_altered'))
    const user = await openPage(door)
    await choose(user, film)
    await screen.findByText('Upload terminé')
    expect(door.offsets).toEqual([0, 0])
    expect(door.received).toEqual([await film.text()])
  })

  test('an answer that is lost when all has arrived sends nothing twice', async () => {
    const door = uploadDoor()
    door.next(cutAfter(film.size))
    const user = await openPage(door)
    await choose(user, film)
    await user.click(await screen.findByRole('button', { name: 'Reprendre l’envoi' }))
    await screen.findByText('Upload terminé')
    expect(door.offsets).toEqual([0])
  })

  test('an answer that is lost as it begins reserves its room once', async () => {
    const door = uploadDoor()
    door.loseAnswer()
    const user = await openPage(door)
    await choose(user, film)
    await user.click(await screen.findByRole('button', { name: 'Reprendre l’envoi' }))
    await screen.findByText('Upload terminé')
    expect(door.finished).toHaveLength(1)
    expect(door.uploads.size, 'nothing else was begun').toBe(0)
  })

  test('what the server has forgotten meanwhile is sent from the beginning', async () => {
    const door = uploadDoor()
    door.next(cutAfter(2000))
    const user = await openPage(door)
    await choose(user, film)
    await screen.findByText(LOST)
    door.uploads.clear()
    await user.click(screen.getByRole('button', { name: 'Reprendre l’envoi' }))
    await screen.findByText('Upload terminé')
    expect(door.received).toEqual([await film.text()])
  })
})

describe('a tab that was closed', () => {
  test('finds its file again on this device, and goes on where it was', async () => {
    const door = await closeInTheMiddle()
    await openPage(door)
    await screen.findByText('Upload terminé')
    expect(door.offsets).toEqual([0, 2000])
    expect(door.received).toEqual([await film.text()])
  })

  test('asks for the same file where the device had no room for it', async () => {
    standInForDisk({ room: 1000 })
    const door = await closeInTheMiddle({ hasFile: false })
    const user = await openPage(door)
    await offer()
    await chooseAgain(user, aFilm('z'.repeat(5000), 'autre.mp4'))
    await screen.findByText(/Ce n’est pas le même fichier/)
    await chooseAgain(user, aFilm('z'.repeat(4000)))
    await screen.findByText(/pas la même taille/)
    await chooseAgain(user, aFilm('z'.repeat(5000), 'film.mp4', 1_800_000_000_000))
    await screen.findByText(/il a été modifié depuis/)
    expect(door.uploads.size, 'nothing is lost').toBe(1)
    await chooseAgain(user, film)
    await screen.findByText('Upload terminé')
    expect(door.received).toEqual([await film.text()])
  })

  test('is offered what was begun on another device', async () => {
    const door = beganElsewhere()
    const user = await openPage(door)
    await offer()
    await chooseAgain(user, film)
    await screen.findByText('Upload terminé')
    expect(door.offsets).toEqual([2000])
    expect(door.received).toEqual([await film.text()])
  })

  test('finds again what had arrived but was not sealed', async () => {
    const door = uploadDoor()
    const first = await openPage(door)
    await choose(first, film)
    await screen.findByText('Upload terminé')
    cleanup()
    await openPage(door)
    await screen.findByText('Upload terminé')
    expect(door.offsets, 'no byte leaves again').toEqual([0])
  })

  test('may let it be: nothing of it stays, here or on the server', async () => {
    standInForDisk({ room: 1000 })
    const door = await closeInTheMiddle({ hasFile: false })
    const user = await openPage(door)
    await offer()
    await user.click(screen.getByRole('button', { name: 'Abandonner' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Abandonner' }))
    await waitFor(() => expect(door.uploads.size).toBe(0))
    expect(door.abandoned).toHaveLength(1)
    await waitFor(async () => expect(await stored()).toEqual([]))
    await waitFor(() => expect(screen.queryByText(/était en route/)).toBeNull())
  })
})

test('an upload given up before the server answered leaves nothing there', async () => {
  const door = uploadDoor()
  const answerNow = door.answerLater()
  const user = await openPage(door)
  await choose(user, film)
  await waitFor(() => expect(door.uploads.size).toBe(1))
  await user.click(screen.getByRole('button', { name: 'Annuler l’envoi' }))
  answerNow()
  await waitFor(() => expect(door.uploads.size).toBe(0))
  expect(door.offsets).toEqual([])
})

describe('a refusal before the first byte', () => {
  test('is said in the words of the server, and may be tried again', async () => {
    const door = uploadDoor()
    door.refuse('quota_exceeded')
    const user = await openPage(door)
    await choose(user, film)
    await screen.findByText(/Ce fichier dépasse l’espace qui vous reste/)
    expect(door.offsets).toEqual([])
    const plans = within(screen.getByRole('alert')).getByRole('link', { name: /Voir les plans/ })
    expect(plans.getAttribute('target'), 'what is written stays in this tab').toBe('_blank')
    door.refuse()
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    await screen.findByText('Upload terminé')
  })

  test('for want of a verified address says how to verify it, as the room was said before', async () => {
    const door = uploadDoor()
    door.refuse('address_unverified')
    const unverified = aUser({ email_verified: false })
    const room = aSubscription({ total_storage: 100, used_storage: 88, awaits_verification: true })
    const user = renderPage('/create?vue=tout', {
      user: unverified,
      api: [...door.handlers, answer(getSubscription, room)],
    })
    await screen.findByText(/vos fichiers ont 100\sMo\s: il en reste 12\sMo/)
    await choose(user, film)
    const sentence = await screen.findByText(/Ouvrez le lien de vérification/)
    const refused = within(sentence.closest<HTMLElement>('[role=alert]') ?? sentence)
    const link = refused.getByRole('link', { name: /Vérifier mon adresse/ })
    expect(link.getAttribute('target'), 'what is written stays in this tab').toBe('_blank')
    door.refuse()
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    await screen.findByText('Upload terminé')
  })

  test.each(['too_many_uploads', 'quota_exceeded'] as const)(
    'by %s shows those that wait, to let one go',
    async (code) => {
      const door = beganElsewhere()
      const user = await openPage(door)
      await offer()
      door.refuse(code)
      await choose(user, aFilm('un autre', 'autre.mp4'))
      await screen.findByText(ERRORS[code].message)
      await offer()
      await user.click(screen.getByRole('button', { name: 'Abandonner' }))
      const question = within(await screen.findByRole('alertdialog'))
      await user.click(question.getByRole('button', { name: 'Abandonner' }))
      await waitFor(() => expect(door.abandoned).toHaveLength(1))
      door.refuse()
      await user.click(screen.getByRole('button', { name: 'Réessayer' }))
      await screen.findByText('Upload terminé')
      expect(door.received).toEqual(['un autre'])
    },
  )
})

test('a session that ends in the middle asks to sign in, then goes on by itself', async () => {
  const door = uploadDoor()
  door.next(cutAfter(2000), refuseWith('unauthenticated'))
  const user = renderPage('/create?vue=tout', {
    user: author,
    api: [...door.handlers, answer(login, { token: 'un-autre', user: author })],
  })
  await user.type(await screen.findByLabelText('Titre'), 'Mon titre')
  await choose(user, film)
  await user.click(await screen.findByRole('button', { name: 'Reprendre l’envoi' }))
  await user.type(await screen.findByLabelText('E-mail'), 'maman@exemple.be')
  await user.type(screen.getByLabelText('Mot de passe'), 'un mot de passe')
  await user.click(
    within(document.querySelector('form') as HTMLElement).getByRole('button', {
      name: /connecter/,
    }),
  )
  await screen.findByText('Upload terminé')
  expect(door.offsets).toEqual([0, 2000, 2000])
  expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('Mon titre')
})

test('signing out asks first, then leaves nothing on the device or the server', async () => {
  const door = await closeInTheMiddle()
  const user = renderPage('/create?vue=tout', {
    user: author,
    api: [
      ...door.handlers,
      answer(logout, { success: true }),
      answer(listRevelations, aPage([])),
      answer(deleteFile, { success: true }),
    ],
  })
  await screen.findByText('Upload terminé')
  await user.click(screen.getAllByRole('button', { name: 'Déconnexion' })[0] as HTMLElement)
  const question = within(await screen.findByRole('alertdialog'))
  await question.findByText('Vous avez un envoi en attente')
  await user.click(question.getByRole('button', { name: 'Se déconnecter' }))
  await screen.findAllByRole('link', { name: 'Connexion' })
  expect(door.uploads.size).toBe(0)
  const names = async () => (await indexedDB.databases()).map(({ name }) => name)
  await waitFor(async () => expect(await names()).not.toContain(uploadsDatabase(author.id)))
})

test('what the server makes of the file may fail for good, in its words', async () => {
  const door = uploadDoor({
    url: '/api/secure-file/videos/autre.mp4',
    filename: anUpload().filename,
  })
  const user = await openPage(door)
  await choose(user, film)
  await screen.findByText('URL de fichier invalide retournée par le serveur')
})

test('a server that stops is waited for', async () => {
  const door = uploadDoor()
  door.next(() => new HttpResponse('Bad Gateway', { status: 502 }))
  const user = await openPage(door)
  await choose(user, film)
  await screen.findByText(
    'Le site est momentanément indisponible. L’envoi reprend dès que possible.',
  )
  await user.click(screen.getByRole('button', { name: 'Reprendre l’envoi' }))
  await screen.findByText('Upload terminé')
})
