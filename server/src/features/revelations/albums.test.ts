import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import {
  A_DAY_MS,
  createRevelation,
  type RevelationOverrides,
  revelationBody,
} from '#testing/factories.ts'
import { colourVideo, pdf } from '#testing/media-files.ts'
import { beginUpload, sendPart } from '#testing/resumable-uploads.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, uploadFile } from '#testing/uploads.ts'
import { verifyLive } from '#testing/verify-live.ts'

interface Sent {
  id: string
  url: string
  name: string
  bytes: Buffer
}

let server: TestApp
let author: Person
let sentCount = 0

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  await giveRoom(author)
})
afterAll(() => server.close())

async function giveRoom(person: Person): Promise<void> {
  const plan = { userId: person.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
}

/** A document of its own, in its bytes and its name. */
async function send(as = author): Promise<Sent> {
  sentCount += 1
  const name = `feuillet ${sentCount}.pdf`
  const bytes = Buffer.concat([pdf(), Buffer.from(`% ${name}\n`)])
  const { url, filename } = await uploadFile(server, as, { bytes, name })
  return { id: filename.slice(0, 36), url, name, bytes }
}

async function sendMany(count: number): Promise<Sent[]> {
  const sent: Sent[] = []
  while (sent.length < count) sent.push(await send())
  return sent
}

function urlsOf(sent: readonly { url: string }[]): string[] {
  return sent.map(({ url }) => url)
}

function post(body: RevelationOverrides, as = author) {
  return server.call('POST', '/api/revelations', { as, body: revelationBody(server, body) })
}

function put(id: string, body: object) {
  return server.call('PUT', `/api/revelations/${id}`, { as: author, body })
}

/** Runs what is due, but for what renders files. */
async function runJobs(): Promise<void> {
  await server.ctx.pool.query(
    `delete from pgboss.job where name in ('prepare-media', 'compress-video')`,
  )
  await server.runJobs()
}

async function seenBy(id: string, as?: Person) {
  const { body, text } = await server.call('GET', `/api/revelations/${id}`, { as })
  return { ...body.revelation, text }
}

async function download(url: string): Promise<Buffer> {
  return (await server.app.inject({ url })).rawPayload
}

interface Shown {
  name: string
  caption: string | null
}

/** Names and captions, in order. */
function told({ files }: { files?: Shown[] }): [string, string | null][] | undefined {
  return files?.map(({ name, caption }) => [name, caption])
}

async function fileState({ id }: Sent): Promise<'used' | 'unused' | 'gone'> {
  const row = await server.ctx.db
    .selectFrom('media')
    .select('attachedAt')
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? (row.attachedAt ? 'used' : 'unused') : 'gone'
}

/** Three files, the second without a caption. */
async function sealThree() {
  const sent = await sendMany(3)
  const captions = ['Le jardin', null, 'La maison']
  const file_urls = urlsOf(sent)
  const revelation = await createRevelation(server, author, { file_urls, captions })
  return { sent, id: revelation.id as string, revelation, files: revelation.files as Sent[] }
}

describe('a letter with several files', () => {
  it('has them in its author’s order with their captions, for others from the instant on', async () => {
    const { id, sent, revelation } = await sealThree()
    const names = sent.map(({ name }, at) => [name, ['Le jardin', null, 'La maison'][at]])
    expect(told(revelation)).toEqual(names)
    expect(told(await seenBy(id, author))).toEqual(names)
    const sealedToOthers = await seenBy(id)
    expect(sealedToOthers).not.toHaveProperty('files')
    expect(sealedToOthers.text).not.toMatch(/Le jardin|feuillet|file_url/)
    server.clock.advance(2 * A_DAY_MS)
    const open = await seenBy(id)
    expect(told(open)).toEqual(names)
    expect(open.files[0]).toEqual({
      ...{ url: open.file_url, is_sealed: open.file_is_sealed },
      ...{ mobile_url: open.file_mobile_url, type: open.file_type },
      ...{ name: open.file_name, size: open.file_size, duration: open.duration },
      ...{ thumbnail: open.thumbnail_complete, caption: 'Le jardin' },
    })
    for (const [at, { url }] of open.files.entries()) {
      expect((await download(url)).equals(sent[at]?.bytes as Buffer)).toBe(true)
    }
    const { body } = await server.call('GET', `/api/revelations/user/${author.id}`)
    expect(told(body.revelations.find((one: { id: string }) => one.id === id))).toEqual(names)
  })

  it('is told from a letter with one file by nothing before the instant', async () => {
    const [first, other, ...more] = await sendMany(4)
    const one = await createRevelation(server, author, { file_url: first?.url })
    const file_urls = urlsOf([other as Sent, ...more])
    const many = await createRevelation(server, author, { file_urls, captions: ['a', 'b', 'c'] })
    const [ofOne, ofMany] = await Promise.all([one, many].map(({ id }) => seenBy(id)))
    const its = (seen: object) => ({
      ...seen,
      ...{ id: '', commitment: '', created_at: '', updated_at: '', public_since: '', text: '' },
    })
    expect(its(ofMany)).toEqual(its(ofOne))
    expect(ofMany.text).toHaveLength(ofOne.text.length)
    const proofs = await Promise.all(
      [one, many].map(({ id }) => server.call('GET', `/api/revelations/${id}/proof`)),
    )
    expect(proofs[0]?.text).toHaveLength(proofs[1]?.text.length as number)
  })

  it('answers no list for one file without words, and one for a file with a caption', async () => {
    const [plain, captioned] = await sendMany(2)
    const one = await createRevelation(server, author, { file_url: plain?.url, captions: [''] })
    expect(one).not.toHaveProperty('files')
    const two = await createRevelation(server, author, {
      fileUrls: [captioned?.url],
      captions: [' Ici '],
    })
    expect(told(two)).toEqual([[captioned?.name, 'Ici']])
    expect(two.file_name).toBe(captioned?.name)
  })

  it('adds up what is left to do of all of them, for its author', async () => {
    const { id, sent } = await sealThree()
    const state = async () => (await seenBy(id, author)).processing_status
    const finish = (files: readonly Sent[]) =>
      server.ctx.pool.query(
        `update media_steps set state = 'completed', progress = 100 where media_id = any($1)`,
        [files.map((file) => file.id)],
      )
    expect(await state()).toBe('processing')
    await finish(sent.slice(1))
    expect(await seenBy(id, author)).toMatchObject({
      ...{ processing_status: 'processing', processing_progress: 66 },
    })
    await finish(sent)
    expect(await state()).toBe('completed')
  })

  it('frees all of them when it is withdrawn', async () => {
    const stored = await countStoredFiles(server)
    const { id, sent } = await sealThree()
    for (const file of sent) expect(await fileState(file)).toBe('used')
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    await runJobs()
    for (const file of sent) expect(await fileState(file)).toBe('gone')
    expect(await countStoredFiles(server)).toBe(stored)
  })

  it('survives the sweep of what nothing uses', async () => {
    const [unused, ...sent] = await sendMany(4)
    await createRevelation(server, author, { file_urls: urlsOf(sent) })
    server.clock.advance(2 * A_DAY_MS)
    await runJobs()
    expect(await fileState(unused as Sent)).toBe('gone')
    for (const file of sent) expect(await fileState(file)).toBe('used')
  })

  it('leaves nothing behind when its author goes', async () => {
    const leaving = await signedIn(server)
    const sent = [await send(leaving), await send(leaving)]
    await createRevelation(server, leaving, { file_urls: urlsOf(sent) })
    const body = { password: 'mot de passe de test' }
    await server.call('DELETE', '/api/auth/account', { as: leaving, body })
    for (const file of sent) expect(await fileState(file)).toBe('gone')
    const { rows } = await server.ctx.pool.query(
      'select from revelation_files where media_id = any($1)',
      [sent.map(({ id }) => id)],
    )
    expect(rows).toEqual([])
  })
})

describe('editing the files of a letter', () => {
  it('turns their order around as a new version, and each caption stays with its file', async () => {
    const { id, sent } = await sealThree()
    const { files } = await seenBy(id, author)
    const { body } = await put(id, { file_urls: urlsOf(files.toReversed()) })
    expect(told(body.revelation)).toEqual([
      [sent[2]?.name, 'La maison'],
      [sent[1]?.name, null],
      [sent[0]?.name, 'Le jardin'],
    ])
    expect(body.revelation).toMatchObject({ version: 2, file_name: sent[2]?.name })
    const same = await put(id, { file_urls: urlsOf(body.revelation.files) })
    expect(same.body.revelation.version).toBe(2)
  })

  it('changes captions alone, adds a file and takes one away, each as a new version', async () => {
    const { id, sent } = await sealThree()
    const said = await put(id, { captions: ['Ici', 'Là', null] })
    expect(said.body.revelation.version).toBe(2)
    const added = await send()
    const { files } = said.body.revelation
    const changed = await put(id, { file_urls: [files[1].url, added.url, files[0].url] })
    expect(told(changed.body.revelation)).toEqual([
      [sent[1]?.name, 'Là'],
      [added.name, null],
      [sent[0]?.name, 'Ici'],
    ])
    expect(await fileState(sent[2] as Sent)).toBe('gone')
    expect((await put(id, { captions: null })).body.revelation).toMatchObject({
      version: 4,
      files: [{ caption: null }, { caption: null }, { caption: null }],
    })
  })

  it('keeps all of them for an older client, which sends back the first file among all it knows', async () => {
    const { id, sent } = await sealThree()
    const { title, content, reveal_date, target_email, file_url, file_type } = await seenBy(
      id,
      author,
    )
    const known = { title, content, reveal_date, target_email, file_url, file_type }
    const kept = await put(id, { ...known, title: 'Un autre titre' })
    expect(told(kept.body.revelation)).toHaveLength(3)
    const replaced = await put(id, { ...known, file_url: (await send()).url })
    expect(replaced.body.revelation).not.toHaveProperty('files')
    for (const file of sent) expect(await fileState(file)).toBe('gone')
  })

  it.each([
    ['file_url: null', { file_url: null }],
    ['an empty list', { file_urls: [] }],
    ['no list and no first file', { file_urls: null, file_url: null, captions: [] }],
  ])('takes all of them away by %s', async (_, body) => {
    const { id, sent } = await sealThree()
    const answer = await put(id, body)
    expect(answer.body.revelation).toMatchObject({ file_url: null, file_type: null, version: 2 })
    for (const file of sent) expect(await fileState(file)).toBe('gone')
  })

  it('makes a letter with one file of an album, and an album of a letter with one file', async () => {
    const { id, files, sent } = await sealThree()
    const fewer = await put(id, { file_urls: [files[2]?.url], captions: [null] })
    expect(fewer.body.revelation).toMatchObject({ file_name: sent[2]?.name })
    expect(fewer.body.revelation).not.toHaveProperty('files')
    const more = await put(id, { file_urls: [fewer.body.revelation.file_url, (await send()).url] })
    expect(told(more.body.revelation)).toHaveLength(2)
  })

  it('is refused once the letter is open, unless nothing changes', async () => {
    const { id } = await sealThree()
    server.clock.advance(2 * A_DAY_MS)
    const { files, file_url } = await seenBy(id, author)
    for (const body of [
      { file_urls: urlsOf(files.toReversed()) },
      { file_urls: urlsOf(files.slice(1)) },
      { captions: [null, null, null] },
      { captions: ['trop', 'peu'] },
    ]) {
      expect(await put(id, body)).toMatchObject({ status: 409 })
    }
    const captions = ['Le jardin', null, 'La maison']
    const same = { file_urls: urlsOf(files), file_url, captions, category: 'family' }
    expect(await put(id, same)).toMatchObject({ status: 200 })
  })

  it('takes the teaser from a film that is no longer the first', async () => {
    const film = await uploadFile(server, author, {
      bytes: await colourVideo({ seconds: 3, fps: 10, size: '64x36' }),
      fields: { teaserStart: '0', teaserEnd: '1' },
    })
    const filmId = film.filename.slice(0, 36)
    const [page, other] = await sendMany(2)
    const { id, files } = await createRevelation(server, author, {
      ...{ file_urls: [film.url, page?.url], teaser_start: 0, teaser_end: 1 },
    })
    await server.ctx.pool.query(
      `insert into media_objects (media_id, variant, storage_key, mime_type, size_bytes, created_at)
       values ($1, 'teaser', 'media/aa/extrait', 'video/mp4', 1, now())`,
      [filmId],
    )
    expect((await seenBy(id)).teaser_url).toContain(filmId)
    const { body } = await put(id, { file_urls: [files[1].url, files[0].url, other?.url] })
    expect(body.revelation).toMatchObject({ teaser_end: null, teaser_url: null })
    const { rows } = await server.ctx.pool.query(
      `select variant as left from media_objects where media_id = $1 and variant like '%teaser'
       union all select type from media_steps where media_id = $1 and type = 'teaser'`,
      [filmId],
    )
    expect(rows).toEqual([])
  })
})

describe('files that are refused', () => {
  const INVALID = 'Fichier invalide'
  const cases: [
    string,
    (sent: Sent[]) => Promise<RevelationOverrides> | RevelationOverrides,
    Record<string, string>,
  ][] = [
    [
      'thirty-one',
      ([first]) => ({ file_urls: Array.from({ length: 31 }, () => first?.url) }),
      { file_urls: 'Une lettre porte 30 fichiers au plus' },
    ],
    [
      'the same one twice, by another ticket',
      ([first, second]) => ({
        file_urls: [...urlsOf([first as Sent, second as Sent]), `${first?.url}&x=1`],
      }),
      { 'file_urls.2': 'Ce fichier est déjà dans la lettre' },
    ],
    [
      'that of somebody else',
      async ([first]) => {
        const stranger = await signedIn(server)
        return { file_urls: [first?.url, (await send(stranger)).url] }
      },
      { 'file_urls.1': INVALID },
    ],
    [
      'one that is still on its way',
      async ([first]) => {
        const location = await beginUpload(server, author, 5_000)
        await sendPart(server, author, location, { offset: 0, bytes: Buffer.alloc(900) })
        return { file_urls: [location, first?.url] }
      },
      { 'file_urls.0': INVALID },
    ],
    [
      'one that another letter has',
      async ([first]) => {
        const { file_url } = await createRevelation(server, author, {
          file_url: (await send()).url,
        })
        return { file_urls: [first?.url, file_url] }
      },
      { 'file_urls.1': INVALID },
    ],
    [
      'an address that names nothing, alone',
      () => ({ file_url: 'images/nulle-part.png' }),
      { file_url: INVALID },
    ],
    [
      'the voice of the seal among them',
      ([first]) => ({ file_urls: [first?.url], seal_voice: first?.url }),
      { seal_voice: INVALID },
    ],
    [
      'a first one with another address',
      ([first, second]) => ({
        file_urls: urlsOf([first as Sent, second as Sent]),
        file_url: second?.url,
      }),
      { file_url: 'Le premier des fichiers a une autre adresse' },
    ],
    [
      'a caption too few',
      ([first, second]) => ({
        file_urls: urlsOf([first as Sent, second as Sent]),
        captions: ['Une'],
      }),
      { captions: 'Il faut une légende, même vide, pour chaque fichier' },
    ],
    [
      'a caption that is too long',
      ([first, second]) => ({
        file_urls: urlsOf([first as Sent, second as Sent]),
        captions: [null, 'é'.repeat(201)],
      }),
      { 'captions.1': 'Une légende ne peut pas dépasser 200 caractères' },
    ],
    [
      'a caption without a file',
      () => ({ captions: ['Seule'] }),
      { captions: 'Il faut une légende, même vide, pour chaque fichier' },
    ],
  ]
  it.each(cases)('%s: by name, and nothing is claimed', async (_, bodyOf, fields) => {
    const sent = await sendMany(2)
    const answer = await post(await bodyOf(sent))
    expect(answer).toMatchObject({ status: 400, body: { fields } })
    for (const file of sent) expect(await fileState(file)).toBe('unused')
  })

  it('are refused in an edit alike, which changes nothing', async () => {
    const { id, files } = await sealThree()
    const [added] = await sendMany(1)
    const gone = `/api/secure-file/documents/${crypto.randomUUID()}.pdf`
    const body = { file_urls: [added?.url, files[0]?.url, gone] }
    expect(await put(id, body)).toMatchObject({
      status: 400,
      body: { fields: { 'file_urls.2': INVALID } },
    })
    expect(await fileState(added as Sent)).toBe('unused')
    expect(await seenBy(id, author)).toMatchObject({ version: 1, files: { length: 3 } })
  })
})

describe('letters that claim the same files at once', () => {
  it('are refused but for one, whatever the order they name them in', async () => {
    for (let round = 0; round < 3; round += 1) {
      const file_urls = urlsOf(await sendMany(4))
      const orders = [
        file_urls,
        file_urls.toReversed(),
        [...file_urls.slice(2), ...file_urls.slice(0, 2)],
      ]
      const letters = await Promise.all(orders.map(() => createRevelation(server, author)))
      const answers = await Promise.all([
        ...letters.map(({ id }, at) => put(id, { file_urls: orders[at] })),
        post({ file_urls: file_urls.toReversed() }),
      ])
      const statuses = answers.map(({ status }) => (status === 201 ? 200 : status))
      expect(statuses.toSorted()).toEqual([200, 400, 400, 400])
    }
  })
})

it('is made once for one key, whichever tickets its addresses carry', async () => {
  const sent = await sendMany(2)
  const headers = { [IDEMPOTENCY_HEADER]: `album-${sent[0]?.id}` }
  const seal = (file_urls: string[]) =>
    server.call('POST', '/api/revelations', {
      as: author,
      headers,
      body: revelationBody(server, { file_urls, captions: ['a', 'b'] }),
    })
  const made = await seal(urlsOf(sent))
  const again = await seal(sent.map(({ url }) => url.replace(/token=.*/, 'token=autre')))
  expect([again.status, again.body.revelation.id]).toEqual([201, made.body.revelation.id])
  expect((await seal(urlsOf(sent).toReversed())).status).toBe(422)
})

it('is proved with each file under its caption, and every other album of them is refused', async () => {
  const { id, sent } = await sealThree()
  server.clock.advance(60_000)
  await runJobs()
  const { body: proof } = await server.call('GET', `/api/revelations/${id}/proof`, { as: author })
  const files = sent.map(({ bytes }) => createHash('sha256').update(bytes).digest())
  const verdict = await verifyLive(server, proof, { files })
  expect(verdict).toMatchObject({
    state: 'proved',
    facts: { files: [{ label: 'Le jardin' }, { label: '' }, { label: 'La maison' }] },
  })
  expect((await verifyLive(server, proof, { files: files.slice(1) })).state).toBe('partly')
  const field = proof.leaves[0].fields.find(({ name }: { name: string }) => name === 'files')
  const [one, two, three] = field.value
  for (const value of [
    [two, one, three],
    [{ ...one, label: three.label }, two, { ...three, label: one.label }],
    [one, { ...two, label: 'Ajoutée' }, three],
    [one, two],
    [one, two, three, one],
  ]) {
    field.value = value
    expect((await verifyLive(server, proof, { files })).state).toBe('failed')
  }
})

it('reads a letter as it was sealed when it named one file, and seals its next version', async () => {
  const [file] = await sendMany(1)
  const { id } = await createRevelation(server, author, { file_url: file?.url })
  const { pool, keyring } = server.ctx
  const { rows } = await pool.query('select * from revelations where id = $1', [id])
  const key = keyring.openDataKey(`revelation:${id}`, rows[0].wrapped_key)
  const { files, ...opening } = JSON.parse(openText(key, 'opening', rows[0].sealed_opening))
  const former = JSON.stringify({ ...opening, fileSha256: files[0].sha256 })
  await pool.query('update revelations set sealed_opening = $2 where id = $1', [
    id,
    sealText(key, 'opening', former),
  ])
  server.clock.advance(60_000)
  await runJobs()
  const proved = async () => {
    const { body } = await server.call('GET', `/api/revelations/${id}/proof`, { as: author })
    const { state, facts } = await verifyLive(server, body)
    return [state, facts?.files?.length]
  }
  expect(await proved()).toEqual(['partly', 1])
  expect((await put(id, { captions: ['Le même'] })).body.revelation).toMatchObject({ version: 2 })
  server.clock.advance(60_000)
  await runJobs()
  expect(await proved()).toEqual(['partly', 1])
})
