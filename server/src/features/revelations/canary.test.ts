import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchForm } from '#server/platform/sealing/blind-index.ts'
import {
  databaseFiles,
  filesIn,
  formsOfBytes,
  formsOfText,
  type Haystack,
  piecesOf,
  search,
  tablesOf,
} from '#testing/canary.ts'
import { A_DAY_MS, createRevelation, relate, toAll, verifiedPerson } from '#testing/factories.ts'
import { colourVideo, pdf, picture, toneAudio } from '#testing/media-files.ts'
import { abandon, beginUpload, sendPart, uploadInParts } from '#testing/resumable-uploads.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { type FileToSend, uploadFile } from '#testing/uploads.ts'
import { createVoiceMessage, uploadVoice, VOICE_MESSAGES_URL } from '#testing/voice-messages.ts'

/** What nothing but the letters, the names of their files and the files themselves holds. */
const WORDS = {
  letter: 'Zibelinéuf',
  name: 'Quartzôphage',
  file: 'xylofritté',
}
/** What the mail of the opening carries, and no other. */
const NOTE = `Tu l’avais deviné, ${WORDS.letter}`
const A_MINUTE_MS = 60_000
const TITLE = 'Ce titre n’est pas un secret'
/** For its author alone, though it is no part of the letter. */
const SECOND_EMAIL = 'deuxieme-boite@exemple.test'

interface Sealed {
  kind: string
  id: string
  content: string
  file: FileToSend & { name: string }
  /** What follows the file in an album. */
  others: (FileToSend & { name: string })[]
}

/** What plays as the seal of one of the letters breaks. */
const voiceOfSeal: { bytes: Buffer } = { bytes: Buffer.alloc(0) }
/** A voice of the same author, to be opened with the letters. */
const voice: { id: string; bytes: Buffer } = { id: '', bytes: Buffer.alloc(0) }
const startedAt = new Date(Date.now() - 1000)
const log: string[] = []
const answers: string[] = []
const proofs: Buffer[] = []
const sealed: Sealed[] = []
let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line: string) => void log.push(line) } })
  author = await verifiedPerson(server)
  const stranger = await signedIn(server)
  for (const [kind, file] of Object.entries(await createFiles()))
    sealed.push(await seal(kind, file))
  await sealVoice(stranger)
  await server.runJobs()
  await handleOwnLetters()
  await proveAll(stranger)
  for (const { kind, file } of sealed) if (kind === 'document') await sendInParts(file)
  // Whoever it is announced to.
  const addressee = await verifiedPerson(server, { email: 'destinataire@exemple.test' })
  for (const as of [stranger, addressee, undefined]) {
    for (const list of ['received', 'received?q=zibelin', 'anniversaries']) {
      answers.push((await server.call('GET', `/api/revelations/${list}`, { as })).text)
    }
    answers.push((await server.call('GET', '/api/revelations', { as })).text)
    answers.push((await server.call('GET', '/api/auth/export', { as })).text)
    answers.push((await server.call('GET', '/sitemap/revelations.xml', { as })).text)
    for (const { id } of sealed) {
      const page = `/api/revelations/${id}`
      for (const path of [page, `${page}/archive`, `/revelation/${id}`, `/apercu/${id}.png`]) {
        answers.push((await server.call('GET', path, { as })).text)
      }
      const body = { target: 'revelation', target_id: id, reason: 'spam', message: 'Cela.' }
      answers.push((await server.call('POST', '/api/reports', { as, body })).text)
    }
  }
})
afterAll(() => server.close())

async function createFiles(): Promise<Record<string, Sealed['file']>> {
  const tags = ['-metadata', `title=${WORDS.file}`, '-metadata', `comment=${WORDS.file}`]
  const tail = Buffer.from(`\n% ${WORDS.file}\n`)
  return {
    document: { bytes: Buffer.concat([pdf(), tail]), name: `${WORDS.name} nº 7.pdf` },
    image: { bytes: Buffer.concat([await picture('jpeg'), tail]), name: `${WORDS.name}.jpg` },
    audio: { bytes: await toneAudio('mp3', 2, tags), name: `${WORDS.name}.mp3` },
    video: {
      bytes: await colourVideo({ seconds: 3, fps: 10, size: '64x36', extra: tags }),
      name: `${WORDS.name}.mp4`,
      fields: { teaserStart: '0.5', teaserEnd: '1.5' },
    },
  }
}

