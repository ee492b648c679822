import { GENERIC_PREVIEW_PATH, PREVIEW_SIZE } from '#contract/previews.ts'
import { titleOf } from '#web/lib/document-title.ts'
import type { PageHead } from '#web/lib/first-screen.ts'
import { SITE_NAME } from '#web/lib/site-name.ts'

const DESCRIPTION =
  'Écrivez une annonce, une prédiction ou une lettre, joignez une vidéo, choisissez le jour\u00A0: elle reste scellée jusque-là, puis s’ouvre pour ceux que vous avez choisis.'
const GENERIC_PREVIEW = {
  path: GENERIC_PREVIEW_PATH,
  alt: 'Une enveloppe fermée d’un sceau de cire, sous les étoiles, avant l’aube',
}

interface HeadFacts extends PageHead {
  /** What the page's heading names it, without the name of the site. */
  title: string | undefined
  origin: string
}

/**
 * The elements of the head that differ from page to page, for those who read no further: search engines, previews. What
 * has no address of its own is not to be found again.
 */
export function headOf({ title, origin, canonical, isArticle, ...facts }: HeadFacts): string {
  const { description = DESCRIPTION, preview = GENERIC_PREVIEW } = facts
  const url = canonical !== undefined && origin + canonical
  return [
    `<title>${escaped(titleOf(title))}</title>`,
    meta('name', 'description', description),
    url ? `<link rel="canonical" href="${escaped(url)}" />` : meta('name', 'robots', 'noindex'),
    meta('property', 'og:site_name', SITE_NAME),
    meta('property', 'og:locale', 'fr_FR'),
    meta('property', 'og:type', isArticle ? 'article' : 'website'),
    meta('property', 'og:title', title ?? SITE_NAME),
    meta('property', 'og:description', description),
    url && meta('property', 'og:url', url),
    meta('property', 'og:image', origin + preview.path),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', String(PREVIEW_SIZE.width)),
    meta('property', 'og:image:height', String(PREVIEW_SIZE.height)),
    meta('property', 'og:image:alt', preview.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
  ]
    .filter((element) => element !== false)
    .join('\n    ')
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escaped(content)}" />`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
