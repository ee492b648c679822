import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import { A_DAY_MS, createRevelation, relate, verifiedPerson } from './factories.ts'
import { colourVideo, picture } from './media-files.ts'
import { aBrowser } from './push-service.ts'
import { beginUpload, sendPart } from './resumable-uploads.ts'
import { PASSWORD, type Person, signedIn, type TestApp } from './test-server.ts'
import { uploadFile } from './uploads.ts'
import { createVoiceMessage, uploadVoice } from './voice-messages.ts'

export interface Installation {
  author: Person
  friend: Person
  /** Sealed until tomorrow, with a film. */
  sealedId: string
}

/** Fills every table with a row: through the front door, and by SQL where that would last days. */
export async function fillInstallation(server: TestApp): Promise<Installation> {
  const author = await verifiedPerson(server)
  const friend = await verifiedPerson(server)
  await relate(server, author, friend, 'family')
  const revealed = await createRevelation(server, author, {
    title: 'Une lettre\tet\\ses « signes »\n',
    kind: 'prediction',
  })
  // Searched by its keyed pieces, where the public one is searched in its own words.
  await createRevelation(server, author, { visibility: 'friends' })
  await discuss(server, revealed.id, author, friend)
  server.clock.advance(2 * A_DAY_MS)
  await createVoiceMessage(server, author, { description: 'Une voix de loin' })
  const bytes = await colourVideo({ seconds: 3 })
  const film = await uploadFile(server, author, { bytes, name: 'film.mp4', folder: 'videos' })
  const photo = { bytes: await picture('jpeg'), name: 'jardin.jpg', folder: 'images' } as const
  const sealed = await createRevelation(server, author, {
    file_urls: [film.url, (await uploadFile(server, author, photo)).url],
    captions: ['Le film', 'Le jardin'],
    visibility: 'friends',
  })
  const portrait = await uploadFile(server, friend, {
    bytes: await picture('png'),
    name: 'moi.png',
    folder: 'images',
  })
  await server.call('PUT', '/api/auth/profile', { as: friend, body: { avatar_url: portrait.url } })
  await fillTile(server.ctx.pool, server.clock.now)
  await server.runJobs()
  // Within the minute of a checkpoint, so its leaf has to wait.
  const title = 'Un titre meilleur'
  await server.call('PUT', `/api/revelations/${sealed.id}`, { as: author, body: { title } })
  await addRelations(server, author, friend)
  await server.call('PUT', `/api/revelations/${sealed.id}/reminder`, { as: friend })
  const location = await beginUpload(server, author, 200_000)
  await sendPart(server, author, location, { offset: 0, bytes: randomBytes(100_000) })
  const bought = { plan: 'pro', idempotency_key: randomUUID() }
  await server.call('POST', '/api/subscriptions/upgrade', { as: friend, body: bought })
  const token = { name: 'Sauvegarde', scopes: ['read'], password: PASSWORD }
  await server.call('POST', '/api/auth/tokens', { as: friend, body: token })
  const subscription = aBrowser('https://updates.push.services.mozilla.com').subscription
  await server.call('PUT', '/api/push/subscription', { as: friend, body: subscription })
  const notes = { announcement_note: 'Bientôt.', opening_note: 'Le jour est venu.' }
  await server.call('PUT', `/api/revelations/${sealed.id}`, { as: author, body: notes })
  await server.call('POST', `/api/deliveries/${sealed.delivery.id}/link`, { as: author })
  await insertRareRows(server, { author, friend, revelationId: revealed.id })
  return { author, friend, sealedId: sealed.id }
}

async function discuss(server: TestApp, id: string, author: Person, friend: Person) {
  server.clock.advance(A_DAY_MS + 1_000)
  await server.runJobs()
  const talk = { revelation_id: id, content: 'Enfin, la voilà ouverte.', emoji: '❤️' }
  await server.call('POST', '/api/comments', { as: friend, body: talk })
  await server.call('POST', '/api/reactions', { as: friend, body: talk })
  const vote = { outcome: 'fulfilled' }
  await server.call('PUT', `/api/revelations/${id}/vote`, { as: friend, body: vote })
  await server.call('POST', `/api/revelations/${id}/open`, { as: friend })
  await reply(server, id, { author, friend })
  const report = { target: 'revelation', target_id: id, reason: 'privacy', message: 'Ici' }
  await server.call('POST', '/api/reports', { as: friend, body: report })
  await server.call('POST', '/api/calendar-feed', { as: author })
  await server.call('GET', '/api/calendar-events', { as: author })
}

/** Whoever the letter was for replies with a voice, by account and by the link, is answered, blocked, and joins the letter. */
async function reply(
  server: TestApp,
  id: string,
  { author, friend }: Pick<People, 'author' | 'friend'>,
) {
  const { rows } = await server.ctx.pool.query(
    'select id from deliveries where revelation_id = $1',
    [id],
  )
  const headers = { [DELIVERY_KEY_HEADER]: personalKeyFor(server.ctx, rows[0].id) }
  const url = `/api/revelations/${id}/replies`
  const file_url = await uploadVoice(server, friend)
  const { body } = await server.call('POST', url, {
    as: friend,
    headers,
    body: { content: 'Merci !', file_url },
  })
  const answer = { content: 'Avec joie' }
  await server.call('POST', `${url}/${body.reply.id}/answer`, { as: author, body: answer })
  await server.call('POST', url, { headers, body: { emoji: '❤️' } })
  await server.call('POST', `${url}/${body.reply.id}/block`, { as: author })
  await server.call('POST', `/api/revelations/${id}/save`, { as: friend, headers })
}

