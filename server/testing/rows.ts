import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Kind } from '#contract/kinds.ts'
import type { Outcome } from '#contract/predictions.ts'
import type { Category, Visibility } from '#contract/revelations.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import { appendSeals } from '#server/features/proofs/seals.service.ts'
import { sealLetter } from '#server/features/revelations/letters.service.ts'
import type { Person, TestApp } from './test-server.ts'

export interface Row {
  id: string
  authorId: string
  title: string
  content: string
  kind: Kind
  category: Category
  visibility: Visibility
  reactionsCount: number
  outcome?: Outcome | null
  revealAt: Date
  createdAt: Date
}

/** Inserts sealed revelations as the server would, many at once. */
export async function insertRows(server: TestApp, rows: readonly Row[]): Promise<void> {
  const { db } = server.ctx
  for (let start = 0; start < rows.length; start += 500) {
    const slice = rows.slice(start, start + 500).map(({ content, ...row }) => ({
      ...row,
      sealed: sealLetter(server.ctx, { ...row, content, files: [] }),
    }))
    await db
      .insertInto('revelations')
      .values(
        slice.map(({ sealed, ...row }) => ({
          ...row,
          ...sealed.row,
          publicSince: row.visibility === 'public' ? row.createdAt : null,
          timeZone: DEFAULT_TIME_ZONE,
          updatedAt: row.createdAt,
          outcomeDeclaredAt: row.outcome ? row.revealAt : null,
        })),
      )
      .execute()
    await appendSeals(
      server.ctx,
      slice.map(({ id, authorId, createdAt, sealed }) => ({
        ...{ revelationId: id, authorId, version: 1, sealedAt: createdAt, fields: sealed.fields },
        ...{ kind: 'create', commitment: sealed.row.commitment },
      })),
    )
    await db
      .insertInto('deliveries')
      .values(
        slice.map(({ id, revealAt }) => ({
          revelationId: id,
          position: 0,
          address: 'destinataire@exemple.test',
          addressKey: 'destinataire@exemple.test',
          dueAt: revealAt,
          state: 'sent',
          keyHash: createHash('sha256').update(id).digest(),
        })),
      )
      .execute()
  }
}

/** An ordinary row, but for `overrides`. */
export function rowOf(server: TestApp, overrides: Partial<Row> & { authorId: string }): Row {
  const now = server.clock.now
  return {
    id: randomUUID(),
    title: 'Une lettre parmi d’autres',
    content: 'Rien que de très ordinaire.',
    kind: 'letter',
    category: 'general',
    visibility: 'public',
    reactionsCount: 0,
    revealAt: now,
    createdAt: now,
    ...overrides,
  }
}

