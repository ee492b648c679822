import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { deleteDB } from 'idb'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { deleteFile } from '#contract/media.ts'
import { getUser } from '#contract/profiles.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { uploadsDatabase } from '#web/features/uploads/upload-databases.ts'
import { draftsDatabase } from '#web/lib/drafts.ts'
import { standInForDatabases, standInForDisk } from '#web/test/disk-stand-ins.ts'
import { saveDraft } from '#web/test/draft-samples.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { standInForRecorder } from '#web/test/recorder-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'
import { uploadDoor } from '#web/test/upload-door.ts'

const author = aUser()
const VOICE = {
  filename: 'voix.webm',
  url: '/api/secure-file/audio/voix.webm?token=t',
  path: 'audio/voix.webm',
}
const LETTER = { title: 'Ce qui sera', content: 'Nous vivrons à Lisbonne.' }
const WORDS = /^Ce que dit votre voix/

let device: ReturnType<typeof standInForRecorder>

standInForDatabases()
beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  device = standInForRecorder()
  standInForDisk({ room: 1024 ** 3 })
  saveDraft(author.id, {
    ...LETTER,
    ...{ recipients: [{ email: 'lea@exemple.be', name: '' }], recipients_see_each_other: false },
    ...{ day: '2099-01-01', time: '' },
    ...{
      kind: null,
      category: 'general',
      visibility: 'public',
      file_words: '',
      seal_voice_words: '',
    },
    ...{ paper: 'wove', ink: 'black' },
    ...{ announcement_note: '', opening_note: '' },
  })
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})
afterEach(async () => {
  cleanup()
  vi.useRealTimers()
  await deleteDB(uploadsDatabase(author.id))
  await deleteDB(draftsDatabase(author.id))
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A page with the draft of a letter, and a server that takes the voice and seals, or refuses. */
function write(refused?: Record<string, string>) {
  const { handlers, sealed } = sealingDoor({
    refused: refused && refusal('invalid_input', refused),
  })
  const deleted: unknown[] = []
  const door = uploadDoor(VOICE)
  const user = renderPage('/create?vue=tout', {
    user: author,
    api: [
      ...door.handlers,
      ...handlers,
      answer(deleteFile, ({ body }) => {
        deleted.push(body)
        return { success: true as const }
      }),
    ],
  })
  const seal = async () => {
    await user.click(screen.getByRole('checkbox', { name: /^Prévenir/ }))
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    const recap = await findRecap()
    await user.click(recap.getByRole('button', { name: 'Sceller' }))
    if (!refused) await findSealed()
  }
  return { user, door, sealed, deleted, seal }
}

type Written = ReturnType<typeof write>

async function record({ user }: Written, spoken = 'je pense à toi') {
  await user.click(await screen.findByRole('button', { name: 'Enregistrer votre voix' }))
  const done = await screen.findByRole('button', { name: 'Terminer' })
  device.recorder().speak(spoken)
  device.wait(3)
  await user.click(done)
  expect(await screen.findByText('Elle est arrivée')).toBeTruthy()
}

test('the voice of the seal is recorded, played again and sealed with its typed words', async () => {
  const written = write()
  const { user, door, sealed, seal } = written
  const title = await screen.findByText('Cinq secondes de votre voix')
  expect(title.closest('details')?.open).toBe(false)
  await record(written)
  expect(door.received).toEqual(['je pense à toi'])
  expect(screen.getByRole('button', { name: 'Écouter votre voix' })).toBeTruthy()
  await user.type(screen.getByLabelText(WORDS), 'Je pense à toi')
  await seal()
  expect(sealed[0]).toMatchObject({
    ...LETTER,
    file_url: null,
    seal_voice: VOICE.url,
    seal_voice_words: 'Je pense à toi',
  })
})

test('the recording of the seal stops by itself after five seconds', async () => {
  write()
  const start = await screen.findByRole('button', { name: 'Enregistrer votre voix' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  fireEvent.click(start)
  await screen.findByRole('button', { name: 'Terminer' })
  device.recorder().speak('cinq')
  device.wait(4)
  await act(() => vi.advanceTimersByTimeAsync(4_900))
  expect(screen.getByRole('button', { name: 'Terminer' })).toBeTruthy()
  device.wait(1)
  await act(() => vi.advanceTimersByTimeAsync(1_100))
  expect(await screen.findByRole('button', { name: 'Écouter votre voix' })).toBeTruthy()
  expect(device.tracks[0]?.isStopped).toBe(true)
})

test('an erased voice is deleted from the server, and the letter is sealed without it', async () => {
  const written = write()
  const { user, sealed, deleted, seal } = written
  await record(written)
  await user.type(screen.getByLabelText(WORDS), 'Je pense à toi')
  await user.click(screen.getByRole('button', { name: 'Effacer cette voix' }))
  expect(await screen.findByRole('button', { name: 'Enregistrer votre voix' })).toBeTruthy()
  await waitFor(() => expect(deleted).toEqual([{ path: VOICE.path }]))
  await seal()
  expect(sealed[0]).toMatchObject({ seal_voice: null, seal_voice_words: null })
})

test('the voice of the seal comes back with its words after the page was left', async () => {
  const first = write()
  await record(first)
  await first.user.type(screen.getByLabelText(WORDS), 'Je pense à toi')
  cleanup()
  const { sealed, seal } = write()
  expect(await screen.findByText('Elle est arrivée')).toBeTruthy()
  await seal()
  expect(sealed[0]).toMatchObject({
    file_url: null,
    seal_voice: VOICE.url,
    seal_voice_words: 'Je pense à toi',
  })
})

test('a voice that the server or the microphone refuses says why in its place', async () => {
  const tooLong = 'Cette voix est trop longue\u202F: 6\u00A0secondes au plus'
  const written = write({ seal_voice: tooLong })
  await record(written)
  await written.seal()
  const refused = await screen.findByText(/^Cette voix est trop longue/)
  expect(refused.closest('details')?.open).toBe(true)
  device.refuse(new DOMException('', 'NotAllowedError'))
  await written.user.click(screen.getByRole('button', { name: 'Effacer cette voix' }))
  await written.user.click(screen.getByRole('button', { name: 'Enregistrer votre voix' }))
  expect(await screen.findByText(/Autorisez le microphone/)).toBeTruthy()
})
