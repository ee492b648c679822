import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { deleteDB } from 'idb'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { uploadFile } from '#contract/media.ts'
import {
  addReply,
  answerReply,
  blockReplies,
  listReplies,
  markRepliesRead,
  type Replies,
  type Reply,
  type ReplyInput,
  removeReply,
  unblockReplies,
} from '#contract/replies.ts'
import { createReport } from '#contract/reports.ts'
import { getRevelation, type Revelation, recordView } from '#contract/revelations.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { findReplyVoice } from '#web/lib/reply-voice-store.ts'
import { REPLY_VOICES_DATABASE } from '#web/lib/reply-voices-database.ts'
import { standInForDatabases } from '#web/test/disk-stand-ins.ts'
import { saveDraft } from '#web/test/draft-samples.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aSubscription } from '#web/test/people-samples.ts'
import { standInForRecorder } from '#web/test/recorder-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOpenLetter, anOwnRevelation, anUpload, aUser, inDays } from '#web/test/samples.ts'
import { standInForSight } from '#web/test/sight-stand-ins.ts'

beforeAll(() => Promise.all([import('./detail-page.tsx'), import('./letter-replies.tsx')]))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const KEY = 'n_orl3Ypvrc47VXXcm7Y'
const OPENING = { needed: false, opened_at: null, tells_author: true }
const TITLE = 'Dites à @noemie que vous l’avez lue'

/** Whether the browser would ask nothing. */
function isLeftFreely(): boolean {
  return window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

let lastReply = 0

function aReply(overrides: Partial<Reply> = {}): Reply {
  lastReply += 1
  return {
    id: `reply-${lastReply}`,
    from: { pseudo: null, name: null, avatar_url: null, address: null },
    content: null,
    emoji: null,
    audio_url: null,
    duration: null,
    created_at: new Date().toISOString(),
    read_at: null,
    answer: null,
    can: { answer: false, block: false, report: false },
    ...overrides,
  }
}

/** A server that takes replies and lists them, once each. */
function serverOfReplies(known: Partial<Replies> = {}) {
  const state: Replies = { replies: [], can_reply: true, blocks: [], ...known }
  const sent: ReplyInput[] = []
  const keys: (string | null)[] = []
  let refused: ReturnType<typeof refusal> | undefined
  const handlers = [
    answer(recordView, { views_count: 1 }),
    answer(listReplies, ({ headers }) => {
      keys.push(headers.get(DELIVERY_KEY_HEADER))
      return state
    }),
    answer(addReply, ({ body, headers }) => {
      keys.push(headers.get(DELIVERY_KEY_HEADER))
      const input = body as ReplyInput
      sent.push(input)
      if (refused) return refused
      const { id = '', content = null, emoji = null, file_url } = input
      const reply = aReply({
        ...{ id, content, emoji },
        ...(file_url && { audio_url: file_url, duration: 4 }),
      })
      state.replies = [...state.replies, reply]
      return { reply }
    }),
    answer(removeReply, ({ params }) => {
      state.replies = state.replies.filter(({ id }) => id !== params.replyId)
      return { success: true as const }
    }),
  ]
  return {
    handlers,
    state,
    sent,
    keys,
    refuse: (why?: ReturnType<typeof refusal>) => {
      refused = why
    },
  }
}

/** The first reply is on its way until it is released. */
function holdReplies() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held: ReplyInput[] = []
  fakeServer.use(
    http.post(`${window.location.origin}${addReply.url}`, async ({ request }) => {
      if (held.length > 0) return undefined
      const { id = '', content = null, emoji = null } = (await request.clone().json()) as ReplyInput
      held.push({ id, content, emoji })
      await promise
      return HttpResponse.json({ reply: aReply({ id, content, emoji }) }, { status: 201 })
    }),
  )
  return { held, release: resolve }
}

/** The page of whoever has the link of the mail. */
function follow(server = serverOfReplies(), letter = anOpenLetter({ opening: OPENING })) {
  storeDeliveryKey(letter.id, KEY)
  const show = () =>
    renderPage(`/revelation/${letter.id}`, {
      api: [answer(getRevelation, { revelation: letter }), ...server.handlers],
    })
  return { user: show(), server, letter, show }
}

const composer = () => screen.findByRole('region', { name: TITLE })
const words = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Un mot' })
const sendButton = () => screen.getByRole('button', { name: 'Envoyer' })