/** Fills every growing table with rows that resemble real ones to a planner. Their letters do not decrypt. */
export async function insertManyRows(server: TestApp, people: readonly Person[]): Promise<void> {
  const { db } = server.ctx
  const now = server.clock.now
  const ids = people.map(({ id }) => id)
  const statements = [
    sql`insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
      select 'p' || n || '@exemple.test', 'p' || n || '@exemple.test', 'Foule_' || n, 'foule_' || n, '', ${now}
      from generate_series(1, 4000) as n`,
    sql`insert into subscriptions (user_id, plan) select id, 'pro' from users on conflict do nothing`,
    sql`insert into sessions (user_id, token_hash, device, created_at, last_seen_at, expires_at)
      select id, sha256(id::text::bytea), '', ${now}, ${now}, ${now}::timestamptz + '1 day' from users`,
    sql`insert into relationships (low_user_id, high_user_id, type, created_at)
      select least(id, next), greatest(id, next), 'friend', ${now}
      from (select id, lead(id) over (order by id) as next from users) as pairs where next is not null
      on conflict do nothing`,
    sql`insert into relationships (low_user_id, high_user_id, type, created_at)
      select least(id, mine), greatest(id, mine), case when n % 2 = 0 then 'friend' else 'family' end, ${now}
      from (select id, row_number() over () as n from users limit 60) as few, unnest(${ids}::uuid[]) as mine
      where id <> mine on conflict do nothing`,
    sql`insert into blocks (blocker_id, blocked_id, created_at)
      select id, next, ${now} from (select id, lead(id, 7) over (order by id) as next from users) as pairs
      where next is not null`,
    sql`insert into relationship_requests (sender_id, receiver_id, type, created_at)
      select id, next, 'friend', ${now}
      from (select id, lead(id, 3) over (order by id) as next from users) as pairs where next is not null
      on conflict do nothing`,
    sql`insert into media (id, owner_id, kind, state, mime_type, extension, size_bytes, wrapped_key,
        wrapped_teaser_key, is_copy_planned, attached_at, created_at)
      select gen_random_uuid(), id, 'image', 'ready', 'image/png', 'png', 1, '', '', true, ${now}, ${now} from users`,
    sql`insert into media_objects (media_id, variant, storage_key, mime_type, size_bytes, created_at)
      select id, 'thumbnail_teaser', id::text, 'image/png', 1, ${now} from media`,
    sql`insert into media_steps (media_id, type, state, created_at, asked_at)
      select id, 'image', 'completed', ${now}, ${now} from media`,
    sql`with authors as (select array_agg(id) as ids from users),
        files as (select array_agg(id) as ids from media)
      insert into revelations (id, author_id, title, kind, category, visibility, reveal_at, time_zone, wrapped_key, sealed_content, media_id, file_type, commitment, sealed_opening,
        reactions_count, searchable, outcome, outcome_declared_at, created_at, updated_at)
      select gen_random_uuid(), authors.ids[1 + n % 4000], 'Titre commun ' || n,
        case when n % 5 = 0 then 'prediction' else (array['announcement', 'announcement', 'letter', 'prediction', 'capsule'])[1 + n / 5 % 5] end,
        (array['general', 'love', 'family', 'work', 'travel'])[1 + n % 5],
        (array['public', 'public', 'public', 'friends', 'family', 'private'])[1 + n % 6],
        ${now}::timestamptz + (n * 7919 % 20000 - 10000) * interval '1 minute', 'UTC', '', '',
        case when n % 7 = 0 and n / 7 <= 3000 and n * 7919 % 20000 > 10000
          and authors.ids[1 + n % 4000] in (select id from users where password_hash = '') then files.ids[n / 7] end,
        case when n % 7 = 0 then 'image' end, sha256(n::text::bytea), '', n % 13,
        n * 7919 % 20000 - 10000 <= 0,
        case when n % 5 = 0 then (array['fulfilled', 'partly', 'failed', 'undecidable'])[1 + n / 5 % 4] end,
        case when n % 5 = 0 then ${now}::timestamptz end, ${now}::timestamptz - n * interval '1 minute', ${now}
      from generate_series(1, 30000) as n, authors, files`,
    sql`with holders as (
        select id, media_id, row_number() over (order by id) as n from revelations where media_id is not null
      ), spare as (
        select id, row_number() over (order by id) as n from media
        where id not in (select media_id from holders)
      ), files as (
        insert into revelation_files (revelation_id, position, media_id)
        select id, 0, media_id from holders where n in (select n from spare)
        union all select holders.id, 1, spare.id from holders join spare using (n)
        returning revelation_id
      )
      update revelations set is_album = true where id in (select revelation_id from files)`,
    sql`insert into deliveries (revelation_id, position, address, address_key, due_at, state, key_hash)
      select id, 0, 'a@exemple.test', title_form || '@exemple.test', reveal_at, 'sent', sha256(id::text::bytea)
      from revelations`,
    sql`insert into letter_notes (revelation_id, kind, wrapped_key, sealed_words)
      select id, note, '', '' from revelations, unnest(array['announcement', 'opening']) as note`,
    sql`insert into delivery_events (delivery_id, step, at)
      select id, step, due_at from deliveries, unnest(array['planned', 'sent']) as step`,
    sql`insert into replies (id, revelation_id, delivery_id, address, address_key, is_named, wrapped_key, sealed_content,
        created_at)
      select gen_random_uuid(), revelation_id, id, 'a@exemple.test', 'a@exemple.test', false, '', '', due_at from deliveries`,
    sql`insert into reply_uses (revelation_id, address_key, used_at)
      select revelation_id, address_key, created_at from replies`,
    sql`insert into reply_blocks (author_id, address, address_key, created_at)
      select id, 'a@exemple.test', 'a@exemple.test', ${now} from users`,
    sql`insert into letter_grams (revelation_id, grams)
      select id, array[1, 2, 3, (random() * 10000)::integer] from revelations
      where searchable and visibility <> 'public'`,
    sql`insert into public_letters (revelation_id, form)
      select id, title_form || ' mots d’une lettre commune' from revelations
      where searchable and visibility = 'public'`,
    sql`insert into comments (id, revelation_id, author_id, content, created_at)
      select gen_random_uuid(), id, author_id, 'Un commentaire', created_at from revelations`,
    sql`insert into comments (id, revelation_id, author_id, content, created_at)
      select gen_random_uuid(), target.id, users.id, 'Un commentaire', ${now} from users,
        (select id from revelations where visibility = 'public' order by created_at desc limit 1) as target`,
    sql`insert into reactions (revelation_id, author_id, emoji, created_at)
      select id, author_id, '❤️', created_at from revelations`,
    sql`insert into reactions (revelation_id, author_id, emoji, created_at)
      select target.id, users.id, '😮', ${now} from users,
        (select id from revelations where visibility = 'public' order by created_at desc limit 1) as target`,
    sql`insert into prediction_votes (revelation_id, voter_id, outcome, voted_at)
      select target.id, users.id, 'partly', ${now} from users,
        (select id from revelations where visibility = 'public' order by created_at desc limit 3) as target`,
    sql`insert into openings (revelation_id, user_id, opened_at)
      select id, author_id, created_at from revelations`,
    sql`insert into notification_preferences (user_id) select id from users`,
    sql`insert into handed_links (delivery_id, key_hash, handed_at)
      select id, sha256(id::text::bytea), due_at from deliveries`,
    sql`insert into follow_ups (delivery_id, number, at) select id, 1, due_at from deliveries`,
    sql`insert into saved_letters (revelation_id, delivery_id, user_id, key_version, saved_at)
      select revelation_id, deliveries.id, author_id, 1, revelations.created_at
      from deliveries join revelations on revelations.id = revelation_id`,
    sql`insert into reminders (revelation_id, user_id, stage, due_at, created_at)
      select id, author_id, case when reveal_at <= ${now} then 'sent' else 'instant' end, reveal_at, created_at
      from revelations`,
    sql`insert into notifications (user_id, kind, subject_id, revelation_id, started_at, created_at, is_listed, is_push_due)
      select author_id, 'revealed', id, id, created_at, created_at, true, false from revelations`,
    sql`insert into revelation_views (revelation_id, viewer, day)
      select id, author_id::text, ${now} from revelations`,
    sql`insert into view_days (revelation_id, day, views)
      select id, ${now}::date - n, 1 from revelations, generate_series(0, 3) as n`,
  ]
  for (const statement of statements) await statement.execute(db)
  await server.ctx.pool.query('vacuum analyze')
}
