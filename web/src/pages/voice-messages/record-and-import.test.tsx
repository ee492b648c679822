import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { deleteDB } from 'idb'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { logout } from '#contract/auth.ts'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { listRelationships } from '#contract/relationships.ts'
import { listRevelations } from '#contract/revelations.ts'
import {
  createSound,
  listSounds,
  SOUND_DESCRIPTION_MAX_LENGTH,
  type Sound,
} from '#contract/sounds.ts'
// The lazy code is loaded before the first test waits for it.
import '#web/features/voice-messages/import-dialog.tsx'
import '#web/features/voice-messages/recorder-dialog.tsx'
import { listRecordings } from '#web/features/voice-messages/recording-store.ts'
import { recordingsDatabase } from '#web/features/voice-messages/recordings-database.ts'
import { standInForDatabases } from '#web/test/disk-stand-ins.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aRelationship } from '#web/test/people-samples.ts'
import { standInForRecorder } from '#web/test/recorder-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'
import { cutAfter, uploadDoor } from '#web/test/upload-door.ts'
import './voice-messages-page.tsx'

const NOEMIE = '0b9a3f1e-1111-4000-8000-000000000001'
const UPLOADED = {
  filename: 'voix.webm',
  url: '/api/secure-file/audio/voix.webm?token=t',
  path: 'audio/voix.webm',
}
const TOTALS = { sounds: 0, duration: 0, favorites: 0, plays: 0 }

function aSound(overrides: Partial<Sound> = {}): Sound {
  const { id, pseudo } = aUser()
  return {
    id: 'sound-1',
    title: 'Bonjour',
    author_id: id,
    author_pseudo: pseudo,
    author_avatar: null,
    category: 'message',
    created_at: new Date().toISOString(),
    is_favorite: false,
    play_count: 0,
    reveal_date: null,
    time_zone: 'Europe/Brussels',
    is_revealed: true,
    reveal_message: null,
    can_access: true,
    recipient_id: null,
    recipient_pseudo: null,
    is_public: true,
    can_delete: true,
    ...overrides,
  }
}

function soundsAre(sounds: Sound[]): RequestHandler {
  return answer(listSounds, { sounds, next_cursor: null, count: sounds.length, totals: TOTALS })
}

/** The server’s part of sending: how often a file came, and what was asked to be shared. */
function sending() {
  const shareRequests: Record<string, unknown>[] = []
  const door = uploadDoor(UPLOADED)
  const sharing = answer(createSound, ({ body }) => {
    shareRequests.push(body as Record<string, unknown>)
    return { sound: aSound() }
  })
  return {
    handlers: [...door.handlers, sharing],
    sharing,
    door,
    shareRequests,
    received: door.received,
    uploads: () => door.finished.length,
  }
}

const circle = [
  answer(listRelationships, {
    relationships: [
      aRelationship('noemie', { related_user_id: NOEMIE, relationship_type: 'family' }),
    ],
  }),
  soundsAre([]),
]

function openPage(api: RequestHandler[] = [], user = aUser()) {
  return renderPage('/family-sound', { user, api: [...api, ...circle] })
}

async function openRecorder(api: RequestHandler[] = [], who = aUser()) {
  const user = openPage(api, who)
  await user.click(
    (await screen.findAllByRole('button', { name: 'Enregistrer' }))[0] as HTMLElement,
  )
  const dialog = within(await screen.findByRole('dialog'))
  return { user, dialog }
}

type Opened = Awaited<ReturnType<typeof openRecorder>>

/** Records seven seconds and comes to the form. */
async function record(
  device: ReturnType<typeof standInForRecorder>,
  api: RequestHandler[] = [],
  who = aUser(),
) {
  const opened = await openRecorder(api, who)
  const { user, dialog } = opened
  await user.click(dialog.getByRole('button', { name: 'Enregistrer' }))
  await dialog.findByRole('button', { name: 'Terminer' })
  device.recorder().speak('bonjour ')
  device.recorder().speak('à tous')
  device.wait(7)
  await user.click(dialog.getByRole('button', { name: 'Terminer' }))
  await dialog.findByLabelText('Titre')
  return opened
}

