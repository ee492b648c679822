import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KINDS } from '#contract/kinds.ts'
import { OUTCOME_FILTERS, OUTCOMES } from '#contract/predictions.ts'
import { CATEGORIES, type Revelation, SORTS, VISIBILITIES } from '#contract/revelations.ts'
import { canViewEnvelope } from '#server/features/access/access.rules.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import { searchForm } from '#server/platform/sealing/blind-index.ts'
import { AN_HOUR_MS, relate } from '#testing/factories.ts'
import { insertRows, type Row } from '#testing/rows.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { addUpCounts } from './lists.service.ts'
import { indexRevealedLetters } from './search-index.service.ts'

const CHOSEN = CATEGORIES.slice(0, 3)
const WORDS = ['éclipse', 'chaton', 'ÉTÉ', 'ab 12', 'lune']
const SEARCHED = ['eclipse', 'CHAT', 'été', 'ab 12', '12', 'e', 'lune', 'plume', 'absent', '%', '_']

interface Known extends Row {
  wasRevealed: boolean
  isIndexed: boolean
}

let server: TestApp
let people: Person[]
let start: number
const ties = new Map<string, Relation>()
const rows = new Map<string, Known>()

beforeAll(async () => {
  server = await startTestServer()
  start = server.clock.now.getTime()
  const pseudos = ['Plume', 'Comete', 'Lune_douce', 'Ecume', 'Sente']
  people = await Promise.all(pseudos.map((pseudo) => signedIn(server, { pseudo })))
  await tie(0, 1, 'friend')
  await tie(0, 2, 'family')
  await tie(1, 2, 'family')
  await tie(0, 3, 'blocked')
  await tie(1, 4, 'friend')
  // A block comes before whatever else they are to each other.
  await relate(server, person(0), person(3), 'family')
})
afterAll(() => server.close())

function person(index: number): Person {
  return people[index] as Person
}

async function tie(one: number, other: number, kind: Relation): Promise<void> {
  const [first, second] = [person(one), person(other)]
  ties.set(`${first.id}/${second.id}`, kind).set(`${second.id}/${first.id}`, kind)
  if (kind !== 'blocked') return relate(server, first, second, kind)
  const createdAt = server.clock.now
  await server.ctx.db
    .insertInto('blocks')
    .values({ blockerId: first.id, blockedId: second.id, createdAt })
    .execute()
}

const instant = fc.integer({ min: -6, max: 6 }).map((hours) => ({ hours }))
const text = fc.constantFrom(...WORDS)
const row = fc.record({
  author: fc.nat(4),
  title: text.map((word) => `Titre ${word}`),
  content: text.map((word) => `Il y a ${word} dans la lettre.`),
  kind: fc.constantFrom(...KINDS),
  category: fc.constantFrom(...CHOSEN),
  visibility: fc.constantFrom(...VISIBILITIES),
  reactionsCount: fc.nat(2),
  outcome: fc.option(fc.constantFrom(...OUTCOMES)),
  revealed: instant,
  created: instant,
})
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: fc.array(row, { minLength: 5, maxLength: 25 }) }) },
  fc.record({ edit: fc.nat(), to: row }),
  fc.record({ remove: fc.nat() }),
  fc.record({ clock: fc.integer({ min: -5 * 60, max: 5 * 60 }) }),
  fc.constant({ addUp: true as const }),
  fc.constant({ index: true as const }),
)
const query = fc.record(
  {
    visibility: fc.constantFrom('all', ...VISIBILITIES),
    status: fc.constantFrom('all', 'revealed', 'pending'),
    category: fc.constantFrom(...CHOSEN),
    kind: fc.constantFrom(...KINDS),
    author: fc.nat(4),
    outcome: fc.constantFrom(...OUTCOME_FILTERS),
    sort: fc.constantFrom(...SORTS),
    q: fc.constantFrom(...SEARCHED),
  },
  { requiredKeys: [] },
)
const question = fc.record({
  viewer: fc.option(fc.nat(4), { nil: undefined }),
  ofUser: fc.option(fc.nat(4), { nil: undefined, freq: 4 }),
  query,
  limit: fc.integer({ min: 1, max: 30 }),
})
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never
type NewRow = typeof row extends fc.Arbitrary<infer T> ? T : never

function at({ hours }: { hours: number }): Date {
  return new Date(start + hours * AN_HOUR_MS)
}

function inventRow({ author, revealed, created, ...rest }: NewRow): Known {
  const [revealAt, createdAt] = [at(revealed), at(created)]
  const authorId = person(author).id
  return {
    ...rest,
    id: randomUUID(),
    authorId,
    revealAt,
    createdAt,
    wasRevealed: false,
    isIndexed: false,
  }
}

