import { jsonOf } from './requests.ts'
import type { Pair } from './secrets.ts'
import { askBoth, type Story } from './story.ts'
import type { Asker } from './trace.ts'
import type { World } from './worlds.ts'

interface Listing {
  path(world: World): string
  query: [string, string][]
  /** How many pages are turned at most. */
  pages: number
}

/** Reads a list page by page, each world by its own page marks. */
export async function turnPages(
  story: Story,
  by: Asker,
  { path, query, pages }: Listing,
): Promise<void> {
  const marks: Pair<string | null> = { A: null, B: null }
  for (let page = 0; page < pages; page += 1) {
    const seen = await askBoth(story, { by }, (world) => {
      const parameters = new URLSearchParams(query)
      const mark = marks[world.name]
      if (mark) parameters.set('cursor', mark)
      return { method: 'GET', path: `${path(world)}?${parameters}` }
    })
    marks.A = jsonOf(seen.A).next_cursor
    marks.B = jsonOf(seen.B).next_cursor
    if (!marks.A || !marks.B) return
  }
}