async function seal(kind: string, file: Sealed['file']): Promise<Sealed> {
  const content = `${kind} : ${WORDS.letter}. Personne ne le sait encore.`
  const others = kind === 'image' ? await createOthers() : []
  const file_urls: string[] = []
  for (const one of [file, ...others]) file_urls.push((await uploadFile(server, author, one)).url)
  const { id } = await createRevelation(server, author, {
    title: `${TITLE} (${kind})`,
    content,
    ...toAll('destinataire@exemple.test', SECOND_EMAIL),
    file_urls,
    captions: file_urls.map((_, at) => (at === 1 ? null : `${WORDS.letter}, ${at}`)),
    announcement_note: 'Un peu de patience, cela vient.',
    opening_note: NOTE,
    ...(kind === 'video' ? { teaser_start: 0.5, teaser_end: 1.5 } : {}),
    ...(kind === 'document' ? await recordSealVoice() : {}),
  })
  const body = { revelationId: id }
  await server.call('POST', '/api/email/notify-revelation', { as: author, body })
  return { kind, id, content, file, others }
}

/** The second and the third file of an album. */
async function createOthers(): Promise<Sealed['others']> {
  const tail = Buffer.from(`\n% ${WORDS.file} encore\n`)
  return [
    { bytes: Buffer.concat([await picture('png', 80), tail]), name: `${WORDS.name} 2.png` },
    { bytes: Buffer.concat([pdf({ pages: 2 }), tail]), name: `${WORDS.name} 3.pdf` },
  ]
}

async function recordSealVoice() {
  voiceOfSeal.bytes = await toneAudio('m4a', 2, ['-metadata', `title=${WORDS.file}`])
  const file = { bytes: voiceOfSeal.bytes, name: `${WORDS.name}.m4a` }
  return {
    seal_voice: await uploadVoice(server, author, file),
    seal_voice_words: `En un mot : ${WORDS.letter}`,
  }
}

/** Somebody of the family is among the others: they know of it, and of nothing that it says. */
async function sealVoice(other: Person): Promise<void> {
  await relate(server, author, other, 'family')
  const tags = ['-metadata', `title=${WORDS.file}`, '-metadata', `comment=${WORDS.file}`]
  voice.bytes = await toneAudio('webm', 3, tags)
  const file_url = await uploadVoice(server, author, {
    bytes: voice.bytes,
    name: `${WORDS.name}.webm`,
  })
  const { id } = await createVoiceMessage(server, author, {
    title: `${TITLE} (voix)`,
    description: `voix : ${WORDS.letter}`,
    file_url,
    reveal_date: new Date(server.clock.now.getTime() + A_DAY_MS).toISOString(),
  })
  voice.id = id
  await server.runJobs()
  for (const as of [other, undefined]) {
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', `/${id}/play`],
      ['PUT', `/${id}/favorite`],
      ['GET', `/${id}/waveform`],
      ['DELETE', `/${id}`],
    ] as const) {
      answers.push((await server.call(method, `${VOICE_MESSAGES_URL}${path}`, { as })).text)
    }
  }
  expect(answers.join('')).toContain(id)
}

/** What the log tells everybody, and the proofs of what is sealed. */
async function proveAll(stranger: Person): Promise<void> {
  server.clock.advance(A_MINUTE_MS)
  await server.runJobs()
  const { text: note } = await server.call('GET', '/api/proofs/checkpoint')
  const size = Number(note.split('\n')[1])
  expect(size).toBeGreaterThan(sealed.length)
  const ofLog = ['key', 'checkpoint', `tile/0/000.p/${size}`, `consistency?from=1&to=${size}`]
  const doors = [
    ...[...ofLog, `inclusion?leaf=0&size=${size}`].map((path) => `/api/proofs/${path}`),
    ...sealed.map(({ id }) => `/api/revelations/${id}/proof`),
  ]
  for (const as of [stranger, undefined]) {
    for (const door of doors) {
      const headers: Record<string, string> = as ? { authorization: `Bearer ${as.token}` } : {}
      const answer = await server.app.inject({ url: door, headers })
      expect([door, answer.statusCode]).toEqual([door, 200])
      // Bytes, as a tile is.
      proofs.push(answer.rawPayload)
    }
  }
}

/** The same bytes on their way in parts: one upload stays in the middle, one is refused at its end, one is given up. */
async function sendInParts({ bytes, name }: Sealed['file']): Promise<void> {
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  const open = await beginUpload(server, author, bytes.length, { name })
  await sendPart(server, author, open, { offset: 0, bytes: half })
  const refused = await uploadInParts(server, author, bytes.subarray(1), { name })
  answers.push((await server.call('GET', open, { as: author })).text, refused.text)
  const location = await beginUpload(server, author, bytes.length, { name })
  await sendPart(server, author, location, { offset: 0, bytes })
  await abandon(server, author, location)
  await server.runJobs()
}

