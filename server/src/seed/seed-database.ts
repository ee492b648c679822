import { createHash, randomUUID } from 'node:crypto'
import type { Kind } from '#contract/kinds.ts'
import type { ProofField } from '#contract/proofs/proof.ts'
import { CATEGORIES, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { createIdentity } from '#server/features/proofs/seals.service.ts'
import { sealLetter } from '#server/features/revelations/letters.service.ts'
import { addUpCounts } from '#server/features/revelations/lists.service.ts'
import { searchIndex } from '#server/features/revelations/search-index.service.ts'
import { withoutIndexes } from '#server/platform/database/rebuild-indexes.ts'
import { hashPassword } from '#server/platform/passwords/passwords.ts'
import { copyRows } from './copy-rows.ts'
import {
  inventBio,
  inventLetter,
  inventPlace,
  inventPseudo,
  inventRelationships,
  inventRequests,
  inventTalk,
  inventTitle,
  type Talk,
} from './invent.ts'
import { createRandom, type Random } from './random.ts'

/** The password of every seeded account; the domain of their addresses receives no mail. */
export const SEED_PASSWORD = 'revelations-demo'
export const SEED_DOMAIN = 'semis.exemple.test'

const DAY_MS = 86_400_000

interface Person {
  id: string
  pseudo: string
  email: string
  bio: string
  location: string
  createdAt: Date
}

interface Seeded {
  id: string
  title: string
  content: string
  author: Person
  kind: Kind
  category: (typeof CATEGORIES)[number]
  visibility: Visibility
  revealAt: Date
  createdAt: Date
  isRevealed: boolean
  talk: Talk
}

/** Replaces earlier seeded rows; the same numbers give the same people and letters, dated from `now`. */
export async function seedDatabase(
  ctx: AppContext,
  size: { users: number; revelations: number },
): Promise<void> {
  const random = createRandom(`${size.users}/${size.revelations}`)
  const people = Array.from({ length: size.users }, (_, n) => inventPerson(ctx, random, n))
  const passwordHash = await hashPassword(SEED_PASSWORD, { isKnown: true, shares: [] })
  const client = await ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    const former = `users where email_key like '%@${SEED_DOMAIN}'`
    // Their letters before their files, which those name.
    await client.query(`delete from revelations where author_id in (select id from ${former})`)
    await client.query(`delete from ${former}`)
    await copyRows(
      client,
      'users',
      [
        'id',
        'email',
        'email_key',
        'pseudo',
        'pseudo_key',
        'password_hash',
        'bio',
        'location',
        'email_verified_at',
        'onboarded_at',
        'created_at',
      ],
      people.map(({ id, email, pseudo, bio, location, createdAt }) => [
        id,
        email,
        email,
        pseudo,
        pseudo.toLowerCase(),
        passwordHash,
        bio,
        location,
        createdAt,
        createdAt,
        createdAt,
      ]),
    )
    await copyRows(
      client,
      'subscriptions',
      ['user_id', 'plan'],
      people.map(({ id }) => [id, 'pro']),
    )
    await copyRows(
      client,
      'relationships',
      ['low_user_id', 'high_user_id', 'type', 'created_at'],
      inventRelationships(random, people),
    )
    await copyRows(
      client,
      'relationship_requests',
      ['sender_id', 'receiver_id', 'type', 'message', 'created_at'],
      inventRequests(random, people, ctx.now()),
    )
    const index = searchIndex(ctx)
    // Slices: a million letters never stand in memory at once.
    await withoutIndexes(client, ['revelations', 'letter_grams', 'public_letters'], async () => {
      for (let start = 0; start < size.revelations; start += 10_000) {
        const count = Math.min(10_000, size.revelations - start)
        const slice = Array.from({ length: count }, (_, n) =>
          inventRevelation(ctx, random, people, { index: start + n, total: size.revelations }),
        )
        await copyRevelations(ctx, client, random, index, slice)
      }
    })
    await client.query('commit')
    await addUpCounts(ctx)
    await client.query('set statement_timeout = 0')
    await client.query('vacuum analyze')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release(true)
  }
}

function inventPerson(ctx: AppContext, random: Random, index: number): Person {
  const pseudo = inventPseudo(index)
  const createdAt = new Date(ctx.now().getTime() - (30 + random.below(300)) * DAY_MS)
  return {
    id: random.uuid(),
    pseudo,
    email: `compte${index}@${SEED_DOMAIN}`,
    bio: random.below(2) ? inventBio(random) : '',
    location: random.below(2) ? inventPlace(random) : '',
    createdAt,
  }
}

function inventRevelation(
  ctx: AppContext,
  random: Random,
  people: readonly Person[],
  { index, total }: { index: number; total: number },
): Seeded {
  const now = ctx.now().getTime()
  const category = random.pick(CATEGORIES)
  // As their seals stand in the log, one after the other.
  const at = (index + random.below(1_000) / 1_000) / total
  const createdAt = new Date(Math.floor(now - 30 * DAY_MS * (1 - at)))
  const isRevealed = random.next() < 0.5
  const revealAt = isRevealed
    ? new Date(createdAt.getTime() + random.below(now - createdAt.getTime()))
    : new Date(now + 3_600_000 + random.below(365 * DAY_MS))
  const visibility = random.next() < 0.8 ? 'public' : random.pick(VISIBILITIES)
  const item = {
    id: random.uuid(),
    title: inventTitle(random, category, index),
    content: inventLetter(random),
    author: random.pick(people),
    // By their place: other draws would make other letters.
    kind: inventKind(visibility, index),
    category,
    visibility,
    revealAt,
    createdAt,
    isRevealed,
  }
  return { ...item, talk: inventTalk(random, people, item, total, ctx.now()) }
}

