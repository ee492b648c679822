/** The protocol of sitemaps takes 50,000 addresses in one file; ids are even, so that no share comes near it. */
const MOST_IN_SHARE = 10_000

/** One address, as the public may know of it. */
export interface Place {
  url: string
  changedAt?: Date
}

/**
 * How the public revelations are shared out among files: by how their ids begin, which are chance. What is sealed or
 * withdrawn later moves no other one into another file.
 */
export function sharesOf(count: number): string[] {
  let shares = ['']
  while (count > shares.length * MOST_IN_SHARE) {
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

export function sitemapOf(places: readonly Place[]): string {
  return document('urlset', 'url', places)
}

export function sitemapIndexOf(files: readonly Place[]): string {
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
