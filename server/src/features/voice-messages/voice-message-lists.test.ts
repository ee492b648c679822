import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sound } from '#contract/sounds.ts'
import { inTransaction } from '#server/context.ts'
import { sealText } from '#server/platform/sealing/sealed-text.ts'
import { A_DAY_MS, relate } from '#testing/factories.ts'
import { type Statement, watchStatements } from '#testing/statements.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { createVoiceMessage, listVoiceMessages } from '#testing/voice-messages.ts'
import { sealDescription } from './voice-message-contents.service.ts'
import { countUpcomingVoiceMessages, listVoiceMessageReveals } from './voice-messages.service.ts'

const MANY = 2_000
const OTHERS = 30_000
/** The session, the ties, the page, the sums, descriptions, files, facts, steps. */
const STATEMENTS = 9

let server: TestApp
let viewer: Person
let family: Person
let friend: Person

/** 2,000 the viewer may know of, half of them open, among many they may not. */
beforeAll(async () => {
  server = await startTestServer()
  viewer = await signedIn(server)
  family = await signedIn(server)
  friend = await signedIn(server)
  await relate(server, viewer, family, 'family')
  await relate(server, viewer, friend, 'friend')
  await addSounds(MANY / 2 - 1, family, null)
  await addSounds(MANY / 4, friend, viewer)
  await addSounds(MANY / 4, viewer, null)
  await addSounds(500, friend, null)
  await createVoiceMessage(server, family)
  await addStrangers()
  await server.ctx.pool.query('vacuum analyze')
})
afterAll(() => server.close())

/** As if shared through the front door, every second one for tomorrow; five share one instant. */
async function addSounds(count: number, author: Person, recipient: Person | null): Promise<void> {
  const now = server.clock.now.getTime()
  const rows = Array.from({ length: count }, (_, index) => {
    const id = randomUUID()
    const createdAt = new Date(now - 60_000 - Math.floor(index / 5) * 1_000)
    const scheduledAt = index % 2 === 0 ? new Date(now + A_DAY_MS) : null
    return {
      ...sealDescription(server.ctx, id, `Description ${index}`),
      id,
      authorId: author.id,
      recipientId: recipient?.id ?? null,
      isShared: recipient === null,
      title: `Voix ${index}`,
      category: 'message',
      scheduledAt,
      revealAt: scheduledAt ?? createdAt,
      timeZone: 'UTC',
      mediaId: randomUUID(),
      durationMs: 1_500,
      playsCount: scheduledAt ? 0 : 2,
      toldAt: createdAt,
      createdAt,
    }
  })
  await inTransaction(server.ctx, async ({ db }) => {
    await db
      .insertInto('media')
      .values(
        rows.map(({ mediaId, createdAt }) => {
          const key = server.ctx.keyring.createDataKey(`media:${mediaId}`)
          const facts = {
            name: 'voix.webm',
            mimeType: 'audio/webm',
            sizeBytes: 9,
            durationSeconds: 1.5,
          }
          return {
            id: mediaId,
            ownerId: author.id,
            kind: 'audio',
            state: 'ready',
            mimeType: 'audio/webm',
            extension: 'webm',
            sizeBytes: 9,
            wrappedKey: key.wrapped,
            wrappedTeaserKey: Buffer.alloc(0),
            sealedFacts: sealText(key.dataKey, 'media.sealed_facts', JSON.stringify(facts)),
            attachedAt: createdAt,
            createdAt,
          }
        }),
      )
      .execute()
    await db.insertInto('sounds').values(rows).execute()
  })
}

async function addStrangers(): Promise<void> {
  const { db } = server.ctx
  const now = server.clock.now
  await sql`insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
    select 'p' || n || '@exemple.test', 'p' || n || '@exemple.test', 'Foule_' || n, 'foule_' || n, '', ${now}
    from generate_series(1, 1000) as n`.execute(db)
  await sql`with files as (
      insert into media (id, owner_id, kind, state, mime_type, extension, size_bytes, wrapped_key,
        wrapped_teaser_key, attached_at, created_at)
      select gen_random_uuid(), users.id, 'audio', 'ready', 'audio/webm', 'webm', 1, '', '', ${now}, ${now}
      from users, generate_series(1, ${OTHERS / 1_000}) where password_hash = ''
      returning id, owner_id
    )
    insert into sounds (id, author_id, is_shared, title, category, reveal_at, time_zone, wrapped_key,
      sealed_description, media_id, duration_ms, told_at, created_at)
    select gen_random_uuid(), owner_id, true, 'De la foule', 'music', ${now}, 'UTC', '', '', id, 1, ${now}, ${now}
    from files`.execute(db)
}

