import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openVoiceStage,
  playbackOf,
  VOICE_REVEAL,
  VOICE_VIEWERS,
  type VoiceItem,
  type VoiceStage,
  type VoiceViewer,
} from '#testing/access-table/voice-messages.ts'
import { A_DAY_MS } from '#testing/factories.ts'
import type { Answer } from '#testing/test-server.ts'
import { VOICE_MESSAGES_URL } from '#testing/voice-messages.ts'

/** Shown to the author always, to others once they may play it. */
const ABOUT_KEYS = ['description', 'file_name', 'file_size', 'mime_type', 'duration']
/** Shown only to people who may play it. */
const FILE_KEYS = ['file_url', 'file_mobile_url', 'download_url', 'has_waveform']
const VARIANTS = ['original', 'audio', 'seekable'] as const

const STATES = [
  { state: 'a millisecond before the instant', offsetMs: -1 },
  { state: 'at the very instant', offsetMs: 0 },
  { state: 'a day after the instant', offsetMs: A_DAY_MS },
]

let stage: VoiceStage
/** Answers about missing things, by viewer and door. */
const unknowns = new Map<string, Answer>()
let cells = 0
let wrong: string[] = []

beforeAll(async () => {
  stage = await openVoiceStage()
})
afterAll(async () => {
  console.info(`access table of voice messages: ${cells} cells`)
  await stage.server.close()
})

function check(cell: string, isRight: boolean, seen: unknown): void {
  cells += 1
  if (!isRight) wrong.push(`${cell}: ${seen}`)
}

function expectAllRight(): void {
  const found = wrong
  wrong = []
  expect(found).toEqual([])
}

function playback(viewer: VoiceViewer, { kind }: VoiceItem) {
  return playbackOf(viewer, kind, stage.server.clock.now >= VOICE_REVEAL)
}

/** Everything of an answer but the date of the wall clock. */
function wholeOf({ status, headers, text }: Answer): string {
  const fields = Object.entries(headers).filter(([name]) => name !== 'date')
  return JSON.stringify([status, fields, text])
}

interface Door {
  name: string
  method: string
  url(id: string): string
  /** The address names the voice message, or its file. */
  of?: 'media'
  body?: object
  /** The status for a missing id. */
  statusOfUnknown?: number
}

/** Requests an existing and a missing thing: without a right, both answers are equal. */
async function checkDoor(
  viewer: VoiceViewer,
  item: VoiceItem,
  expected: number | string,
  door: Door,
): Promise<void> {
  const cell = `${viewer}, ${item.kind}, ${door.name}`
  const request = (id: string) => stage.call(viewer, door.method, door.url(id), door.body)
  const answer = await request(door.of === 'media' ? item.mediaId : item.id)
  if (typeof expected === 'number') return check(cell, answer.status === expected, answer.status)
  if (expected !== 'as unknown') {
    const seen = `${answer.status} ${answer.body?.code}`
    return check(cell, seen === expected, seen)
  }
  const key = `${viewer}, ${door.name}`
  const unknown = unknowns.get(key) ?? (await request(randomUUID()))
  unknowns.set(key, unknown)
  const status = door.statusOfUnknown ?? (stage.hasAccount(viewer) ? 404 : 401)
  const isSame = unknown.status === status && wholeOf(answer) === wholeOf(unknown)
  check(cell, isSame, `${answer.status} ${answer.text}`)
}

async function checkDoors(viewer: VoiceViewer, item: VoiceItem, spare: string): Promise<void> {
  const access = playback(viewer, item)
  const played = { nothing: 'as unknown', sealed: '403 sound_locked', playable: 200 }[access]
  const seen = access === 'nothing' ? 'as unknown' : 200
  const at = (path: string) => (id: string) => `${VOICE_MESSAGES_URL}/${id}${path}`
  await checkDoor(viewer, item, played, { name: 'play', method: 'PUT', url: at('/play') })
  await checkDoor(viewer, item, played, { name: 'waveform', method: 'GET', url: at('/waveform') })
  const favorite = { name: 'favorite', method: 'PUT', url: at('/favorite') }
  await checkDoor(viewer, item, seen, { ...favorite, body: { is_favorite: true } })
  await checkDoor(viewer, item, seen, { ...favorite, body: { is_favorite: false } })

  const refused = access === 'nothing' ? 'as unknown' : '403 not_sound_author'
  const isAuthor = viewer === 'author'
  const deleted = { ...item, id: isAuthor ? spare : item.id }
  await checkDoor(viewer, deleted, isAuthor ? 200 : refused, {
    name: 'delete',
    method: 'DELETE',
    url: at(''),
  })
  for (const variant of VARIANTS) {
    await checkDoor(viewer, item, access === 'playable' ? 200 : 'as unknown', {
      name: `its ${variant}`,
      method: 'GET',
      of: 'media',
      url: (mediaId) => stage.addressOf(viewer, mediaId, variant),
      statusOfUnknown: 404,
    })
  }
}

