import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listComments } from '#contract/comments.ts'
import { listReactions } from '#contract/reactions.ts'
import {
  getRevelation,
  type OpenRevelation,
  openRevelation,
  recordView,
} from '#contract/revelations.ts'
import { standInForAudio } from '#web/test/audio-stand-ins.ts'
import { answer } from '#web/test/fake-api.ts'
import { aCommentPage, NO_REACTIONS } from '#web/test/open-panel.tsx'
import { renderPage } from '#web/test/render-page.tsx'
import { anOpenLetter, aUser, inDays } from '#web/test/samples.ts'

const SEAL = 'Briser le sceau et ouvrir la lettre'
const LISTEN = 'Écouter les mots de @noemie'
const WORDS = 'Je pense à toi.'
const CAPTION = /Je pense à toi\./
const CRACK = 'made here'
const VOICE = 'the voice'
const VOICE_URL = '/api/audio/voix.m4a'

let device: ReturnType<typeof standInForAudio>

beforeAll(() => import('./detail-page.tsx'))
beforeEach(() => {
  device = standInForAudio()
})
afterEach(() => vi.unstubAllGlobals())

function openPage(changes: Partial<OpenRevelation> = {}, { tickets = ['un'] } = {}) {
  const left = [...tickets]
  let letter = anOpenLetter({
    visibility: 'private',
    author_pseudo: 'noemie',
    reveal_date: inDays(-3),
    opening: { needed: true, opened_at: null, tells_author: false },
    seal_voice_url: VOICE_URL,
    seal_voice_words: WORDS,
    ...changes,
  })
  return renderPage(`/revelation/${letter.id}`, {
    user: aUser(),
    api: [
      answer(getRevelation, () => {
        const ticket = left.shift() ?? tickets.at(-1)
        const seal_voice_url = letter.seal_voice_url && `${VOICE_URL}?token=${ticket}`
        return { revelation: { ...letter, seal_voice_url } }
      }),
      answer(openRevelation, () => {
        const opened_at = new Date().toISOString()
        letter = { ...letter, opening: { ...letter.opening, needed: false, opened_at } }
        return { opened_at }
      }),
      answer(recordView, { views_count: 7 }),
      answer(listReactions, NO_REACTIONS),
      answer(listComments, aCommentPage([])),
      http.get(`${window.location.origin}${VOICE_URL}`, ({ request }) =>
        request.url.endsWith('token=mort')
          ? new HttpResponse(null, { status: 403 })
          : HttpResponse.arrayBuffer(new TextEncoder().encode(VOICE).buffer),
      ),
    ],
  })
}

type User = ReturnType<typeof openPage>

async function breakSeal(user: User) {
  await user.click(await screen.findByRole('button', { name: SEAL }))
}

async function turnOn(user: User) {
  await user.click(await screen.findByRole('switch', { name: /^Son/ }))
}

const opened = () => screen.findByRole('button', { name: LISTEN })

describe('the sound of an opening', () => {
  test('is off until its reader wants it, on this device', async () => {
    const user = openPage()
    const choice = await screen.findByRole<HTMLInputElement>('switch', { name: /^Son/ })
    expect(choice.checked).toBe(false)
    await breakSeal(user)
    expect(await screen.findByText(/^Quand vous lirez/)).toBeTruthy()
    expect(device.playing()).toEqual([])
  })

  test('is a crack, then the voice with its words over the dawn, until it ends', async () => {
    const user = openPage()
    await turnOn(user)
    await breakSeal(user)
    await waitFor(() => expect(device.playing()).toEqual([CRACK, VOICE]))
    await waitFor(() => expect(screen.getAllByText(CAPTION)).toHaveLength(2))
    act(() => device.end(VOICE))
    await waitFor(() => expect(screen.getAllByText(CAPTION)).toHaveLength(1))
    expect(device.playing()).toEqual([])
  })

  test('stops when the opening is skipped, and comes back with « Revoir l’ouverture »', async () => {
    const user = openPage()
    await turnOn(user)
    await breakSeal(user)
    await waitFor(() => expect(device.playing()).toContain(VOICE))
    await user.keyboard('a')
    await waitFor(() => expect(device.playing()).toEqual([]))
    await user.click(screen.getByRole('button', { name: 'Revoir l’ouverture' }))
    await waitFor(() => expect(device.playing()).toEqual([CRACK, VOICE]))
  })

  test('stays chosen for the next letter; one without a voice only cracks', async () => {
    const first = openPage()
    await turnOn(first)
    await breakSeal(first)
    await waitFor(() => expect(device.playing()).toContain(VOICE))
    cleanup()
    device = standInForAudio()
    const user = openPage({ seal_voice_url: null, seal_voice_words: null, id: 'une-autre' })
    const choice = await screen.findByRole<HTMLInputElement>('switch', { name: /^Son/ })
    expect(choice.checked).toBe(true)
    await breakSeal(user)
    expect(device.playing()).toEqual([CRACK])
    act(() => device.end(CRACK))
    expect(device.openContexts()).toBe(0)
    expect(screen.queryByRole('button', { name: LISTEN })).toBeNull()
  })
})

describe('on the open letter', () => {
  const isOpened = { opening: { needed: false, opened_at: inDays(-1), tells_author: false } }

  test('the voice is heard again, alone, and stopped; its words stay there', async () => {
    const user = openPage(isOpened)
    await user.click(await opened())
    await waitFor(() => expect(device.playing()).toEqual([VOICE]))
    expect(screen.getAllByText(CAPTION)).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Arrêter la voix' }))
    expect(device.playing()).toEqual([])
    expect(await opened()).toBeTruthy()
  })

  test('the voice whose ticket is dead is asked for anew', async () => {
    const user = openPage(isOpened, { tickets: ['mort', 'frais'] })
    await user.click(await opened())
    await waitFor(() => expect(device.playing()).toEqual([VOICE]))
  })
})
