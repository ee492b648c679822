import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLetterKey } from '#server/features/media/file-keys.service.ts'
import { findMedia, type MediaRow } from '#server/features/media/media.repository.ts'
import {
  isAsCommitted,
  openCommitted,
  openContents,
  openTexts,
} from '#server/features/revelations/letters.service.ts'
import { findCommitted } from '#server/features/revelations/revelations.repository.ts'
import {
  openDescription,
  sealDescription,
} from '#server/features/voice-messages/voice-message-contents.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { AS_VOICE_AUTHOR } from './access.rules.ts'
import { type EnvelopeRow, findEnvelope } from './envelopes.service.ts'
import {
  grantAuthor,
  grantDescription,
  grantIndexer,
  grantListener,
  grantPreview,
  grantReader,
} from './grants.service.ts'
import { grantInstallationCheck, grantOperator } from './operator-grants.service.ts'

const NOT_GRANTED = /^This right to read was not granted for /
const STRANGER = {
  isAuthor: false,
  relationship: undefined,
  deliveryIds: [],
}

let server: TestApp
let author: Person
let letter: EnvelopeRow
let other: EnvelopeRow
let right: ReadingRight

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  letter = await seal('La première lettre.')
  other = await seal('La seconde lettre.')
  right = grantAuthor({ userId: author.id }, [letter]) as ReadingRight
})
afterAll(() => server.close())

/** A sealed letter with a file of its own. */
async function seal(content: string, by = author): Promise<EnvelopeRow> {
  const { url } = await uploadFile(server, by, { bytes: pdf(), name: 'lettre.pdf' })
  const { id } = await createRevelation(server, by, { content, file_url: url })
  return (await findEnvelope(server.ctx, id)) as EnvelopeRow
}

async function fileOf({ mediaId }: EnvelopeRow): Promise<MediaRow> {
  return (await findMedia(server.ctx.db, mediaId ?? '')) as MediaRow
}

/** Every way to open the text of a letter. */
const WAYS: Record<string, (right: ReadingRight, of: EnvelopeRow) => Promise<unknown>> = {
  openTexts: async (right, of) => (await openTexts(server.ctx, right, [of])).get(of.id)?.content,
  openContents: async (right, of) => (await openContents(server.ctx, right, [of])).get(of.id),
  openCommitted: async (right, of) =>
    (await openCommitted(server.ctx, right, [of])).get(of.id)?.content,
  isAsCommitted: async (right, of) => {
    const sealed = await findCommitted(server.ctx.db, of.id)
    return sealed && isAsCommitted(server.ctx, right, sealed)
  },
}

/** What only claims to be a right to the letter. */
const FORGERIES: Record<string, (right: ReadingRight) => unknown> = {
  'an object with the same methods': () => ({ isFor: () => true }),
  'a spread copy of the right': (right) => ({ ...right }),
  'a clone of the right': (right) => structuredClone(right),
  'an object with the prototype of the right': (right) =>
    Object.assign(Object.create(Object.getPrototypeOf(right)), { isFor: () => true }),
  'an object that inherits from the right': (right) => Object.create(right),
  'a proxy of the right': (right) => new Proxy(right, {}),
  nothing: () => undefined,
}

describe.each(Object.entries(WAYS))('%s', (name, open) => {
  it('opens the letter that the right was granted for', async () => {
    expect(await open(right, letter)).toBe(name === 'isAsCommitted' ? true : 'La première lettre.')
  })

  it('refuses another letter, and opens none of a page with one', async () => {
    await expect(open(right, other)).rejects.toThrow(NOT_GRANTED)
    await expect(openTexts(server.ctx, right, [letter, other])).rejects.toThrow(NOT_GRANTED)
  })

  it('refuses another version of the same letter', async () => {
    const editor = await signedIn(server)
    const edited = await seal('La première version.', editor)
    const first = grantAuthor({ userId: editor.id }, [edited]) as ReadingRight
    const body = { content: 'La seconde version.' }
    await server.call('PUT', `/api/revelations/${edited.id}`, { as: editor, body })
    const second = (await findEnvelope(server.ctx, edited.id)) as EnvelopeRow
    expect(second.version).toBe(2)
    await expect(open(first, second)).rejects.toThrow(NOT_GRANTED)
  })

  it.each(Object.entries(FORGERIES))('refuses %s', async (_what, forge) => {
    await expect(open(forge(right) as never, letter)).rejects.toThrow(NOT_GRANTED)
  })
})