describe('whoever a letter is addressed to', () => {
  test('answers by one tap, with the key of their link', async () => {
    const { user, server } = follow()
    const section = await composer()
    expect(section.textContent).toContain('Votre réponse n’est lue que par @noemie.')
    await user.click(within(section).getByRole('button', { name: 'Un cœur' }))
    const mine = await screen.findByRole('region', { name: 'Votre réponse à @noemie' })
    expect(within(mine).getByRole('listitem').textContent).toContain('❤️')
    expect(within(mine).getByRole('status').textContent).toBe('Votre réponse est partie.')
    expect(server.sent).toEqual([{ emoji: '❤️', id: expect.any(String) }])
    expect(new Set(server.keys)).toEqual(new Set([KEY]))
    await user.click(screen.getByRole('button', { name: 'Ajouter un mot ou votre voix' }))
    expect(await words()).toBeTruthy()
  })

  test('sends any other emoji, and no word in its place', async () => {
    const { user, server } = follow()
    await composer()
    await user.click(screen.getByRole('button', { name: 'Autre' }))
    const field = screen.getByRole('textbox', { name: /^Un autre emoji/ })
    await user.type(field, 'oui')
    await user.click(screen.getByRole('button', { name: 'Envoyer cet emoji' }))
    expect(screen.getByText('Choisissez un seul emoji')).toBeTruthy()
    await user.clear(field)
    await user.type(field, '🌻{Enter}')
    await waitFor(() => expect(server.sent).toMatchObject([{ emoji: '🌻' }]))
  })

  test('keeps their words through a failure and a reload, and sends the same reply again', async () => {
    const { user, server, show } = follow()
    server.refuse(refusal('too_many_requests'))
    await user.type(await words(), 'Je t’ai lue.')
    await user.click(sendButton())
    expect((await screen.findByRole('alert')).textContent).toMatch(/n’est pas partie/)
    expect((await words()).value).toBe('Je t’ai lue.')
    // Nobody said that this device is theirs.
    expect(JSON.stringify(localStorage)).not.toContain('Je t’ai lue.')
    cleanup()
    server.refuse()
    const again = show()
    expect((await words()).value).toBe('Je t’ai lue.')
    await again.click(sendButton())
    expect(await screen.findByText('Votre réponse est partie.')).toBeTruthy()
    expect(server.sent).toHaveLength(2)
    expect(server.sent[1]).toEqual(server.sent[0])
    expect(JSON.stringify(localStorage)).not.toContain('Je t’ai lue.')
  })

  test('has their words on the device as long as they say that it is theirs', async () => {
    const { user } = follow()
    await user.type(await words(), 'Je t’ai lue.')
    await user.click(screen.getByRole('button', { name: 'Oui, la garder ici' }))
    expect(JSON.stringify(localStorage)).toContain('Je t’ai lue.')
    await user.click(screen.getByRole('button', { name: 'Oublier sur cet appareil' }))
    expect(JSON.stringify(localStorage)).not.toContain('Je t’ai lue.')
    expect((await words()).value).toBe('Je t’ai lue.')
  })

  test('who changes words that failed sends another reply', async () => {
    const { user, server } = follow()
    server.refuse(refusal('too_many_requests'))
    await user.type(await words(), 'Je t’ai lue.')
    await user.click(sendButton())
    await screen.findByRole('alert')
    server.refuse()
    await user.type(await words(), ' Merci.')
    await user.click(sendButton())
    expect(await screen.findByText('Votre réponse est partie.')).toBeTruthy()
    expect(server.sent.map(({ content }) => content)).toEqual([
      'Je t’ai lue.',
      'Je t’ai lue. Merci.',
    ])
    expect(server.sent[1]?.id).not.toBe(server.sent[0]?.id)
  })

  test('keeps what they type while their words leave', async () => {
    const { user, server } = follow()
    const { held, release } = holdReplies()
    await user.type(await words(), 'Je t’ai lue.')
    await user.click(sendButton())
    await user.type(await words(), ' Deux fois.')
    await waitFor(() => expect(held).toHaveLength(1))
    release()
    expect(await screen.findByText('Je t’ai lue.', { selector: 'p' })).toBeTruthy()
    expect((await words()).value).toBe('Je t’ai lue. Deux fois.')
    await user.click(sendButton())
    await waitFor(() => expect(server.sent).toHaveLength(1))
    expect(server.sent[0]?.id).not.toBe(held[0]?.id)
  })

  test('is told what is empty or too long, and counts only near the end', async () => {
    const { user, server } = follow()
    const section = await composer()
    await user.click(sendButton())
    expect(within(section).getByText(/^Écrivez un mot, choisissez un emoji/)).toBeTruthy()
    await user.type(await words(), 'Oui')
    expect(within(section).queryByText(/\/ 1\s000/)).toBeNull()
    await user.clear(await words())
    await user.click(await words())
    await user.paste('a'.repeat(1_001))
    expect(within(section).getByText(/1\s001 \/ 1\s000/)).toBeTruthy()
    await user.click(sendButton())
    expect(within(section).getByText(/ne peut pas dépasser 1\s000 caractères/)).toBeTruthy()
    expect(server.sent).toEqual([])
  })

  test('keeps it for themselves on this device, until they want otherwise', async () => {
    const { user, show } = follow()
    await user.click(within(await composer()).getByRole('button', { name: 'Garder pour moi' }))
    const kept = 'C’est gardé pour vous. Vous pourrez répondre plus tard.'
    expect(screen.getByText(kept)).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Un mot' })).toBeNull()
    const section = await composer()
    await waitFor(() => expect(document.activeElement).toBe(section))
    cleanup()
    const again = show()
    expect(await screen.findByText(kept)).toBeTruthy()
    await again.click(screen.getByRole('button', { name: 'Répondre' }))
    expect(await words()).toBeTruthy()
    cleanup()
    show()
    expect(await words()).toBeTruthy()
  })

  test('sees what was read and answered, and takes back what they wrote', async () => {
    const read = aReply({ content: 'Merci.', read_at: inDays(-1) })
    read.answer = { content: 'C’est toi que je remercie.', created_at: inDays(-0.5) }
    const server = serverOfReplies({ replies: [read, aReply({ emoji: '😂' })] })
    const { user } = follow(server)
    const mine = within(await screen.findByRole('region', { name: 'Votre réponse à @noemie' }))
    const [first, second] = mine.getAllByRole('listitem')
    expect(first?.textContent).toMatch(/Lue par @noemie le/)
    expect(first?.textContent).toContain('C’est toi que je remercie.')
    expect(second?.textContent).not.toMatch(/Lue par/)
    await user.click(
      within(second as HTMLElement).getByRole('button', { name: 'Supprimer cette réponse' }),
    )
    await user.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Supprimer' }),
    )
    await waitFor(() => expect(mine.getAllByRole('listitem')).toHaveLength(1))
    expect(server.state.replies).toEqual([read])
  })

  test('whom the author takes no more from keeps what they wrote, and is offered nothing', async () => {
    follow(serverOfReplies({ replies: [aReply({ content: 'Merci.' })], can_reply: false }))
    expect(await screen.findByText('Vous ne pouvez plus répondre à cette lettre.')).toBeTruthy()
    expect(screen.getByText('Merci.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Garder pour moi' })).toBeNull()
  })
})