/** What its author does with a letter, refusals and changes of mind among it, must leave no trace either. */
async function handleOwnLetters(): Promise<void> {
  const q = encodeURIComponent(WORDS.letter)
  const found = await server.call('GET', `/api/revelations?q=${q}`, { as: author })
  expect(found.body.counts.found).toBe(sealed.length)
  for (const { id, content } of sealed) {
    const drafts = [`${content} Ou ${WORDS.letter} ?`, WORDS.letter.repeat(3_000), content]
    const statuses: number[] = []
    for (const draft of drafts) {
      const body = { content: draft }
      const { status } = await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 400, 200])
  }
  for (const format of ['json', 'zip']) {
    const all = await download(`/api/auth/export?format=${format}`, author)
    expect(all.includes(WORDS.letter)).toBe(true)
  }
  const name = `${WORDS.name}.exe`
  const bytes = Buffer.from(WORDS.file)
  await expect(uploadFile(server, author, { bytes, name })).rejects.toThrow('autorisé')
  await server.runJobs()
}

const words = Object.values(WORDS).flatMap(formsOfText)

function pieces() {
  const ofLetters = sealed.flatMap(({ kind, file, others }) =>
    [file, ...others].flatMap(({ bytes }, at) => piecesOf(`the ${kind}, ${at}`, bytes)),
  )
  return [
    ...ofLetters,
    ...piecesOf('the voice', voice.bytes),
    ...piecesOf('the voice of a seal', voiceOfSeal.bytes),
  ]
}

function answersAndMails(): Haystack[] {
  return [
    { name: 'the log', bytes: Buffer.from(log.join('')) },
    { name: 'the mails', bytes: Buffer.from(JSON.stringify(server.mailbox.all)) },
    { name: 'what others are answered', bytes: Buffer.from(answers.join('')) },
    { name: 'what others are proved', bytes: Buffer.concat(proofs) },
  ]
}

async function storedBytes(): Promise<Haystack[]> {
  return [...(await filesIn(server.ctx.config.dataDir)), ...(await tablesOf(server.ctx.db))]
}

async function download(url: string, as?: Person): Promise<Buffer> {
  const headers = as ? { authorization: `Bearer ${as.token}` } : {}
  return (await server.app.inject({ url, headers })).rawPayload
}

describe('before the instant', () => {
  it('the search finds what it looks for', async () => {
    const title = formsOfText(TITLE).slice(0, 1)
    const places = search([...answersAndMails(), ...(await storedBytes())], title).join()
    expect(places).toContain('the mails')
    expect(places).toContain('what others are answered')
    expect(places).toContain('table public.revelations')
    expect(log.join('')).toContain('"answered"')
    for (const { id, file, content } of sealed) {
      const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
      const bytes = await download(body.revelation.file_url, author)
      const seen = { name: 'the author', bytes: Buffer.concat([bytes, Buffer.from(content)]) }
      expect(search([seen], words)).toHaveLength(2)
      expect(search([seen], piecesOf('the file', file.bytes)).length).toBeGreaterThan(1)
    }
  })

  it('what opens a seal is answered to its author, and is stored nowhere in the clear', async () => {
    const secrets: string[] = []
    for (const { id, content } of sealed) {
      const { body } = await server.call('GET', `/api/revelations/${id}/proof`, { as: author })
      const { fields } = body.leaves.at(-1)
      const [said, files] = ['content', 'files'].map((name) =>
        fields.find((field: { name: string }) => field.name === name),
      )
      expect(said).toMatchObject({ value: content })
      secrets.push(said.salt, files.salt)
      for (const { sha256: hash } of files.value) secrets.push(hash)
    }
    const needles = secrets.flatMap((hex) => formsOfBytes(hex, Buffer.from(hex, 'hex')))
    expect(search([...answersAndMails(), ...(await storedBytes())], needles)).toEqual([])
  })

  it('the author of a voice message reads what it says, and receives none of its bytes', async () => {
    const listed = await server.call('GET', VOICE_MESSAGES_URL, { as: author })
    expect(listed.body.sounds).toMatchObject([{ description: `voix : ${WORDS.letter}` }])
    const archive = await download('/api/auth/export?format=zip', author)
    const places = [
      { name: 'the list', bytes: Buffer.from(listed.text) },
      { name: 'the archive', bytes: archive },
    ]
    expect(search(places, piecesOf('the voice', voice.bytes))).toEqual([])
    expect(listed.text).not.toMatch(/token=|waveform|"file_(mobile_)?url"/)
  })

  it('nothing of the letters lies in DATA_DIR, in the database, in the log or in a mail', async () => {
    const haystacks = [...answersAndMails(), ...(await storedBytes())]
    expect(search(haystacks, [...words, ...pieces()])).toEqual([])
    const bytes = haystacks.reduce((sum, haystack) => sum + haystack.bytes.length, 0)
    const needles = words.length + pieces().length
    console.info(`canary: ${needles} forms in ${haystacks.length} places, ${bytes} bytes`)
  })

  it('nothing of the letters lies in the files of PostgreSQL, deleted rows included', async () => {
    const files = await databaseFiles(server.ctx.db, startedAt)
    const plain = [...words, ...pieces()].filter(({ name }) => !name.includes(', '))
    expect(search(files, plain)).toEqual([])
    if (files.length > 0) expect(search(files, formsOfText(TITLE).slice(0, 1))).not.toEqual([])
  })

  it('the second address is in no answer to others, no log, no mail but its own', async () => {
    const mails = server.mailbox.all.filter(({ to }) => to !== SECOND_EMAIL)
    expect(mails).not.toEqual([])
    const places = [log.join(''), answers.join(''), JSON.stringify(mails)]
    for (const place of places) expect(place).not.toContain(SECOND_EMAIL)
    const { text } = await server.call('GET', `/api/revelations/${sealed[0]?.id}`, { as: author })
    expect(text).toContain(SECOND_EMAIL)
  })

  it('no session token is in the log', () => {
    expect(log.join('')).not.toContain(author.token)
  })
})

