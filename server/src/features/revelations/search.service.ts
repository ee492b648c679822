import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { grantAuthor, grantIndexer } from '#server/features/access/grants.service.ts'
import { createBlindIndex, searchForm } from '#server/platform/sealing/blind-index.ts'
import { mergeRights } from '#server/platform/sealing/reading-right.ts'
import { openContents } from './letters.service.ts'
import type { ListCounts, ListFilter, ListPage } from './lists.rules.ts'
import {
  byBitmaps,
  findAmongNewest,
  listAuthorsNamed,
  listFound,
  listLetterCandidates,
  listOwnUnindexed,
  listRevealedUnindexed,
  pageAmong,
  pageAmongFirst,
  pageOfFrequent,
  type Search,
  sampleFrequent,
  saveGrams,
} from './search.repository.ts'

/** Letters opened at most to answer one search: a longer phrase finds the others. */
const LETTERS_PER_SEARCH = 100
const LETTERS_PER_INDEXING = 50
/** Beyond as many, finding is not counting. */
const MAX_COUNTED = 500
/** No index knows a phrase without three letters or digits in a row: it is looked for in the newest rows only. */
const INDEXED = /[a-z0-9]{3}/
const NEWEST_SEARCHED = 1_000

interface Found {
  rows: EnvelopeRow[]
  counts: ListCounts
}

/** The phrase of a search; undefined without one. */
export function phraseOf(q: string | undefined): string | undefined {
  // Characters that no stored text may contain become one that none contains: the database would refuse them.
  const text = q?.normalize('NFC').trim().toWellFormed().replaceAll('\0', '\uFFFD')
  return text === '' ? undefined : text
}

/**
 * Title and pseudo are searched where the viewer may see them; the letter only where they may read it. In a transaction,
 * one statement after the other.
 */
export async function search(
  ctx: AppContext,
  text: string,
  filter: ListFilter,
  page: ListPage,
): Promise<Found> {
  const { letterIds, hasMore } = await findLettersWith(ctx, text, filter)
  if (!INDEXED.test(searchForm(text))) {
    const criteria = { text, authorIds: undefined, letterIds }
    const { rows, ...counted } = await findAmongNewest(
      ctx.db,
      filter,
      criteria,
      page,
      NEWEST_SEARCHED,
    )
    return { rows, counts: { ...counted, pending: counted.found - counted.revealed } }
  }
  const frequent = await searchFrequent(
    ctx,
    { text, authorIds: undefined, letterIds },
    filter,
    page,
  )
  if (frequent) return frequent
  const { criteria, found } = await byBitmaps(ctx.db, async () => {
    const criteria = { text, authorIds: await listAuthorsNamed(ctx.db, text), letterIds }
    return { criteria, found: await listFound(ctx.db, filter, criteria, MAX_COUNTED + 1) }
  })
  if (found.length <= MAX_COUNTED) {
    const revealed = found.filter(({ isRevealed }) => isRevealed).length
    const ids = found.map(({ id }) => id)
    const counts = { found: ids.length, revealed, pending: ids.length - revealed }
    const rows = await pageAmong(ctx.db, filter, ids, page)
    return { rows, counts: hasMore ? { ...counts, is_capped: true } : counts }
  }
  return {
    rows: await pageOfFrequent(ctx.db, filter, criteria, page),
    counts: cappedCounts(found),
  }
}

/** The cost of a frequent phrase does not grow with the list: both page and count stop when they are full. */
async function searchFrequent(
  ctx: AppContext,
  criteria: Search,
  filter: ListFilter,
  page: ListPage,
): Promise<Found | undefined> {
  const sampled = await sampleFrequent(ctx.db, filter, criteria, MAX_COUNTED + 1)
  const rows = sampled && (await pageAmongFirst(ctx.db, filter, criteria, page))
  return rows && { rows, counts: cappedCounts(sampled) }
}

function cappedCounts(found: readonly { isRevealed: boolean }[]): ListCounts {
  const revealed = found.slice(0, MAX_COUNTED).filter(({ isRevealed }) => isRevealed).length
  return { found: MAX_COUNTED, revealed, pending: MAX_COUNTED - revealed, is_capped: true }
}

async function findLettersWith(
  ctx: AppContext,
  text: string,
  filter: ListFilter,
): Promise<{ letterIds: string[]; hasMore: boolean }> {
  const { viewer } = filter
  const grams = searchIndex(ctx).gramsOf(text)
  const revealed =
    grams.length > 0 ? await listLetterCandidates(ctx.db, filter, grams, LETTERS_PER_SEARCH) : []
  const own = viewer.userId ? await listOwnUnindexed(ctx.db, viewer.userId, LETTERS_PER_SEARCH) : []
  // Candidates come from the viewer's own list and are revealed; the others are the viewer's own.
  const author = viewer.userId ? grantAuthor({ userId: viewer.userId }, own) : undefined
  const right = mergeRights([grantIndexer(revealed, filter.now), ...(author ? [author] : [])])
  const contents = await openContents(ctx, right, [...revealed, ...own])
  const wanted = searchForm(text)
  return {
    letterIds: [...contents].flatMap(([id, content]) =>
      searchForm(content).includes(wanted) ? id : [],
    ),
    hasMore: revealed.length === LETTERS_PER_SEARCH,
  }
}

/** Makes letters that were revealed since the last run searchable; answers how many. */
export async function indexRevealedLetters(ctx: AppContext): Promise<number> {
  const now = ctx.now()
  const letters = await listRevealedUnindexed(ctx.db, now, LETTERS_PER_INDEXING)
  if (letters.length === 0) return 0
  const index = searchIndex(ctx)
  const contents = await openContents(ctx, grantIndexer(letters, now), letters)
  // A letter that cannot be opened is done with too, or it would be tried for ever.
  for (const { id } of letters) {
    await saveGrams(ctx.db, id, index.gramsOf(contents.get(id) ?? ''))
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