/** Inserts so many seals of withdrawn revelations that the log has a complete tile. */
async function fillTile(pool: pg.Pool, sealedAt: Date): Promise<void> {
  await pool.query(
    `insert into seals (revelation_id, version, kind, commitment, sealed_at, identity, former)
     select gen_random_uuid(), 1, 'delete', sha256(n::text::bytea), $1, sha256('a'), ''
     from generate_series(1, 256) as n`,
    [sealedAt],
  )
}

async function addRelations(server: TestApp, author: Person, friend: Person): Promise<void> {
  const [receiver, blocked] = [await signedIn(server), await signedIn(server)]
  const request = { receiver_id: receiver.id, type: 'friend', message: 'Vous souvenez-vous ?' }
  await server.call('POST', '/api/relationships/request', { as: author, body: request })
  await server.call('PUT', `/api/relationships/blocks/${blocked.id}`, { as: author })
  const password = { email: friend.email, password: 'un mot qui est faux' }
  await server.call('POST', '/api/auth/login', { body: password })
  // The job that sends its mail stays in the queue.
  await server.call('POST', '/api/auth/forgot-password', { body: { email: friend.email } })
}

interface People {
  author: Person
  friend: Person
  revelationId: string
}

/** Rows that are rare, or exist for a moment only. */
async function insertRareRows(
  { ctx }: TestApp,
  { author, friend, revelationId }: People,
): Promise<void> {
  const { pool } = ctx
  const hash = () => randomBytes(32)
  const rows: [string, unknown[]][] = [
    [
      `follow_ups (delivery_id, number, at)
       select id, 1, now() from deliveries where revelation_id = $1`,
      [revelationId],
    ],
    [
      `audit_log (operator, action, target, target_id, reason, at)
       values ('claire', 'hide', 'revelation', $1, 'Une adresse', now())`,
      [revelationId],
    ],
    ['addressee_uses (user_id, address_hash, used_at) values ($1, $2, now())', [author.id, hash()]],
    ['daily_digests (user_id, counted_from) values ($1, now())', [author.id]],
    ['notification_preferences (user_id, new_comments) values ($1, false)', [friend.id]],
    [
      `idempotency_keys (user_id, key_hash, input_hash, resource_id, created_at)
       values ($1, $2, $2, $3, now())`,
      [author.id, hash(), revelationId],
    ],
    ['log_format (v2_from) values ($1)', [0]],
    ["public_count_changes values ($1, now(), 1, 'letter')", ['general']],
    [
      `notifications (user_id, kind, subject_id, revelation_id, started_at, created_at, is_listed, is_push_due)
       values ($1, 'revealed', $2, $2, now(), now(), true, false)`,
      [friend.id, revelationId],
    ],
    [`notification_switches values ($1, 'comment', null, true)`, [author.id]],
    [
      `pushes (subscription_id, revelation_id, created_at, sent_at)
       select id, $1, now(), now() from push_subscriptions`,
      [revelationId],
    ],
    ['revelation_views values ($1, $2, now())', [revelationId, friend.id]],
    ['view_days values ($1, now(), 1)', [revelationId]],
    ['revoked_keys values ($1, $2, now())', [hash(), revelationId]],
    ['schedule_runs values ($1, now())', ['sweep']],
    [
      `sound_favorites (sound_id, user_id, created_at) select id, $1, now() from sounds`,
      [friend.id],
    ],
    ['subscriptions (user_id, plan) values ($1, $2)', [author.id, 'pro']],
    [`suppressed_addresses values ($1, 'bounced', now())`, [hash()]],
  ]
  for (const [row, values] of rows) {
    await pool.query(`insert into ${row} on conflict do nothing`, values)
  }
  await addActiveJob(pool)
}

/** A job that is being worked on at the moment of the backup. */
async function addActiveJob(pool: pg.Pool): Promise<void> {
  await pool.query(`update pgboss.job set state = 'active', started_on = now()
    where id = (select id from pgboss.job where state = 'created' order by id limit 1)`)
}

/** One hash per table, over all its rows in one order. */
export async function dumpOf(
  client: Pick<pg.ClientBase, 'query'>,
  tables: readonly { schema: string; name: string; columns: readonly string[] }[],
): Promise<Record<string, string>> {
  const dump: Record<string, string> = {}
  for (const { schema, name, columns } of tables) {
    const condition = name === 'job' ? `where state < 'completed'` : ''
    const { rows } = await client.query<{ line: string }>(
      `select chosen::text as line
       from (select ${columns.map((column) => `"${column}"`).join(', ')} from ${schema}.${name} ${condition}) as chosen
       order by 1`,
    )
    const lines = rows.map(({ line }) => line).join('\n')
    const digest = createHash('sha256').update(lines).digest('hex')
    dump[`${schema}.${name}`] = `${rows.length} rows, ${digest}`
  }
  return dump
}
