import { PUBLIC_PAGES } from '#contract/public-pages.ts'
import type { AppContext } from '#server/context.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import { countPublic, listPublic } from './sitemap.repository.ts'
import { idsOf, sharesOf, sitemapIndexOf, sitemapOf } from './sitemap.rules.ts'

/** What names all the others. */
export async function readSitemapIndex({ db, config }: AppContext): Promise<string> {
  const shares = sharesOf(await countPublic(db))
  const names = ['pages', ...shares.map((share) => `revelations${share && `-${share}`}`)]
  return sitemapIndexOf(
    names.map((name) => ({ url: `${config.http.publicUrl}/sitemap/${name}.xml` })),
  )
}

export function readPagesSitemap({ config }: AppContext): string {
  return sitemapOf(PUBLIC_PAGES.map((page) => ({ url: config.http.publicUrl + page })))
}

/** The public revelations whose ids begin so. */
export async function readSitemap(ctx: AppContext, share: string): Promise<string> {
  const found = await listPublic(ctx.db, idsOf(share), ctx.now())
  return sitemapOf(
    found.map(({ id, changedAt }) => ({ url: pageOf(ctx.config.http, id), changedAt })),
  )
}
