import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { listRevelationsOfUser } from '#contract/revelations.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'
import { sealingDoor } from '#web/test/sealing-door.ts'
import { uploadDoor } from '#web/test/upload-door.ts'

const FILM = new File(['x'.repeat(50)], 'film.mp4', { type: 'video/mp4' })
const RECORDING = new File(['x'.repeat(50)], 'voix.mp3', { type: 'audio/mpeg' })
// As many programs write it: with a comma, and not in UTF-8.
const SRT = new File(
  [
    Uint8Array.from('1\r\n00:00:01,000 --> 00:00:02,500\r\nL\xE9a, \xE9coute.', (sign) =>
      sign.charCodeAt(0),
    ),
  ],
  'film.srt',
)

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  standInForMedia({ duration: 40 })
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})

/** Opens the form with a file, and remembers what is sealed: refused, so that the form stays. */
async function openWith(file: File) {
  const { handlers, sealed } = sealingDoor({ refused: refusal('unexpected') })
  const user = renderPage('/create?vue=tout', {
    user: aUser(),
    api: [...uploadDoor().handlers, ...handlers, answer(listRevelationsOfUser, aPage([]))],
  })
  await user.type(await screen.findByLabelText('Titre'), 'Un film')
  await user.type(screen.getByLabelText('Contenu'), 'Des mots que personne ne lit encore.')
  await user.type(screen.getByLabelText('E-mail du destinataire'), 'lea@exemple.be')
  await user.upload(screen.getByLabelText('Joindre un fichier'), file)
  return { user, sealed }
}

async function seal(user: UserEvent): Promise<void> {
  await screen.findByText('Upload terminé')
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  await user.click(await screen.findByRole('button', { name: 'Sceller' }))
  await screen.findByRole('alert')
}

test('captions of a film are read as WebVTT, whatever they were, and can be taken away', async () => {
  const { user, sealed } = await openWith(FILM)
  const input = await screen.findByLabelText('Fichier de sous-titres')
  await user.upload(input, new File(['Rien de tel.'], 'notes.vtt'))
  expect(await screen.findByText(/n’est pas un fichier de sous-titres/)).toBeTruthy()
  await user.upload(input, SRT)
  expect(await screen.findByText(/^Sous-titres scellés avec la vidéo/)).toBeTruthy()
  expect(screen.queryByText(/n’est pas un fichier de sous-titres/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sans extrait' }))
  await seal(user)
  expect(sealed[0]?.file_words).toBe('WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nLéa, écoute.')
  await user.click(screen.getByRole('button', { name: 'Retour' }))
  await user.click(await screen.findByRole('button', { name: 'Retirer les sous-titres' }))
  expect(screen.getByRole('button', { name: 'Ajouter des sous-titres' })).toBeTruthy()
})

test('the words of a recording are typed', async () => {
  const { user, sealed } = await openWith(RECORDING)
  await user.type(await screen.findByLabelText(/^Ce que dit l’enregistrement/), 'Bonjour, Léa.')
  await seal(user)
  expect(sealed[0]?.file_words).toBe('Bonjour, Léa.')
})
