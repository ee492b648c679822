import { z } from 'zod'
import { LIST_DEFAULT_LIMIT, type ListQuery, type Sort } from '#contract/revelations.ts'
import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { PersonTie } from '#server/features/relationships/relationships.rules.ts'
import { listTies } from '#server/features/relationships/relationships.service.ts'
import { createBlindIndex, searchForm } from '#server/platform/sealing/blind-index.ts'
import { grantReading } from '#server/platform/sealing/reading-right.ts'
import { openLetters, openTexts, rightToRead } from './letters.service.ts'
import {
  countEnvelopes,
  cursorValueOf,
  type ListCursor,
  type ListFilter,
  type ListViewer,
  listEnvelopes,
  listLetterCandidates,
  listOwnUnindexed,
  listRevealedUnindexed,
  saveGrams,
} from './lists.repository.ts'
import type { EnvelopeRow } from './revelations.repository.ts'
import type { Tie } from './revelations.rules.ts'
import { type SeenRevelation, surroundings } from './sightings.service.ts'
import { holderOf, isAddressee } from './viewers.service.ts'

/** Letters opened at most to answer one search: what is beyond is found by a longer phrase. */
const LETTERS_PER_SEARCH = 300
const LETTERS_PER_INDEXING = 50

export interface RevelationList {
  seen: SeenRevelation[]
  nextCursor: string | null
  counts: { found: number; revealed: number; pending: number }
}

/** The feed of this viewer: public, friends’ and own items, never family; or one visibility of it. */
export async function listRevelations(
  ctx: AppContext,
  actor: Actor | null,
  query: ListQuery,
): Promise<RevelationList> {
  return list(ctx, actor, query, query.visibility ?? 'all')
}

/** All of one's own; of somebody else, what is public and revealed. */
export async function listRevelationsOfUser(
  ctx: AppContext,
  actor: Actor | null,
  userId: string,
  query: ListQuery,
): Promise<RevelationList> {
  const isOwn = actor?.userId === userId
  const page = { ...query, author: userId }
  if (!isOwn) return list(ctx, actor, page, 'profile')
  const scope = query.visibility && query.visibility !== 'all' ? query.visibility : 'own'
  return list(ctx, actor, page, scope)
}

async function list(
  ctx: AppContext,
  actor: Actor | null,
  query: ListQuery,
  scope: ListFilter['scope'],
): Promise<RevelationList> {
  const now = ctx.now()
  const viewer = await listViewerOf(ctx, actor)
  const sort = query.sort ?? 'newest'
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, sort)
  const limit = query.limit ?? LIST_DEFAULT_LIMIT
  const filter = await withSearch(ctx, query.q, {
    viewer,
    now,
    scope,
    status: query.status ?? 'all',
    category: query.category,
    authorId: query.author,
    search: undefined,
  })
  const [rows, { found, revealed }] = await Promise.all([
    listEnvelopes(ctx.db, filter, { sort, after, limit: limit + 1 }),
    countEnvelopes(ctx.db, filter),
  ])
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    seen: await see(ctx, actor, viewer, page, now),
    nextCursor: last ? writeCursor(sort, last) : null,
    counts: { found, revealed, pending: found - revealed },
  }
}

async function listViewerOf(ctx: AppContext, actor: Actor | null): Promise<ListViewer> {
  if (!actor) return { userId: null, friends: [], family: [], blocked: [] }
  return { userId: actor.userId, ...(await listTies(ctx, actor.userId)) }
}

function listTie(actor: Actor | null, viewer: ListViewer, envelope: EnvelopeRow): Tie {
  return {
    isAuthor: actor?.userId === envelope.authorId,
    relationship: personTie(viewer, envelope.authorId),
    isAddressee: isAddressee(actor, envelope),
  }
}

function personTie(viewer: ListViewer, userId: string): PersonTie | undefined {
  if (viewer.blocked.includes(userId)) return 'blocked'
  if (viewer.family.includes(userId)) return 'family'
  return viewer.friends.includes(userId) ? 'friend' : undefined
}