/** Of what is public two in three are predictions, of the rest one in four is for its author alone. */
function inventKind(visibility: Visibility, index: number): Kind {
  if (visibility === 'public') return index % 3 === 0 ? 'announcement' : 'prediction'
  return index % 4 === 0 ? 'capsule' : 'letter'
}

/** What is told of each seal, whose position PostgreSQL gave. */
async function copyFields(
  client: Parameters<typeof copyRows>[0],
  sealed: readonly { id: string; fields: readonly ProofField[] }[],
): Promise<void> {
  await client.query('create temporary table told (id uuid, fields jsonb) on commit drop')
  await copyRows(
    client,
    'told',
    ['id', 'fields'],
    sealed.map(({ id, fields }) => [id, JSON.stringify(fields)]),
  )
  await client.query(
    `insert into seal_fields (seal_position, revelation_id, fields)
     select (select max(position) from seals where revelation_id = id), id, fields from told`,
  )
  await client.query('drop table told')
}

function isInRecord({ kind, visibility, revealAt, createdAt }: Seeded): boolean {
  return kind === 'prediction' && visibility === 'public' && revealAt > createdAt
}

async function copyRevelations(
  ctx: AppContext,
  client: Parameters<typeof copyRows>[0],
  random: Random,
  index: ReturnType<typeof searchIndex>,
  slice: readonly Seeded[],
): Promise<void> {
  const sealed = slice.map((item) => {
    const authorId = item.author.id
    const { row, fields } = sealLetter(ctx, { ...item, authorId, files: [] })
    const isPublic = item.visibility === 'public'
    return {
      ...{ ...item, ...row, ...createIdentity({ id: item.id, authorId }), fields },
      publicSince: isPublic ? item.createdAt : null,
      recordState: isInRecord(item) ? 'counted' : 'none',
    }
  })
  await copyRows(
    client,
    'revelations',
    [
      'id',
      'author_id',
      'title',
      'kind',
      'category',
      'visibility',
      'public_since',
      'record_state',
      'identity_blinding',
      'reveal_at',
      'time_zone',
      'wrapped_key',
      'sealed_content',
      'sealed_opening',
      'commitment',
      'reactions_count',
      'comments_count',
      'views_count',
      'searchable',
      'created_at',
      'updated_at',
    ],
    sealed.map((item) => [
      item.id,
      item.author.id,
      item.title,
      item.kind,
      item.category,
      item.visibility,
      item.publicSince,
      item.recordState,
      item.blinding,
      item.revealAt,
      DEFAULT_TIME_ZONE,
      item.wrappedKey,
      item.sealedContent,
      item.sealedOpening,
      item.commitment,
      item.talk.reactions.length,
      item.talk.comments.length,
      random.below(500),
      item.isRevealed,
      item.createdAt,
      item.createdAt,
    ]),
  )
  await copyRows(
    client,
    'reactions',
    ['revelation_id', 'author_id', 'emoji', 'created_at'],
    slice.flatMap((item) => item.talk.reactions),
  )
  await copyRows(
    client,
    'comments',
    ['id', 'revelation_id', 'author_id', 'content', 'created_at'],
    slice.flatMap((item) => item.talk.comments),
  )
  await copyRows(
    client,
    'seals',
    ['revelation_id', 'version', 'kind', 'commitment', 'sealed_at', 'identity', 'former'],
    sealed.map(({ id, commitment, createdAt, identity }) => [
      ...[id, 1, 'create', commitment, createdAt, identity],
      Buffer.alloc(0),
    ]),
  )
  await copyFields(client, sealed)
  const deliveries = sealed.map((item) => ({ ...item, deliveryId: randomUUID() }))
  await copyRows(
    client,
    'deliveries',
    [
      ...['id', 'revelation_id', 'position', 'address', 'address_key'],
      ...['due_at', 'state', 'key_hash', 'sent_at', 'opened_at'],
    ],
    // Revealed letters count as delivered and opened: seeding sends no mail, and a start no reminder.
    deliveries.map((item) => [
      item.deliveryId,
      item.id,
      0,
      `a@${SEED_DOMAIN}`,
      `a@${SEED_DOMAIN}`,
      item.revealAt,
      item.isRevealed ? 'sent' : 'planned',
      createHash('sha256').update(item.id).digest(),
      item.isRevealed ? item.revealAt : null,
      item.isRevealed ? item.revealAt : null,
    ]),
  )
  await copyRows(
    client,
    'delivery_events',
    ['delivery_id', 'step', 'at'],
    deliveries.flatMap((item) => [
      [item.deliveryId, 'planned', item.createdAt],
      ...(item.isRevealed
        ? ['sent', 'opened'].map((step) => [item.deliveryId, step, item.revealAt])
        : []),
    ]),
  )
  const revealed = sealed.filter((item) => item.isRevealed)
  await copyRows(
    client,
    'letter_grams',
    ['revelation_id', 'grams'],
    revealed
      .filter(({ visibility }) => visibility !== 'public')
      .map(({ id, content }) => [id, index.gramsOf(content)]),
  )
  const open = revealed.filter(({ visibility }) => visibility === 'public')
  await client.query(
    `insert into public_letters (revelation_id, form)
     select id, search_form(content) from unnest($1::uuid[], $2::text[]) as letter (id, content)`,
    [open.map(({ id }) => id), open.map(({ content }) => content)],
  )
}
