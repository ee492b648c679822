import type { PageHead } from '#web/lib/first-screen.ts'
import { SITE_NAME } from '#web/lib/site-name.ts'

const DESCRIPTION =
  'Écrivez une annonce, une prédiction ou une lettre, joignez une vidéo, choisissez le jour : elle reste scellée jusque-là, puis s’ouvre pour ceux que vous avez choisis.'

interface HeadFacts extends Partial<PageHead> {
  /** The title element, as the page's heading renders it. */
  title: string | undefined
  origin: string
}

/** The elements of the head that differ from page to page, for those who read no further: search engines, previews. */
export function headOf({ title, origin, description = DESCRIPTION, canonical }: HeadFacts): string {
  return [
    title ?? `<title>${SITE_NAME}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    canonical !== undefined && `<link rel="canonical" href="${escaped(origin + canonical)}" />`,
  ]
    .filter((element) => element !== false)
    .join('\n    ')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