/** The envelopes as this viewer sees them, with the letters the gate opens, each asked for one by one. */
async function see(
  ctx: AppContext,
  actor: Actor | null,
  viewer: ListViewer,
  envelopes: readonly EnvelopeRow[],
  now: Date,
): Promise<SeenRevelation[]> {
  const holder = holderOf({ actor, deliveryKey: null }, undefined, undefined)
  const tied = envelopes.map((envelope) => {
    const tie = listTie(actor, viewer, envelope)
    return { envelope, tie, right: rightToRead(tie, envelope, now) }
  })
  const right = tied.find((item) => item.right)?.right
  const readable = tied.filter((item) => item.right).map((item) => item.envelope)
  const [letters, around] = await Promise.all([
    right ? openLetters(ctx, right, holder, readable) : new Map<string, never>(),
    surroundings(ctx, holder, tied),
  ])
  return tied.map(({ envelope, tie }) => ({
    envelope,
    tie,
    now,
    letter: letters.get(envelope.id),
    ...around(envelope),
  }))
}

/** Title and pseudo are searched where the viewer may see them; the letter only where they may read it. */
async function withSearch(
  ctx: AppContext,
  q: string | undefined,
  filter: ListFilter,
): Promise<ListFilter> {
  const text = q?.normalize('NFC').trim()
  if (!text?.isWellFormed() || text.includes('\0')) return filter
  return { ...filter, search: { text, letterIds: await findLettersWith(ctx, text, filter) } }
}

async function findLettersWith(
  ctx: AppContext,
  text: string,
  filter: ListFilter,
): Promise<string[]> {
  const { viewer } = filter
  const grams = searchIndex(ctx).gramsOf(text)
  const [revealed, own] = await Promise.all([
    grams.length > 0 ? listLetterCandidates(ctx.db, filter, grams, LETTERS_PER_SEARCH) : [],
    viewer.userId ? listOwnUnindexed(ctx.db, viewer.userId, LETTERS_PER_SEARCH) : [],
  ])
  // Candidates come from the viewer's own list and are revealed; the others are the viewer's own.
  const right = grantReading(true)
  if (!right) return []
  const texts = await openTexts(ctx, right, [...revealed, ...own])
  const wanted = searchForm(text)
  return [...texts].flatMap(([id, { content }]) => (searchForm(content).includes(wanted) ? id : []))
}

/** Makes letters that were revealed since the last run searchable; answers how many. */
export async function indexRevealedLetters(ctx: AppContext): Promise<number> {
  const letters = await listRevealedUnindexed(ctx.db, ctx.now(), LETTERS_PER_INDEXING)
  const right = grantReading(true)
  if (letters.length === 0 || !right) return 0
  const index = searchIndex(ctx)
  const texts = await openTexts(ctx, right, letters)
  // A letter that cannot be opened is done with too, or it would be tried for ever.
  for (const { id } of letters) {
    await saveGrams(ctx.db, id, index.gramsOf(texts.get(id)?.content ?? ''))
  }
  // A full slice means that more wait.
  return letters.length < LETTERS_PER_INDEXING
    ? letters.length
    : letters.length + (await indexRevealedLetters(ctx))
}

/** The keyed index of revealed letters. */
export function searchIndex(ctx: AppContext) {
  return createBlindIndex(ctx.keyring.secretFor('search-index'))
}

function writeCursor(sort: Sort, last: EnvelopeRow): string {
  return Buffer.from(JSON.stringify([sort, cursorValueOf(sort, last), last.id])).toString(
    'base64url',
  )
}

function readCursor(cursor: string, sort: Sort): ListCursor {
  try {
    const [of, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const schema = sort === 'popular' ? z.int32() : z.iso.datetime()
    if (of === sort && schema.safeParse(value).success && idSchema.safeParse(id).success) {
      return { value, id }
    }
  } catch {
    // Not one of ours: refused below.
  }
  throw new AppError('invalid_input', { message: 'Ce repère de page n’est pas valide' })
}
