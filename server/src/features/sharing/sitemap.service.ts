import { PUBLIC_PAGES } from '#contract/public-pages.ts'
import type { AppContext } from '#server/context.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import { countPublic, listPublic } from './sitemap.repository.ts'

/** The sitemap that names all others. */
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

/** The protocol allows 50,000 addresses in one file; ids are random, so that no share comes near it. */
const SHARE_MAX = 10_000

/** One address, as the public may know of it. */
interface Place {
  url: string
  changedAt?: Date
}

/**
 * The shares of the public revelations among files: the first digits of their ids. A revelation that is sealed or
 * withdrawn later moves no other one into another file.
 */
export function sharesOf(count: number): string[] {
  let shares = ['']
  while (count > shares.length * SHARE_MAX) {
    shares = shares.flatMap((share) => [...'0123456789abcdef'].map((digit) => share + digit))
  }
  return shares
}

/** The first and the last id of a share. */
export function idsOf(share: string): { from: string; to: string } {
  return { from: idWith(share, '0'), to: idWith(share, 'f') }
}

function idWith(share: string, digit: string): string {
  return share.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function sitemapOf(places: readonly Place[]): string {
  return document('urlset', 'url', places)
}

function sitemapIndexOf(files: readonly Place[]): string {
  return document('sitemapindex', 'sitemap', files)
}

function document(root: string, element: string, places: readonly Place[]): string {
  const lines = places.map(({ url, changedAt }) => {
    const change = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
    return `<${element}><loc>${escaped(url)}</loc>${change}</${element}>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${root}>`,
    '',
  ].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