describe('from the instant on', () => {
  beforeAll(() => server.clock.advance(A_DAY_MS))

  it('everybody reads the very letter and receives the very file, or the copy of a picture', async () => {
    for (const { id, content, file, others } of sealed) {
      const seen = await server.call('GET', `/api/revelations/${id}`)
      const own = await server.call('GET', `/api/revelations/${id}`, { as: author })
      expect(seen.body.revelation).toMatchObject({ content, file_name: file.name })
      for (const [at, shown] of seen.body.revelation.files.entries()) {
        const sent = [file, ...others][at] as Sealed['file']
        expect(shown).toMatchObject({
          name: sent.name,
          caption: at === 1 ? null : `${WORDS.letter}, ${at}`,
          is_sealed: !/\.(jpg|png)$/.test(sent.name),
        })
        const bytes = await download(shown.url)
        if (shown.is_sealed) expect(sha256(bytes)).toBe(sha256(sent.bytes))
        else expect(bytes.includes(WORDS.file)).toBe(false)
        const original = await download(own.body.revelation.files[at].url, author)
        expect(sha256(original)).toBe(sha256(sent.bytes))
      }
      const { file_url, files } = seen.body.revelation
      expect(file_url).toBe(files[0].url)
    }
  })

  it('the very voice of the seal is heard by everybody', async () => {
    const of = sealed.find(({ kind }) => kind === 'document')
    const { body } = await server.call('GET', `/api/revelations/${of?.id}`)
    expect(body.revelation.seal_voice_words).toContain(WORDS.letter)
    const bytes = await download(body.revelation.seal_voice_url)
    // AAC by now.
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
  })

  it('the very voice is heard by whoever may', async () => {
    const { body } = await server.call('GET', VOICE_MESSAGES_URL, { as: author })
    const [open] = body.sounds
    expect([open.id, sha256(await download(open.file_url))]).toEqual([
      voice.id,
      sha256(voice.bytes),
    ])
  })

  it('stored letters stay encrypted, and no mail quotes them but their own note', async () => {
    await server.runJobs()
    const delivered = server.mailbox.all.filter(({ to }) => to === 'destinataire@exemple.test')
    expect(delivered.length).toBe(2 * sealed.length)
    const noted = server.mailbox.all.filter(({ text }) => text.includes(NOTE))
    expect(noted.map(({ to }) => to).sort()).toEqual(
      [SECOND_EMAIL, 'destinataire@exemple.test'].flatMap((to) => sealed.map(() => to)).sort(),
    )
    for (const mail of noted) {
      mail.text = mail.text.replace(NOTE, '')
      mail.html = mail.html.replace(NOTE, '')
    }
    const haystacks = [...answersAndMails(), ...(await storedBytes())]
    // The text of a page that is open to everybody is searched as it is, and nothing beside it: no caption, note or file.
    expect(search(haystacks, [...words, ...pieces()])).toEqual([
      `${WORDS.letter}, without accents in table public.public_letters`,
    ])
    const { rows } = await server.ctx.pool.query('select form from public_letters')
    expect(rows.map(({ form }) => form).sort()).toEqual(
      sealed.map(({ content }) => searchForm(content)).sort(),
    )
  })
})

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