function button(dialog: Opened['dialog'], name: string): HTMLButtonElement {
  return dialog.getByRole('button', { name })
}

/** Nothing of hers is left on the device. */
async function expectNothingStored() {
  await waitFor(async () => expect(await listRecordings(aUser().id)).toEqual([]))
}

async function retitle({ user, dialog }: Opened, title: string) {
  const field = dialog.getByLabelText('Titre')
  await user.clear(field)
  await user.type(field, title)
}

standInForDatabases()

let device: ReturnType<typeof standInForRecorder>

beforeEach(() => {
  device = standInForRecorder()
})

afterEach(async () => {
  cleanup()
  await deleteDB(recordingsDatabase(aUser().id))
  vi.unstubAllGlobals()
})

describe('recording', () => {
  test('the seconds are counted, pauses apart, and never announced', async () => {
    const { user, dialog } = await openRecorder()
    await user.click(dialog.getByRole('button', { name: 'Enregistrer' }))
    const timer = await dialog.findByRole('timer')
    await dialog.findByText('Enregistrement en cours')
    device.wait(5)
    await waitFor(() => expect(timer.textContent).toBe('0:05'))
    await user.click(dialog.getByRole('button', { name: 'Pause' }))
    const goOn = await dialog.findByRole('button', { name: 'Reprendre' })
    device.wait(60)
    expect(device.recorder().state).toBe('paused')
    await user.click(goOn)
    await dialog.findByRole('button', { name: 'Pause' })
    device.wait(3)
    await waitFor(() => expect(timer.textContent).toBe('0:08'))
    expect(timer.getAttribute('aria-live')).toBe('off')
  })

  test('deleting goes back to the beginning and closes the microphone', async () => {
    const { user, dialog } = await record(device)
    expect(device.tracks[0]?.isStopped).toBe(true)
    await user.click(dialog.getByRole('button', { name: 'Supprimer l’enregistrement' }))
    await user.click(await screen.findByRole('button', { name: 'Supprimer' }))
    await dialog.findByRole('button', { name: 'Enregistrer' })
    await expectNothingStored()
  })

  test('a microphone taken away keeps what was said until then', async () => {
    const { user, dialog } = await openRecorder()
    await user.click(dialog.getByRole('button', { name: 'Enregistrer' }))
    await dialog.findByRole('button', { name: 'Terminer' })
    device.recorder().speak('presque tout')
    device.tracks[0]?.onended?.()
    await dialog.findByText(/Le microphone a été coupé/)
    expect(dialog.getByLabelText<HTMLInputElement>('Titre').value).toMatch(/^Message vocal du /)
  })

  test('a recording that is full ends by itself', async () => {
    const { user, dialog } = await openRecorder()
    await user.click(dialog.getByRole('button', { name: 'Enregistrer' }))
    await dialog.findByRole('button', { name: 'Terminer' })
    vi.spyOn(Blob.prototype, 'size', 'get').mockReturnValue(50 * 1024 * 1024)
    device.recorder().speak('la dernière seconde')
    vi.spyOn(Blob.prototype, 'size', 'get').mockRestore()
    await dialog.findByText(/a atteint la taille la plus grande/)
  })

  test('a device without room says so once, and the recording goes on', async () => {
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const { shareRequests, handlers, received } = sending()
    const { user, dialog } = await record(device, handlers)
    expect(dialog.getAllByText(/ne peut pas garder l’enregistrement/)).toHaveLength(1)
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await waitFor(() => expect(shareRequests).toHaveLength(1))
    expect(received[0]).toContain('bonjour à tous')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('a microphone that cannot be had says why', () => {
  test.each([
    ['NotAllowedError', /Autorisez le microphone/],
    ['NotFoundError', /Aucun microphone n’a été trouvé/],
    ['NotReadableError', /Une autre application/],
    ['OverconstrainedError', /configuration/],
  ])('%s', async (name, reason) => {
    device.refuse(new DOMException('', name))
    await expectRefusal(reason)
  })

  test('for any other reason, in the words of the browser', async () => {
    device.refuse(new Error('Le micro dort.'))
    await expectRefusal(/Le micro dort\./)
  })

  test('when the browser cannot record', async () => {
    Reflect.deleteProperty(window, 'MediaRecorder')
    await expectRefusal(/ne sait pas enregistrer/)
  })

  test('when the page did not come over https', async () => {
    vi.stubGlobal('isSecureContext', false)
    await expectRefusal(/n’est pas sécurisée/)
  })

  async function expectRefusal(reason: RegExp) {
    const { user, dialog } = await openRecorder()
    await user.click(dialog.getByRole('button', { name: 'Enregistrer' }))
    const sentence = await dialog.findByText(reason)
    expect(sentence.textContent).toMatch(/^Impossible d'accéder au microphone\. ./)
    expect(button(dialog, 'Enregistrer').disabled).toBe(false)
  }
})

describe('sending', () => {
  test('tells the server whom it is for and when, then closes', async () => {
    const { shareRequests, door, handlers, received } = sending()
    const scene = await record(device, handlers)
    const { user, dialog } = scene
    await retitle(scene, 'Pour toi')
    await dialog.findByRole('option', { name: 'noemie' })
    await user.selectOptions(dialog.getByLabelText('Destinataire'), 'noemie')
    await user.click(dialog.getByLabelText('Plus tard'))
    await user.type(dialog.getByLabelText(/Mot d’attente/), 'Patience.')
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(received[0]).toBe('bonjour à tous')
    expect(door.folders).toEqual(['audio'])
    expect(shareRequests).toEqual([
      expect.objectContaining({
        title: 'Pour toi',
        file_url: UPLOADED.url,
        recipient_id: NOEMIE,
        is_public: false,
        reveal_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        reveal_message: 'Patience.',
        category: 'message',
      }),
    ])
    await expectNothingStored()
  })

  test('waits for a title', async () => {
    const { user, dialog } = await record(device)
    await user.clear(dialog.getByLabelText('Titre'))
    await dialog.findByText('Veuillez donner un titre à votre message avant de le partager')
    expect(button(dialog, 'Envoyer').disabled).toBe(true)
  })

  test('an instant that is past is said before it leaves', async () => {
    vi.setSystemTime(new Date('2026-11-22T15:00:00+01:00'))
    const { user, dialog } = await record(device)
    await user.click(dialog.getByLabelText('Plus tard'))
    await user.click(dialog.getByRole('button', { name: /Date de révélation/ }))
    await user.click(await screen.findByRole('button', { name: /22 novembre 2026/ }))
    await user.type(dialog.getByLabelText(/^Heure/), '09:00')
    await dialog.findByText('Il sera dévoilé immédiatement')
    vi.useRealTimers()
  })

  test('the first invalid field gets the focus, though it came last', async () => {
    vi.setSystemTime(new Date('2026-11-22T15:00:00+01:00'))
    const { user, dialog } = await record(device)
    await user.click(dialog.getByLabelText('Plus tard'))
    vi.setSystemTime(new Date('2026-11-24T15:00:00+01:00'))
    await user.click(dialog.getByLabelText(/Description/))
    await user.paste('a'.repeat(SOUND_DESCRIPTION_MAX_LENGTH + 1))
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByText('La date de révélation ne peut pas être dans le passé')
    const day = dialog.getByRole('button', { name: /Date de révélation/ })
    await waitFor(() => expect(document.activeElement).toBe(day))
    vi.useRealTimers()
  })

  test('a cut keeps everything and goes on by itself when the network is back', async () => {
    const { shareRequests, door, handlers, uploads } = sending()
    // It waits for the network, and not for a moment that is soon over.
    vi.spyOn(Math, 'random').mockReturnValue(500)
    door.next(cutAfter(8))
    const { user, dialog } = await record(device, handlers)
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByText(/votre message est gardé sur cet appareil/)
    expect(button(dialog, 'Reprendre l’envoi').disabled).toBe(false)
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([uploads(), shareRequests.length]).toEqual([1, 1])
    expect(door.offsets, 'from where it stopped').toEqual([0, 8])
  })

  test('a voice without room left keeps everything, and leads to the plans', async () => {
    const { door, handlers, uploads } = sending()
    door.refuse('quota_exceeded')
    const { user, dialog } = await record(device, handlers)
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByText(/dépasse l’espace qui vous reste/)
    const plans = dialog.getByRole('link', { name: /Voir les plans/ })
    expect(plans.getAttribute('href')).toBe('/subscription')
    expect(plans.getAttribute('target'), 'the voice stays in this tab').toBe('_blank')
    expect(await listRecordings(aUser().id)).toHaveLength(1)
    door.refuse()
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(uploads()).toBe(1)
  })

  test('a refusal is said beside its field, and the file that arrived is not sent again', async () => {
    const { shareRequests, handlers, sharing, uploads } = sending()
    const refused = answer(createSound, () =>
      refusal('invalid_input', { recipient_id: 'Choisissez une personne de votre cercle' }),
    )
    const { user, dialog } = await record(device, [...handlers])
    fakeServer.use(refused)
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByText('Choisissez une personne de votre cercle')
    fakeServer.use(sharing)
    await user.selectOptions(dialog.getByLabelText('Destinataire'), 'noemie')
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await waitFor(() => expect(shareRequests).toHaveLength(1))
    expect(uploads()).toBe(1)
  })

  test('an answer that was lost makes no second sound', async () => {
    const { handlers, uploads } = sending()
    const scene = await record(device, handlers)
    const { user, dialog } = scene
    await retitle(scene, 'Bonjour')
    const keys: unknown[] = []
    fakeServer.use(
      http.post(`${window.location.origin}${createSound.url}`, ({ request }) => {
        keys.push(request.headers.get(IDEMPOTENCY_HEADER))
        return HttpResponse.error()
      }),
    )
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByText(/votre message est gardé/)
    // The site had shared it, and the title was changed since.
    fakeServer.use(
      answer(createSound, ({ headers }) => {
        keys.push(headers.get(IDEMPOTENCY_HEADER))
        return refusal('idempotency_mismatch')
      }),
    )
    await user.click(dialog.getByRole('button', { name: 'Reprendre l’envoi' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([keys.length, new Set(keys).size, uploads()]).toEqual([2, 1, 1])
  })

  test('a file the server has swept meanwhile is sent again', async () => {
    const { shareRequests, handlers, uploads } = sending()
    const { user, dialog } = await record(device, handlers)
    fakeServer.use(answer(createSound, () => refusal('unexpected')))
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByRole('button', { name: 'Reprendre l’envoi' })
    let isFirst = true
    fakeServer.use(
      answer(createSound, ({ body }) => {
        if (isFirst) {
          isFirst = false
          return refusal('invalid_file')
        }
        shareRequests.push(body as Record<string, unknown>)
        return { sound: aSound() }
      }),
    )
    await user.click(dialog.getByRole('button', { name: 'Reprendre l’envoi' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([uploads(), shareRequests.length]).toEqual([2, 1])
  })
})

describe('what was not sent', () => {
  test('is offered again after a reload, with what was typed, and can be sent', async () => {
    const first = await record(device)
    await retitle(first, 'Gardé malgré tout')
    await first.user.click(first.dialog.getByRole('button', { name: 'Fermer' }))
    cleanup()
    const { shareRequests, handlers } = sending()
    const user = openPage(handlers)
    await screen.findByRole('heading', { name: 'Vous avez un message vocal non envoyé' })
    screen.getByText('Gardé malgré tout')
    screen.getByText(/^0:07 · /)
    await user.click(screen.getByRole('button', { name: 'Écouter' }))
    await screen.findByRole('button', { name: 'Écouter Gardé malgré tout' })
    await user.click(screen.getByRole('button', { name: 'Reprendre l’envoi' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await waitFor(() => expect(shareRequests).toHaveLength(1))
    await waitFor(() =>
      expect(screen.queryByText('Vous avez un message vocal non envoyé')).toBeNull(),
    )
  })

  test('is deleted once one has said so', async () => {
    const first = await record(device)
    await first.user.click(first.dialog.getByRole('button', { name: 'Fermer' }))
    await screen.findByText('Vous avez un message vocal non envoyé')
    await first.user.click(screen.getByRole('button', { name: /^Supprimer Message vocal/ }))
    await first.user.click(await screen.findByRole('button', { name: 'Supprimer' }))
    await waitFor(() =>
      expect(screen.queryByText('Vous avez un message vocal non envoyé')).toBeNull(),
    )
  })

  test('leaving in the middle of a recording keeps it', async () => {
    const { user, dialog } = await openRecorder()
    await user.click(dialog.getByRole('button', { name: 'Enregistrer' }))
    await dialog.findByRole('button', { name: 'Terminer' })
    device.recorder().speak('presque')
    await user.click(dialog.getByRole('button', { name: 'Fermer' }))
    await user.click(await screen.findByRole('button', { name: 'Arrêter' }))
    await screen.findByText('Vous avez un message vocal non envoyé')
    expect(device.tracks[0]?.isStopped).toBe(true)
  })

  test('is nobody else’s on the same device', async () => {
    const first = await record(device)
    await first.user.click(first.dialog.getByRole('button', { name: 'Fermer' }))
    await screen.findByText('Vous avez un message vocal non envoyé')
    cleanup()
    const paul = await record(device, [], aUser({ id: 'user-paul', pseudo: 'paul' }))
    await paul.user.click(paul.dialog.getByRole('button', { name: 'Fermer' }))
    // His own, and no other.
    await screen.findByText('Vous avez un message vocal non envoyé')
    cleanup()
    await deleteDB(recordingsDatabase('user-paul'))
  })

  test('is erased when its person signs out, after having been asked', async () => {
    const first = await record(device, [
      answer(logout, { success: true }),
      answer(listRevelations, aPage([])),
    ])
    const { user } = first
    await user.click(first.dialog.getByRole('button', { name: 'Fermer' }))
    await screen.findByText('Vous avez un message vocal non envoyé')
    await user.click(screen.getByRole('button', { name: 'Déconnexion' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Se déconnecter' }))
    await screen.findAllByRole('link', { name: 'Connexion' })
    const names = async () => (await indexedDB.databases()).map(({ name }) => name)
    await waitFor(async () => expect(await names()).not.toContain(recordingsDatabase(aUser().id)))
  })
})

describe('importing', () => {
  async function openImport(api: RequestHandler[] = []) {
    const user = openPage(api)
    await user.click((await screen.findAllByRole('button', { name: 'Importer' }))[0] as HTMLElement)
    const dialog = within(await screen.findByRole('dialog'))
    return { user, dialog, input: dialog.getByLabelText('Choisir un fichier audio') }
  }

  test('a song is named after its file and sent', async () => {
    const { shareRequests, handlers } = sending()
    const { user, dialog, input } = await openImport(handlers)
    await user.upload(input, new File(['la la'], 'Berceuse.mp3', { type: 'audio/mpeg' }))
    expect((await dialog.findByLabelText<HTMLInputElement>('Titre')).value).toBe('Berceuse')
    await user.click(dialog.getByLabelText('Musique'))
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(shareRequests).toEqual([
      expect.objectContaining({ title: 'Berceuse', category: 'music' }),
    ])
  })

  test('what is no sound is refused at once', async () => {
    const { dialog, input } = await openImport()
    const text = new File(['mots'], 'lettre.txt', { type: 'text/plain' })
    const { userEvent } = await import('@testing-library/user-event')
    await userEvent.setup({ applyAccept: false }).upload(input, text)
    await dialog.findByText('Seuls les fichiers audio sont autorisés')
  })

  test('a text under the name of a song gets the sentence of the server, and nothing is lost', async () => {
    const { door, handlers } = sending()
    door.refuse('not_a_sound')
    const { user, dialog, input } = await openImport(handlers)
    await user.upload(input, new File(['mots'], 'lettre.mp3', { type: 'audio/mpeg' }))
    await user.type(await dialog.findByLabelText('Titre'), ' de maman')
    await user.click(dialog.getByRole('button', { name: 'Envoyer' }))
    await dialog.findByText('Seuls les fichiers audio sont autorisés')
    expect(dialog.getByLabelText<HTMLInputElement>('Titre').value).toBe('lettre de maman')
  })

  test('closing without sending leaves nothing behind', async () => {
    const { user, dialog, input } = await openImport()
    await user.upload(input, new File(['la la'], 'Berceuse.mp3', { type: 'audio/mpeg' }))
    await dialog.findByLabelText('Titre')
    await user.click(dialog.getByRole('button', { name: 'Fermer' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await expectNothingStored()
  })
})
