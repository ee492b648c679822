/**
 * A whole list, a page at a time: `list` gives at most `limit` rows, those that come after one it has given. No page is
 * empty.
 */
export async function* pagesOf<Row>(
  limit: number,
  list: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const page = await list(last, limit)
    if (page.length > 0) yield page
    if (page.length < limit) return
    last = page.at(-1)
  }
}