describe('a voice', () => {
  let device: ReturnType<typeof standInForRecorder>
  standInForDatabases()
  beforeEach(() => {
    device = standInForRecorder()
  })
  afterEach(() => deleteDB(REPLY_VOICES_DATABASE))

  const speak = async (user: ReturnType<typeof follow>['user'], spoken: string) => {
    await user.click(await screen.findByRole('button', { name: 'Répondre de vive voix' }))
    const done = await screen.findByRole('button', { name: 'Terminer' })
    device.recorder().speak(spoken)
    device.wait(3)
    return done
  }

  test('is paused, given up, recorded again, heard and sent with words typed meanwhile', async () => {
    const { user, server } = follow()
    const uploads: (string | null)[] = []
    fakeServer.use(
      answer(uploadFile, ({ headers }) => {
        uploads.push(headers.get(DELIVERY_KEY_HEADER))
        return anUpload({ url: '/api/secure-file/audio/0b7f4c1e.mp4?token=t' })
      }),
    )
    await speak(user, 'euh')
    await user.click(screen.getByRole('button', { name: 'Pause' }))
    expect(device.recorder().state).toBe('paused')
    await user.click(screen.getByRole('button', { name: 'Reprendre' }))
    await user.click(screen.getByRole('button', { name: 'Effacer' }))
    const done = await speak(user, 'je t’ai lue')
    await user.type(await words(), 'Avec ma voix')
    await user.click(done)
    expect(await screen.findByRole('button', { name: 'Écouter votre voix' })).toBeTruthy()
    expect((await words()).value).toBe('Avec ma voix')
    expect(device.tracks.every(({ isStopped }) => isStopped)).toBe(true)

    // The reply fails once its voice has arrived: the voice is not sent again.
    server.refuse(refusal('too_many_requests'))
    await user.click(sendButton())
    await screen.findByRole('alert')
    server.refuse()
    await user.click(sendButton())
    expect(await screen.findByRole('button', { name: 'Écouter votre réponse' })).toBeTruthy()
    expect(uploads).toEqual([KEY])
    expect(server.sent[1]).toEqual(server.sent[0])
    expect(server.sent[1]).toMatchObject({
      content: 'Avec ma voix',
      file_url: '/api/secure-file/audio/0b7f4c1e.mp4?token=t',
    })
  })

  test('is still there after the page was left, until it is sent', async () => {
    const { user, server, letter, show } = follow()
    await user.click(await speak(user, 'je t’ai lue'))
    await screen.findByRole('button', { name: 'Écouter votre voix' })
    // As long as it is nowhere else, the page asks before it is left.
    await waitFor(() => expect(isLeftFreely()).toBe(true))
    cleanup()
    const again = show()
    expect(await screen.findByRole('button', { name: 'Écouter votre voix' })).toBeTruthy()
    fakeServer.use(answer(uploadFile, anUpload()))
    await again.click(sendButton())
    expect(await screen.findByText('Votre réponse est partie.')).toBeTruthy()
    expect(server.sent).toMatchObject([{ file_url: anUpload().url }])
    await waitFor(async () => expect(await findReplyVoice(letter.id)).toBeUndefined())
  })

  test('that ends while words leave is another reply, and leaves them sent', async () => {
    const { user, server } = follow()
    const { held, release } = holdReplies()
    await user.type(await words(), 'Je t’ai lue.')
    await user.click(sendButton())
    await waitFor(() => expect(held).toHaveLength(1))
    await user.click(await speak(user, 'et encore'))
    release()
    expect(await screen.findByText('Je t’ai lue.', { selector: 'p' })).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Écouter votre voix' })).toBeTruthy()
    fakeServer.use(answer(uploadFile, anUpload()))
    await user.click(sendButton())
    await waitFor(() => expect(server.sent).toHaveLength(1))
    expect(server.sent).toMatchObject([{ content: '', file_url: anUpload().url }])
  })

  test('that another reply has taken, or that was swept, leaves once more', async () => {
    const { user, server } = follow()
    let uploads = 0
    fakeServer.use(
      answer(uploadFile, () => {
        uploads += 1
        return anUpload()
      }),
    )
    await user.click(await speak(user, 'je t’ai lue'))
    await screen.findByRole('button', { name: 'Écouter votre voix' })
    server.refuse(refusal('invalid_input', { file_url: 'Fichier invalide' }))
    await user.click(sendButton())
    await screen.findByRole('alert')
    server.refuse()
    await user.click(sendButton())
    expect(await screen.findByText('Votre réponse est partie.')).toBeTruthy()
    expect(uploads).toBe(2)
  })

  test('that the server does not take says why, and is kept', async () => {
    const { user, server } = follow()
    fakeServer.use(answer(uploadFile, refusal('invalid_file')))
    await user.click(await speak(user, 'je t’ai lue'))
    await screen.findByRole('button', { name: 'Écouter votre voix' })
    await user.click(sendButton())
    expect((await screen.findByRole('alert')).textContent).toContain('Fichier invalide')
    expect(screen.getByRole('button', { name: 'Écouter votre voix' })).toBeTruthy()
    expect(server.sent).toEqual([])
  })
})