async function apply(what: Change): Promise<void> {
  const { db } = server.ctx
  const chosen = (index: number) => [...rows.values()][index % Math.max(1, rows.size)]
  if ('add' in what) {
    const added = what.add.map(inventRow)
    await insertRows(
      server,
      added.map(({ wasRevealed, isIndexed, ...inserted }) => inserted),
    )
    for (const item of added) rows.set(item.id, item)
  } else if ('edit' in what) {
    const item = chosen(what.edit)
    if (!item) return
    const { title, kind, category, visibility, reactionsCount } = what.to
    // What was revealed once keeps its instant.
    const revealAt = item.wasRevealed ? item.revealAt : at(what.to.revealed)
    const set = { title, kind, category, visibility, reactionsCount, revealAt }
    await db.updateTable('revelations').set(set).where('id', '=', item.id).execute()
    // The words that everybody may read leave at once, and come back as keyed pieces.
    const isIndexed = item.isIndexed && (item.visibility !== 'public' || visibility === 'public')
    Object.assign(item, set, { isIndexed })
  } else if ('remove' in what) {
    const item = chosen(what.remove)
    if (!item) return
    await db.deleteFrom('revelations').where('id', '=', item.id).execute()
    rows.delete(item.id)
  } else if ('clock' in what) {
    server.clock.now = new Date(start + what.clock * 60_000)
  } else if ('addUp' in what) {
    await addUpCounts(server.ctx)
  } else {
    await indexRevealedLetters(server.ctx)
    for (const item of rows.values()) {
      if (item.revealAt <= server.clock.now)
        Object.assign(item, { wasRevealed: true, isIndexed: true })
    }
  }
}

function expected({ viewer, ofUser, query }: Question): Known[] {
  const now = server.clock.now
  const me = viewer === undefined ? undefined : person(viewer).id
  const of = ofUser === undefined ? undefined : person(ofUser).id
  const isOwnList = of !== undefined && of === me
  const scope = query.visibility ?? 'all'
  const author = of ?? (query.author === undefined ? undefined : person(query.author).id)

  function isListed(item: Known): boolean {
    const isAuthor = item.authorId === me
    const relationship = me ? ties.get(`${me}/${item.authorId}`) : undefined
    if (!canViewEnvelope({ isAuthor, relationship, deliveryIds: [] }, withNotice(item), now))
      return false
    const isRevealed = item.revealAt <= now
    if (of !== undefined && !isOwnList) {
      if (item.visibility !== 'public' || !isRevealed) return false
    } else if (scope === 'all') {
      if (item.visibility === 'family' && !isOwnList) return false
    } else if (item.visibility !== scope) return false
    // Of somebody else only what is revealed is shown, whatever the status of the query.
    const status = query.outcome || (of !== undefined && !isOwnList) ? 'revealed' : query.status
    if (status === 'revealed' && !isRevealed) return false
    if (status === 'pending' && isRevealed) return false
    if (query.category && item.category !== query.category) return false
    if (query.kind && item.kind !== query.kind) return false
    const isJudged = item.kind === 'prediction' && item.visibility === 'public' && isRevealed
    if (query.outcome && !isJudged) return false
    if (query.outcome && query.outcome !== (item.outcome ?? 'none')) return false
    return author === undefined || item.authorId === author
  }

  function isFound(item: Known): boolean {
    if (query.q === undefined) return true
    const wanted = searchForm(query.q)
    const pseudo = people.find(({ id }) => id === item.authorId)?.pseudo ?? ''
    if ([item.title, pseudo].some((words) => searchForm(words).includes(wanted))) return true
    const isSearched = item.isIndexed
      ? item.revealAt <= now && [...wanted].length >= 3
      : item.authorId === me
    return isSearched && searchForm(item.content).includes(wanted)
  }

  const sort = query.sort ?? 'newest'
  const key = (item: Known) =>
    sort === 'newest'
      ? item.createdAt.getTime()
      : sort === 'popular'
        ? item.reactionsCount
        : item.revealAt.getTime()
  const direction = sort === 'soonest' ? 1 : -1
  return [...rows.values()]
    .filter((item) => isListed(item) && isFound(item))
    .sort((a, b) => direction * (key(a) - key(b) || (a.id < b.id ? -1 : 1)))
}

function withNotice(item: Known) {
  return { ...item, recipients: [], hiddenAt: null }
}

async function answered({ viewer, ofUser, query, limit }: Question) {
  const { author, ...rest } = query
  const path =
    ofUser === undefined ? '/api/revelations' : `/api/revelations/user/${person(ofUser).id}`
  const parameters = new URLSearchParams({ ...rest, limit: String(limit) })
  if (author !== undefined) parameters.set('author', person(author).id)
  const as = viewer === undefined ? undefined : person(viewer)
  const ids: string[] = []
  const counts: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (cursor) parameters.set('cursor', cursor)
    const { status, body } = await server.call('GET', `${path}?${parameters}`, { as })
    expect(status).toBe(200)
    ids.push(...body.revelations.map((item: Revelation) => item.id))
    counts.push(body.counts)
    cursor = body.next_cursor
  }
  return { ids, counts }
}

it('lists what a search through every row by hand finds, for every viewer, filter and order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.array(question, { minLength: 4, maxLength: 8 }),
      async (changes, questions) => {
        for (const what of changes) await apply(what)
        for (const one of questions) {
          const items = expected(one)
          const revealed = items.filter((item) => item.revealAt <= server.clock.now).length
          const counts = { found: items.length, revealed, pending: items.length - revealed }
          const { ids, counts: counted } = await answered(one)
          expect([one, ids]).toEqual([one, items.map(({ id }) => id)])
          for (const page of counted) expect([one, page]).toEqual([one, counts])
        }
      },
    ),
    // Each run goes on from the last: a counterexample cannot be made smaller.
    { numRuns: Number(process.env.LISTS_RUNS ?? 25), endOnFailure: true },
  )
})