/** A file in use answers as a missing one to people who try to use it for something else. */
async function checkFile(viewer: VoiceViewer, item: VoiceItem): Promise<void> {
  const nobody = `audio/${randomUUID()}.webm`
  const bodies = [item.path, nobody].map((path) => ({ path }))
  const [inUse, absent] = await Promise.all(
    bodies.map((body) => stage.call(viewer, 'DELETE', '/api/delete', body)),
  )
  const isSame = inUse && absent && wholeOf(inUse) === wholeOf(absent)
  check(`${viewer}, ${item.kind}, delete upload`, Boolean(isSame), inUse?.text)
  if (!stage.hasAccount(viewer)) return
  const letter = {
    title: 'Une autre vie',
    content: 'Le même fichier, sous une lettre.',
    target_email: 'a@exemple.test',
    reveal_date: '2030-01-01',
    file_url: `/api/secure-file/${item.path}`,
  }
  const sealed = await stage.call(viewer, 'POST', '/api/revelations', letter)
  check(`${viewer}, ${item.kind}, in a revelation`, sealed.status === 400, sealed.status)
  const again = await stage.call(viewer, 'POST', VOICE_MESSAGES_URL, {
    title: 'Encore',
    file_url: letter.file_url,
  })
  check(`${viewer}, ${item.kind}, in a sound`, again.status === 400, again.status)
  const face = await stage.call(viewer, 'PUT', '/api/auth/profile', { avatar_url: letter.file_url })
  check(`${viewer}, ${item.kind}, as an avatar`, face.status === 400, face.status)
}

/** Alone, it shows the same as in the list. */
async function checkOne(viewer: VoiceViewer, item: VoiceItem): Promise<void> {
  const isKnown = playback(viewer, item) !== 'nothing'
  await checkDoor(viewer, item, isKnown ? 200 : 'as unknown', {
    name: 'alone',
    method: 'GET',
    url: (id) => `${VOICE_MESSAGES_URL}/${id}`,
  })
  if (!isKnown) return
  const { body } = await stage.call(viewer, 'GET', `${VOICE_MESSAGES_URL}/${item.id}`)
  checkShown(`${viewer}, ${item.kind}, alone`, viewer, item, body.sound)
}

function checkShown(
  cell: string,
  viewer: VoiceViewer,
  item: VoiceItem,
  shown: Record<string, unknown>,
): void {
  const isPlayable = playback(viewer, item) === 'playable'
  const isAuthor = viewer === 'author'
  const has = (keys: string[]) => keys.filter((key) => Object.hasOwn(shown, key)).join()
  const about = isAuthor || isPlayable ? ABOUT_KEYS.join() : ''
  const file = isPlayable ? FILE_KEYS.join() : ''
  const isRevealed = stage.server.clock.now >= VOICE_REVEAL
  check(`${cell}, about`, has(ABOUT_KEYS) === about, has(ABOUT_KEYS))
  check(`${cell}, file`, has(FILE_KEYS) === file, has(FILE_KEYS))
  check(`${cell}, own`, Object.hasOwn(shown, 'processing_status') === isAuthor, 'status')
  check(`${cell}, description`, shown.description === (about ? item.description : undefined), shown)
  check(`${cell}, revealed`, shown.is_revealed === isRevealed, shown.is_revealed)
  check(`${cell}, access`, shown.can_access === isPlayable, shown.can_access)
  check(`${cell}, delete`, shown.can_delete === isAuthor, shown.can_delete)
  check(`${cell}, message`, shown.reveal_message === 'Patience…', shown.reveal_message)
}

async function checkList(viewer: VoiceViewer): Promise<void> {
  const { body } = await stage.call(viewer, 'GET', VOICE_MESSAGES_URL)
  for (const item of stage.items) {
    const cell = `${viewer}, ${item.kind}, list`
    const shown = body.sounds.find(({ id }: { id: string }) => id === item.id)
    const isThere = (shown !== undefined) === (playback(viewer, item) !== 'nothing')
    check(cell, isThere, shown ? 'shown' : 'not shown')
    if (shown) checkShown(cell, viewer, item, shown)
  }
  const known = body.sounds.length
  check(`${viewer}, count`, body.count === known && body.totals.sounds === known, body.count)
  const isAnyPlayable = body.sounds.some((sound: { can_access: boolean }) => sound.can_access)
  check(`${viewer}, totals`, body.totals.duration > 0 === isAnyPlayable, body.totals.duration)
}

describe.each(STATES)('$state', ({ offsetMs }) => {
  const round = STATES.findIndex((one) => one.offsetMs === offsetMs)

  beforeAll(() => {
    stage.server.clock.now = new Date(VOICE_REVEAL.getTime() + offsetMs)
    unknowns.clear()
  })

  it.each(VOICE_VIEWERS)('lists to %s what they may see', async (viewer) => {
    await checkList(viewer)
    expectAllRight()
  })

  it.each(VOICE_VIEWERS)(
    'opens each voice message to %s as far as the table says',
    async (viewer) => {
      for (const item of stage.items) {
        await checkOne(viewer, item)
        await checkDoors(viewer, item, item.spares[round] ?? '')
        await checkFile(viewer, item)
      }
      expectAllRight()
    },
  )
})