describe('the class of a right, which everybody with a right can reach', () => {
  it.each([
    ['no token', []],
    ['a token of its own', [Symbol('grant'), ['everything']]],
    ['the names alone', [['everything']]],
  ])('constructs none with %s', (_what, values) => {
    const Right = right.constructor as new (...values: unknown[]) => object
    expect(() => new Right(...values)).toThrow('granted for a reason')
    class Wider extends Right {}
    expect(() => new Wider(...values)).toThrow('granted for a reason')
  })

  it.each([
    ['objects of the same shape', [{ isFor: () => true }]],
    ['an object with a method of a list', { flatMap: () => ['everything'] }],
  ])('merges no %s', (_what, rights) => {
    const Right = right.constructor as unknown as { merge(rights: unknown): unknown }
    expect(() => Right.merge(rights)).toThrow(TypeError)
  })

  it('cannot be changed', () => {
    for (const changed of [right, right.constructor, right.constructor.prototype]) {
      expect(() => Object.assign(changed, { isFor: () => true })).toThrow(TypeError)
    }
  })
})

describe('openLetterKey', () => {
  it('opens the key of the letter’s own file, and refuses that of another', async () => {
    const [own, others] = [await fileOf(letter), await fileOf(other)]
    expect(openLetterKey(server.ctx, right, own)).toBeDefined()
    expect(() => openLetterKey(server.ctx, right, others)).toThrow(NOT_GRANTED)
  })

  it('opens by a preview the one file that its sender sent', async () => {
    const [own, others] = [await fileOf(letter), await fileOf(other)]
    const preview = grantPreview(author.id, own) as ReadingRight
    expect(openLetterKey(server.ctx, preview, own)).toBeDefined()
    expect(() => openLetterKey(server.ctx, preview, others)).toThrow(NOT_GRANTED)
    await expect(openTexts(server.ctx, preview, [letter])).rejects.toThrow(NOT_GRANTED)
  })
})

describe('openDescription', () => {
  it('opens that of the voice message it was granted for, and neither another nor a file', async () => {
    const file = await fileOf(letter)
    const voice = (id: string) => ({
      id,
      mediaId: file.id,
      isShared: true,
      revealAt: new Date(server.clock.now.getTime() + A_DAY_MS),
    })
    const [one, another] = [randomUUID(), randomUUID()]
    const sealed = { id: one, ...sealDescription(server.ctx, one, 'Un mot') }
    const granted = grantDescription(AS_VOICE_AUTHOR, voice(one), server.clock.now) as ReadingRight
    expect(openDescription(server.ctx, granted, sealed)).toBe('Un mot')
    expect(() => openLetterKey(server.ctx, granted, file)).toThrow(NOT_GRANTED)
    const foreign = { id: another, ...sealDescription(server.ctx, another, 'Un autre') }
    expect(() => openDescription(server.ctx, granted, foreign)).toThrow(NOT_GRANTED)
    expect(grantListener(AS_VOICE_AUTHOR, voice(one), server.clock.now)).toBeUndefined()
  })
})

describe('the reasons', () => {
  it('grant nothing to a stranger, nor the words of another author', () => {
    expect(grantReader(STRANGER, letter, server.clock.now)).toBeUndefined()
    expect(grantAuthor({ userId: randomUUID() }, [letter])).toBeUndefined()
    expect(grantPreview(randomUUID(), { id: 'file', ownerId: author.id })).toBeUndefined()
  })

  it('let the search index open no letter that is sealed', async () => {
    const indexer = grantIndexer([letter], server.clock.now)
    await expect(openContents(server.ctx, indexer, [letter])).rejects.toThrow(NOT_GRANTED)
    const later = grantIndexer([letter], letter.revealAt)
    expect((await openContents(server.ctx, later, [letter])).size).toBe(1)
  })

  it('write an operator’s down first, and bind it to one letter', async () => {
    const why = { operator: 'marie', reason: 'Une plainte' }
    const operator = await grantOperator(server.ctx, letter, why)
    await expect(openTexts(server.ctx, operator, [other])).rejects.toThrow(NOT_GRANTED)
    const everything = await grantInstallationCheck(server.ctx, why)
    expect((await openTexts(server.ctx, everything, [letter, other])).size).toBe(2)
    const acts = await server.ctx.db.selectFrom('auditLog').select('action').orderBy('id').execute()
    expect(acts.map(({ action }) => action)).toEqual(['open_letter', 'check_seals'])
  })
})

it('answers who seals or edits a letter without opening it again', async () => {
  const opened = vi.spyOn(server.ctx.keyring, 'openDataKey')
  const letters = () => opened.mock.calls.filter(([name]) => name.startsWith('revelation:')).length
  const { id, content } = await createRevelation(server, author, {
    content: 'Dite une seule fois.',
  })
  expect([content, letters()]).toEqual(['Dite une seule fois.', 0])
  const body = { content: 'Dite encore une fois.' }
  const edited = await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
  // Once, to compare the edit with the letter as it was.
  expect([edited.body.revelation.content, letters()]).toEqual(['Dite encore une fois.', 1])
  const read = await server.call('GET', `/api/revelations/${id}`, { as: author })
  expect(read.body.revelation).toEqual(edited.body.revelation)
})
