import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOutbox } from '#server/platform/mail/mail-transports.ts'
import {
  databaseFiles,
  filesIn,
  formsOfText,
  type Haystack,
  search,
  tablesOf,
} from '#testing/canary.ts'
import { openPage } from '#testing/event-page.ts'
import { A_DAY_MS, createRevelation, revelationBody, verifiedPerson } from '#testing/factories.ts'
import { colourVideo, pdf, picture } from '#testing/media-files.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { createVoiceMessage, VOICE_MESSAGES_URL } from '#testing/voice-messages.ts'

/** What nobody else ever wrote. */
const OF_PERSON = {
  pseudo: 'Zibelinquartz',
  address: 'xylophage.ondine@exemple.test',
  newAddress: 'mistouflette@exemple.test',
  title: 'Brimborion ineffable',
  letter: 'Calembredaine nocturne',
  fileName: 'tarabiscoté',
  comment: 'Quelle galéjade mirifique',
  bio: 'Collectionneuse de rocamboles',
  message: 'Acceptez ce turlupin',
  place: 'Fouillouse-les-Bains',
  report: 'Un malotru patibulaire',
  voice: 'Un borborygme mélodieux',
  waiting: 'Patientez, flibustiers',
}

let server: TestApp
let outbox: string
const startedAt = new Date(Date.now() - 1000)

beforeAll(async () => {
  outbox = await mkdtemp(path.join(tmpdir(), 'revelations-outbox-'))
  server = await startTestServer({
    mail: openOutbox(outbox, 'bonjour@revelations.test'),
    rateLimits: true,
  })
})
afterAll(async () => {
  await server.close()
  await rm(outbox, { recursive: true })
})