describe('whoever else reads the letter', () => {
  test.each([
    ['a visitor', undefined],
    ['somebody with an account', aUser()],
  ])('%s asks for no replies', async (_, me) => {
    const server = serverOfReplies()
    const letter = anOpenLetter()
    renderPage(`/revelation/${letter.id}`, {
      ...(me && { user: me }),
      api: [answer(getRevelation, { revelation: letter }), ...server.handlers],
    })
    expect(await screen.findByText(letter.content)).toBeTruthy()
    expect(screen.queryByText(/^Dites à/)).toBeNull()
    expect(server.keys).toEqual([])
  })
})

describe('the author', () => {
  const author = aUser()
  const mine = () => anOwnRevelation({ is_revealed: true, reveal_date: inDays(-1) })
  const can = { answer: true, block: true, report: true }
  const from = { pseudo: null, name: 'Lou', avatar_url: null, address: 'lou@exemple.be' }

  function openOwn(server: ReturnType<typeof serverOfReplies>, letter: Revelation = mine()) {
    const user = renderPage(`/revelation/${letter.id}`, {
      user: author,
      api: [answer(getRevelation, { revelation: letter }), ...server.handlers],
    })
    return { user, letter, server }
  }

  const section = () => screen.findByRole('region', { name: 'Réponses' })
  const choose = async (user: ReturnType<typeof openOwn>['user'], name: string) => {
    await user.click(screen.getByRole('button', { name: 'Plus d’actions pour la réponse de Lou' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  const confirm = async (user: ReturnType<typeof openOwn>['user'], name: string) =>
    user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }))

  test('sees nothing while nobody answered', async () => {
    const server = serverOfReplies({ can_reply: false })
    const { letter } = openOwn(server)
    expect(await screen.findByRole('heading', { name: letter.title })).toBeTruthy()
    await waitFor(() => expect(server.keys).toHaveLength(1))
    expect(screen.queryByRole('region', { name: 'Réponses' })).toBeNull()
  })

  test('reads replies, which are said to be read once they come into sight', async () => {
    const see = standInForSight()
    let readCount = 0
    const server = serverOfReplies({
      can_reply: false,
      replies: [
        aReply({ from, can, emoji: '❤️', content: 'Merci, toi.' }),
        aReply({ from: { ...from, name: null }, can, audio_url: '/voix', duration: 4 }),
        aReply({ from: { ...from, pseudo: 'paul' }, can, read_at: inDays(-1), content: 'Bravo' }),
      ],
    })
    fakeServer.use(
      answer(markRepliesRead, () => {
        readCount += 1
        return { success: true as const }
      }),
    )
    openOwn(server)
    const place = await section()
    const [first, second, third] = within(place).getAllByRole('listitem')
    expect(first?.textContent).toMatch(/Lou.*Nouvelle.*❤️.*Merci, toi\./s)
    expect(first?.textContent).not.toContain('lou@exemple.be')
    expect(second?.textContent).toContain('lou@exemple.be')
    expect(
      screen.getByRole('button', { name: 'Écouter la réponse de lou@exemple.be' }),
    ).toBeTruthy()
    expect(third?.textContent).toMatch(/@paul/)
    expect(third?.textContent).not.toContain('Nouvelle')
    expect(readCount).toBe(0)
    act(() => see(place, false))
    act(() => see(place))
    act(() => see(place))
    await waitFor(() => expect(readCount).toBe(1))
  })

  test('sees what comes while the page is open, and that it is new', async () => {
    const { handler, streams } = eventStream()
    const old = aReply({ from, can, content: 'Merci.', read_at: inDays(-1) })
    const server = serverOfReplies({ can_reply: false, replies: [old] })
    fakeServer.use(answer(markRepliesRead, { success: true as const }))
    const { letter } = openOwn({ ...server, handlers: [...server.handlers, handler] })
    const list = within(await section())
    await waitFor(() => expect(streams.at(-1)?.watched).toEqual([letter.id]))
    streams.at(-1)?.send('ready')
    const tell = () => streams.at(-1)?.send('revelation', { id: letter.id, changed: ['state'] })
    const coming = aReply({ from, can, content: 'Et encore merci.' })
    server.state.replies = [old, coming]
    tell()
    expect(await list.findByText('Et encore merci.')).toBeTruthy()
    expect(list.getByText('Nouvelle')).toBeTruthy()
    // It was seen, hence read, and somebody else wrote meanwhile.
    server.state.replies = [{ ...coming, read_at: inDays(0) }, aReply({ from, can, emoji: '🎉' })]
    tell()
    expect(await list.findByText('🎉')).toBeTruthy()
    expect(list.getAllByText('Nouvelle')).toHaveLength(2)
  })

  test('answers once', async () => {
    const reply = aReply({ from, can, content: 'Merci.' })
    const server = serverOfReplies({ can_reply: false, replies: [reply] })
    const { user } = openOwn(server)
    const answered: unknown[] = []
    let refused = true
    fakeServer.use(
      answer(answerReply, ({ body }) => {
        answered.push(body)
        if (refused) return refusal('too_many_requests')
        const { content } = body as { content: string }
        const back = { content, created_at: new Date().toISOString() }
        return { reply: { ...reply, answer: back, can: { ...can, answer: false } } }
      }),
    )
    const list = within(await section())
    await user.click(list.getByRole('button', { name: 'Répondre' }))
    const field = list.getByRole<HTMLTextAreaElement>('textbox', { name: 'Votre réponse à Lou' })
    expect(document.activeElement).toBe(field)
    await user.type(field, 'À bientôt.')
    await user.click(list.getByRole('button', { name: 'Envoyer la réponse' }))
    expect((await list.findByRole('alert')).textContent).toMatch(/n’est pas partie/)
    expect(field.value).toBe('À bientôt.')
    refused = false
    await user.click(list.getByRole('button', { name: 'Envoyer la réponse' }))
    expect(await list.findByText('Vous avez répondu')).toBeTruthy()
    expect(list.getByText('À bientôt.')).toBeTruthy()
    expect(list.queryByRole('button', { name: 'Répondre' })).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(list.getByRole('listitem')))
    expect(answered).toEqual([{ content: 'À bientôt.' }, { content: 'À bientôt.' }])
  })

  test('answers by a letter to that person, whoever the draft was for', async () => {
    saveDraft(author.id, {
      ...{ title: 'Commencée', content: '', day: '2099-01-01', time: '' },
      recipients: [
        { email: 'autre@exemple.be', name: '' },
        { email: 'LOU@exemple.be', name: '' },
      ],
      ...{ recipients_see_each_other: true, kind: null, category: 'general', visibility: 'public' },
      file_words: '',
      seal_voice_words: '',
      paper: 'wove',
      ink: 'black',
      announcement_note: '',
      opening_note: '',
    })
    const server = serverOfReplies({ replies: [aReply({ from, can, content: 'Merci.' })] })
    const { user } = openOwn(server)
    fakeServer.use(answer(getSubscription, aSubscription()))
    await user.click(
      within(await section()).getByRole('link', { name: 'Répondre par une lettre scellée' }),
    )
    const address = await screen.findByLabelText<HTMLInputElement>(/^E-mail du destinataire/)
    expect(address.value).toBe('lou@exemple.be')
    expect(screen.getByRole('radio', { name: /^Une lettre/, checked: true })).toBeTruthy()
    expect(
      await screen.findByRole('button', { name: 'Reprendre «\u202FCommencée\u202F»' }),
    ).toBeTruthy()
    expect(screen.queryByDisplayValue('LOU@exemple.be')).toBeNull()
    expect(screen.queryByDisplayValue('autre@exemple.be')).toBeNull()
    expect(window.location.href).not.toContain('exemple.be')
  })

  test('takes no more replies from somebody, and takes them again', async () => {
    const reply = aReply({ from, can, content: 'Encore moi.' })
    const server = serverOfReplies({ can_reply: false, replies: [reply] })
    const { user } = openOwn(server)
    fakeServer.use(
      answer(blockReplies, ({ params }) => {
        expect(params.replyId).toBe(reply.id)
        server.state.replies = [{ ...reply, can: { ...can, block: false } }]
        server.state.blocks = [{ id: 'b1', address: 'lou@exemple.be' }]
        return { success: true as const }
      }),
      answer(unblockReplies, () => {
        server.state.blocks = []
        return { success: true as const }
      }),
    )
    await section()
    await choose(user, 'Ne plus recevoir de réponses de cette personne')
    await confirm(user, 'Ne plus recevoir')
    const folded = await screen.findByText('Vous ne recevez plus de réponses de…')
    expect(folded.closest('details')?.open).toBe(false)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await user.click(folded)
    await user.click(screen.getByRole('button', { name: 'Débloquer' }))
    await waitFor(() => expect(screen.queryByText('lou@exemple.be')).toBeNull())
  })

  test('reports a reply, and deletes it', async () => {
    const reply = aReply({ from, can, content: 'Encore moi.' })
    const server = serverOfReplies({ can_reply: false, replies: [reply] })
    const { user } = openOwn(server)
    const reports: unknown[] = []
    fakeServer.use(
      answer(createReport, ({ body }) => {
        reports.push(body)
        return { success: true as const }
      }),
    )
    await section()
    await choose(user, 'Signaler')
    const dialog = within(await screen.findByRole('dialog', { name: 'Signaler cette réponse' }))
    await user.click(dialog.getByRole('radio', { name: 'Harcèlement ou menaces' }))
    await user.click(dialog.getByRole('button', { name: 'Signaler' }))
    await dialog.findByText('Merci, votre signalement est arrivé.')
    await user.keyboard('{Escape}')
    expect(reports).toMatchObject([{ target: 'reply', target_id: reply.id }])
    await choose(user, 'Supprimer')
    await confirm(user, 'Supprimer')
    await waitFor(() => expect(screen.queryByText('Encore moi.')).toBeNull())
    expect(server.state.replies).toEqual([])
  })
})
