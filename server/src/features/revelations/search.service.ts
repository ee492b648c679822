import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { grantAuthorTexts, grantIndexer } from '#server/features/access/grants.service.ts'
import { searchForm } from '#server/platform/sealing/blind-index.ts'
import { mergeRights } from '#server/platform/sealing/reading-right.ts'
import { openContents } from './letters.service.ts'
import type { ListCounts, ListFilter, ListPage } from './lists.rules.ts'
import {
  findAmongNewest,
  listAuthorsNamed,
  listFound,
  listLetterCandidates,
  listOwnUnindexed,
  pageAmong,
  pageAmongFirst,
  pageOfFound,
  type Search,
  sampleFrequent,
} from './search.repository.ts'
import { searchIndex } from './search-index.service.ts'

/** Letters opened at most to answer one search: a longer phrase finds the others. */
const LETTERS_PER_SEARCH = 100
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

/** Title and pseudo are searched where the viewer may see them; the letter only where they may read it. */
export async function search(
  ctx: AppContext,
  text: string,
  filter: ListFilter,
  page: ListPage,
): Promise<Found> {
  const grams = searchIndex(ctx).gramsOf(text)
  const { letterIds, hasMore } = await findLettersWith(ctx, { text, grams }, filter)
  const criteria: Search = { text, isInLetters: grams.length > 0, letterIds }
  if (!INDEXED.test(searchForm(text))) {
    const { rows, ...counted } = await findAmongNewest(
      ctx.db,
      filter,
      criteria,
      page,
      NEWEST_SEARCHED,
    )
    return { rows, counts: { ...counted, pending: counted.found - counted.revealed } }
  }
  const sampled = await sampleFrequent(ctx.db, filter, criteria, MAX_COUNTED + 1)
  const isFrequent = sampled !== undefined
  if (isFrequent) {
    const rows = await pageAmongFirst(ctx.db, filter, criteria, page)
    if (rows) return { rows, counts: cappedCounts(sampled) }
  }
  const { bitmaps } = ctx.searches
  const authorIds = await listAuthorsNamed(bitmaps, text)
  const found = await listFound(bitmaps, filter, criteria, authorIds, MAX_COUNTED + 1)
  if (found.length > MAX_COUNTED) {
    // Of a frequent phrase they did not fill the page.
    const first = isFrequent ? undefined : await pageAmongFirst(ctx.db, filter, criteria, page)
    const rows = first ?? (await pageOfFound(bitmaps, filter, criteria, authorIds, page))
    return { rows, counts: cappedCounts(found) }
  }
  const revealed = found.filter(({ isRevealed }) => isRevealed).length
  const ids = found.map(({ id }) => id)
  const counts = { found: ids.length, revealed, pending: ids.length - revealed }
  const rows = await pageAmong(ctx.db, filter, ids, page)
  return { rows, counts: hasMore ? { ...counts, is_capped: true } : counts }
}

function cappedCounts(found: readonly { isRevealed: boolean }[]): ListCounts {
  const revealed = found.slice(0, MAX_COUNTED).filter(({ isRevealed }) => isRevealed).length
  return { found: MAX_COUNTED, revealed, pending: MAX_COUNTED - revealed, is_capped: true }
}

/** The letters with the phrase that no public page shows: they are opened, the newest first. */
async function findLettersWith(
  ctx: AppContext,
  { text, grams }: { text: string; grams: readonly number[] },
  filter: ListFilter,
): Promise<{ letterIds: string[]; hasMore: boolean }> {
  const { viewer } = filter
  const revealed =
    grams.length > 0
      ? await listLetterCandidates(ctx.searches.bitmaps, filter, grams, LETTERS_PER_SEARCH)
      : []
  const own = viewer.userId ? await listOwnUnindexed(ctx.db, viewer.userId, LETTERS_PER_SEARCH) : []
  // Candidates come from the viewer's own list and are revealed; the others are the viewer's own.
  const author = viewer.userId ? grantAuthorTexts({ userId: viewer.userId }, own) : undefined
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