async function readAll(as: Person, limit: number) {
  const sounds: Sound[] = []
  let query = `?limit=${limit}`
  for (;;) {
    const page = await listVoiceMessages(server, as, query)
    expect(page.count).toBe(MANY)
    sounds.push(...page.sounds)
    if (page.next_cursor === null) return sounds
    expect(page.sounds).toHaveLength(limit)
    query = `?limit=${limit}&cursor=${page.next_cursor}`
  }
}

it('reads 2,000 voice messages in pages, each once, the newest first', async () => {
  const sounds = await readAll(viewer, 330)
  expect(new Set(sounds.map(({ id }) => id)).size).toBe(MANY)
  const order = sounds.map(({ created_at, id }) => `${created_at} ${id}`)
  expect(order).toEqual([...order].sort().reverse())
  const authors = Map.groupBy(sounds, ({ author_pseudo }) => author_pseudo)
  expect(authors.get(family.pseudo)).toHaveLength(MANY / 2)
  expect(authors.get(friend.pseudo)?.every((one) => one.recipient_id === viewer.id)).toBe(true)
  for (const sound of sounds) {
    const isReadable = sound.is_revealed || sound.author_id === viewer.id
    expect(Object.hasOwn(sound, 'description')).toBe(isReadable)
    expect(Object.hasOwn(sound, 'file_url')).toBe(sound.is_revealed)
  }
})

it('counts all of them, and sums lengths and plays of open ones alone', async () => {
  const { totals } = await listVoiceMessages(server, viewer, '?limit=1')
  const open = MANY / 2 - 1
  expect(totals).toMatchObject({ sounds: MANY, favorites: 0, plays: open * 2 })
  expect(totals.duration).toBeCloseTo(open * 1.5 + 1, 0)
})

it('sends as many statements for one voice message as for 500, and no more than a handful', async () => {
  const watch = watchStatements()
  const counts: number[] = []
  const statements: Statement[] = []
  for (const limit of [1, 500]) {
    await listVoiceMessages(server, viewer, `?limit=${limit}`)
    const sent = watch.drain().filter(({ text }) => !text.includes('pgboss'))
    counts.push(sent.length)
    statements.push(...sent)
  }
  watch.stop()
  console.info(`a page of sounds: ${counts.join(', then ')} statements`)
  expect(Math.max(...counts)).toBeLessThanOrEqual(STATEMENTS)
  const client = await server.ctx.pool.connect()
  try {
    for (const { text, values } of statements) {
      if (!/^\W*(select|with)\b/i.test(text)) continue
      const { rows } = await client.query(`explain ${text}`, values)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).not.toMatch(/Seq Scan on (sounds|media|users)\b/)
    }
  } finally {
    client.release()
  }
})

it('rejects a cursor that is none, and a number that is none', async () => {
  const queries = ['cursor=rien', 'cursor=WyIwMDAwIl0', 'limit=0', 'limit=501', 'limit=1.5']
  for (const query of queries) {
    const { status } = await server.call('GET', `/api/family-sounds?${query}`, { as: viewer })
    expect([query, status]).toEqual([query, 400])
  }
})

it('lists to the circle what opens from one instant until before another, and counts sealed ones', async () => {
  const { ctx, clock } = server
  const opening = new Date(clock.now.getTime() + A_DAY_MS)
  const actor = { userId: viewer.id }
  const waiting = MANY / 2
  expect(await countUpcomingVoiceMessages(ctx, actor)).toBe(waiting)
  const span = { from: opening, to: new Date(opening.getTime() + 1), limit: MANY }
  const reveals = await listVoiceMessageReveals(ctx, actor, span)
  expect(reveals).toHaveLength(waiting)
  expect(reveals[0]).toMatchObject({ revealAt: opening, timeZone: 'UTC' })
  expect(await listVoiceMessageReveals(ctx, actor, { ...span, limit: 7 })).toHaveLength(7)
  const before = { from: clock.now, to: opening, limit: MANY }
  expect(await listVoiceMessageReveals(ctx, actor, before)).toEqual([])
  expect(await countUpcomingVoiceMessages(ctx, { userId: friend.id })).toBe(MANY / 8 + 250)
})