async function send(as: Person, method: string, url: string, body?: object) {
  const answer = await server.call(method, url, { as, ...(body ? { body } : {}) })
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`)
  return answer.body
}

function deleteAccount(as: Person, password = PASSWORD) {
  return server.call('DELETE', '/api/auth/account', { as, body: { password } })
}

async function haystacks(): Promise<Haystack[]> {
  return [
    ...(await filesIn(server.ctx.config.dataDir)),
    ...(await filesIn(outbox)),
    ...(await tablesOf(server.ctx.db)),
  ]
}

async function countsOf(id: string) {
  const { rows } = await server.ctx.pool.query(
    `select reactions_count, comments_count,
      (select count(*)::integer from reactions where revelation_id = $1) as reactions,
      (select count(*)::integer from comments where revelation_id = $1 and hidden_at is null) as comments
    from revelations where id = $1`,
    [id],
  )
  return rows[0]
}

async function storedIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Somebody who has done everything that can be done here, with a friend who did as much with them. */
async function liveALife() {
  const friend = await verifiedPerson(server)
  const other = await signedIn(server)
  const person = await signedIn(server, { pseudo: OF_PERSON.pseudo, email: OF_PERSON.address })
  await send(person, 'POST', '/api/subscriptions/upgrade', { plan: 'unlimited' })
  const avatar = await uploadFile(server, person, { bytes: await picture('png') })
  await send(person, 'PUT', '/api/auth/profile', {
    avatar_url: avatar.url,
    bio: OF_PERSON.bio,
    location: OF_PERSON.place,
  })
  await send(person, 'PUT', '/api/subscriptions/preferences', { email_notifications: false })
  const { message } = OF_PERSON
  const request = { receiver_id: friend.id, type: 'friend', message }
  const answer = await send(person, 'POST', '/api/relationships/request', request)
  await send(friend, 'PUT', `/api/relationships/request/${answer.request.id}`, { action: 'accept' })
  await send(person, 'POST', '/api/relationships/request', { ...request, receiver_id: other.id })
  const blocked = await signedIn(server)
  await send(person, 'PUT', `/api/relationships/blocks/${blocked.id}`)

  const video = await uploadFile(server, person, {
    bytes: await colourVideo({ seconds: 2, fps: 10, size: '64x36' }),
    name: `${OF_PERSON.fileName}.mp4`,
    fields: { teaserStart: '0', teaserEnd: '1' },
  })
  const unused = await uploadFile(server, person, {
    bytes: pdf(),
    name: `${OF_PERSON.fileName}.pdf`,
  })
  const own = { title: OF_PERSON.title, content: OF_PERSON.letter }
  const soon = await createRevelation(server, person, {
    ...own,
    file_url: video.url,
    teaser_start: 0,
    teaser_end: 1,
  })
  const far = new Date(server.clock.now.getTime() + 30 * A_DAY_MS).toISOString()
  const sealed = await createRevelation(server, person, { ...own, reveal_date: far })
  const capsule = await createRevelation(server, person, {
    ...own,
    reveal_date: far,
    target_email: person.email,
    visibility: 'private',
  })
  await send(person, 'POST', '/api/email/notify-revelation', { revelationId: sealed.id })
  const voice = { title: OF_PERSON.voice, reveal_message: OF_PERSON.waiting }
  await createVoiceMessage(server, person, { ...voice, recipient_id: friend.id })
  const forAll = await createVoiceMessage(server, person, { ...voice, reveal_date: far })
  await send(person, 'PUT', `${VOICE_MESSAGES_URL}/${forAll.id}/favorite`)
  const forOne = await createVoiceMessage(server, friend, { recipient_id: person.id })
  await send(person, 'PUT', `${VOICE_MESSAGES_URL}/${forOne.id}/favorite`)
  const ofFriend = await createRevelation(server, friend, { title: 'Ce qui reste à un autre' })
  for (const { id } of [soon, ofFriend]) {
    for (const as of [person, friend]) {
      const content = as === person ? OF_PERSON.comment : 'Je reste'
      await send(as, 'POST', '/api/comments', { revelation_id: id, content })
      for (const emoji of ['🎉', '🔥'])
        await send(as, 'POST', '/api/reactions', { revelation_id: id, emoji })
    }
    await send(person, 'POST', `/api/revelations/${id}/view`)
  }
  await send(person, 'POST', '/api/comments', {
    revelation_id: ofFriend.id,
    content: `${OF_PERSON.comment}, bis`,
  })
  const { now } = server.clock
  await server.ctx.db
    .insertInto('reminders')
    .values(
      [
        { revelationId: ofFriend.id, userId: person.id },
        { revelationId: soon.id, userId: friend.id },
      ].map((reminder) => ({ ...reminder, stage: 'instant', dueAt: now, createdAt: now })),
    )
    .execute()
  await server.ctx.db
    .insertInto('reports')
    .values({
      target: 'revelation',
      targetId: ofFriend.id,
      reason: 'other',
      message: OF_PERSON.report,
      reporterId: person.id,
      createdAt: now,
    })
    .execute()

  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  await server.call('POST', '/api/auth/login', { body: { email: person.email, password: 'faux' } })
  await send(person, 'POST', '/api/auth/change-email', {
    email: OF_PERSON.newAddress,
    password: PASSWORD,
  })
  await server.runJobs()
  await send(person, 'POST', '/api/auth/forgot-password', { email: person.email })
  return { person, friend, own: { soon, sealed, capsule, unused }, ofFriend }
}

describe('DELETE /api/auth/account', () => {
  let life: Awaited<ReturnType<typeof liveALife>>
  beforeAll(async () => {
    life = await liveALife()
  })

  it('is preceded by the list of letters and voices that would never arrive', async () => {
    const { person, own } = life
    expect(await send(person, 'GET', '/api/auth/account/deletion')).toEqual({
      revelations_count: 3,
      pending_count: 1,
      sounds: 2,
      sealed_sounds: 1,
      pending: [
        {
          id: own.sealed.id,
          title: OF_PERSON.title,
          target_email: 'destinataire@exemple.test',
          target_name: null,
          reveal_date: own.sealed.reveal_date,
        },
      ],
    })
  })

  it('requires the password', async () => {
    const { status, body } = await deleteAccount(life.person, 'faux')
    expect([status, body.code]).toEqual([400, 'wrong_password'])
    expect(body.fields).toHaveProperty('password')
    expect((await server.call('DELETE', '/api/auth/account')).status).toBe(401)
  })

  it('leaves nothing but hashes in tables and files', async () => {
    const { person, friend, own, ofFriend } = life
    const needles = Object.values({ ...OF_PERSON, id: person.id }).flatMap(formsOfText)
    const before = search(await haystacks(), needles).join()
    for (const name of Object.values(OF_PERSON).filter(
      (word) => !word.includes(OF_PERSON.letter),
    )) {
      // The names of files and letters are sealed; the rest is there to be found.
      if (name !== OF_PERSON.fileName) expect(before).toContain(name)
    }
    expect(before).toContain('.eml')
    expect(await countsOf(ofFriend.id)).toMatchObject({ reactions_count: 4, comments_count: 3 })
    const page = await openPage(await server.listen(), person)

    expect((await deleteAccount(person)).body).toEqual({ success: true })

    await page.ended
    expect(search(await haystacks(), needles)).toEqual([])
    // What the friend recorded for this person stays with the friend; nothing else is left.
    const stored = await storedIn(path.join(server.ctx.config.dataDir, 'files'))
    const { rows: keys } = await server.ctx.pool.query('select storage_key from media_objects')
    expect(stored).toHaveLength(keys.length)
    const { sounds } = await send(friend, 'GET', VOICE_MESSAGES_URL)
    expect(sounds).toMatchObject([{ recipient_id: null, is_public: false, can_access: true }])
    expect((await server.ctx.pool.query('select from sound_favorites')).rowCount).toBe(0)
    await send(friend, 'DELETE', `${VOICE_MESSAGES_URL}/${sounds[0].id}`)
    expect(await countsOf(ofFriend.id)).toEqual({
      reactions_count: 2,
      reactions: 2,
      comments_count: 1,
      comments: 1,
    })
    const { rows } = await server.ctx.pool.query(
      `select count(*)::integer as count from seals where kind = 'delete' and revelation_id = any($1)`,
      [[own.soon.id, own.sealed.id, own.capsule.id]],
    )
    expect(rows).toEqual([{ count: 3 }])
    expect((await server.call('GET', '/api/auth/profile', { as: person })).status).toBe(401)
    expect((await server.call('GET', `/api/auth/user/${person.id}`)).status).toBe(404)
    expect((await server.call('GET', `/api/revelations/${own.soon.id}`)).status).toBe(404)
    expect((await send(friend, 'GET', '/api/relationships')).relationships).toEqual([])
    const login = { email: person.email, password: PASSWORD }
    expect((await server.call('POST', '/api/auth/login', { body: login })).status).toBe(400)
  })

  it('leaves nothing once queued jobs have run, and frees the address', async () => {
    const needles = Object.values({ ...OF_PERSON, id: life.person.id }).flatMap(formsOfText)
    server.clock.advance(40 * A_DAY_MS)
    await server.runJobs()
    await server.ctx.db.deleteFrom('passwordTries').execute()
    expect(search(await haystacks(), needles)).toEqual([])
    const again = { pseudo: 'Une_autre', email: life.person.email }
    expect((await signedIn(server, again)).id).not.toBe(life.person.id)
    await server.ctx.db.deleteFrom('users').where('pseudo', '=', again.pseudo).execute()
  })

  it('leaves nothing in the files of PostgreSQL, once they are rewritten', async () => {
    const plain = Object.values({ ...OF_PERSON, address: 'xylophage.ondine' })
    const needles = plain.map((word) => ({ name: word, bytes: Buffer.from(word) }))
    async function left(): Promise<string[]> {
      await sql`vacuum (full, analyze)`.execute(server.ctx.db)
      const files = await databaseFiles(server.ctx.db, startedAt)
      return search(
        files.filter(({ name }) => name.includes('/base/')),
        needles,
      )
    }
    // PostgreSQL retains rows that a transaction may still see, and its statistics read tables at any time.
    await expect.poll(left).toEqual([])
  })
})

it('deletes an account while its owner and others go on writing, and waits for nobody for ever', async () => {
  const [person, friend, other] = [
    await signedIn(server),
    await signedIn(server),
    await signedIn(server),
  ]
  for (const userId of [person.id, friend.id])
    await server.ctx.db.insertInto('subscriptions').values({ userId, plan: 'unlimited' }).execute()
  const ofFriend = await createRevelation(server, friend)
  const ofPerson = await createRevelation(server, person)
  let isDone = false
  const failed: string[] = []
  let written = 0
  /** One after the other, until the account is gone. */
  async function goOn(write: (n: number) => ReturnType<TestApp['call']>): Promise<void> {
    for (let n = 0; !isDone; n += 1) {
      const { status, text } = await write(n)
      if (status >= 500) failed.push(text)
      if (status < 300) written += 1
    }
  }
  const post = (as: Person, url: string, body: object) => server.call('POST', url, { as, body })
  const writers = [
    ...[person, friend].flatMap((as) =>
      [ofFriend, ofPerson].map(({ id }) =>
        goOn((n) =>
          n % 2
            ? post(as, '/api/reactions', { revelation_id: id, emoji: n % 4 === 1 ? '🎉' : '🔥' })
            : post(as, '/api/comments', { revelation_id: id, content: `Numéro ${n}` }),
        ),
      ),
    ),
    goOn(() => post(person, '/api/revelations', revelationBody(server))),
    goOn(async () => {
      const request = { receiver_id: person.id, type: 'friend' }
      const { body } = await post(other, '/api/relationships/request', request)
      const url = `/api/relationships/request/${body.request?.id ?? person.id}`
      return server.call('PUT', url, { as: person, body: { action: 'accept' } })
    }),
    goOn((n) =>
      server.call(n % 2 ? 'PUT' : 'DELETE', `/api/relationships/blocks/${person.id}`, {
        as: other,
      }),
    ),
  ]
  await expect.poll(() => written).toBeGreaterThan(20)
  const deletion = await deleteAccount(person)
  isDone = true
  await Promise.all(writers)
  expect(deletion.text).toBe('{"success":true}')
  expect(failed).toEqual([])
  const counts = await countsOf(ofFriend.id)
  expect([counts.comments_count, counts.reactions_count]).toEqual([
    counts.comments,
    counts.reactions,
  ])
  const { rows } = await sql`select from users where id = ${person.id}`.execute(server.ctx.db)
  expect(rows).toEqual([])
})

it('erases the files of a deleted account by a job when the program was killed before it could', async () => {
  const person = await signedIn(server)
  const file = await uploadFile(server, person, { bytes: pdf(), name: 'acte.pdf' })
  await createRevelation(server, person, { file_url: file.url })
  const { storage } = server.ctx
  const erase = storage.delete
  storage.delete = async () => {
    throw new Error('Killed')
  }
  expect((await deleteAccount(person)).status).toBe(200)
  storage.delete = erase
  const folder = path.join(server.ctx.config.dataDir, 'files')
  expect(await storedIn(folder)).not.toEqual([])
  await server.runJobs()
  expect(await storedIn(folder)).toEqual([])
})
