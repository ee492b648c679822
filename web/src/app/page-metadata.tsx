import { useQueryClient } from '@tanstack/react-query'
import { useMatches } from 'react-router'
import { GENERIC_PREVIEW_PATH, PREVIEW_SIZE } from '#contract/previews.ts'
import { siteOrigin } from '#web/lib/site-address.ts'
import { SITE_NAME } from '#web/lib/site-name.ts'
import { headOf, type PageHead } from './page-handle.ts'

const DESCRIPTION =
  'Écrivez une annonce, une prédiction ou une lettre, joignez une vidéo, choisissez le jour\u00A0: elle reste scellée jusque-là, puis s’ouvre pour ceux que vous avez choisis.'
const GENERIC_PREVIEW = {
  path: GENERIC_PREVIEW_PATH,
  alt: 'Une enveloppe fermée d’un sceau de cire, sous les étoiles, avant l’aube',
}

/** What the page at the current address says of itself, by its entry in the table of routes. Its heading gives the title. */
export function CurrentPageMetadata() {
  const client = useQueryClient()
  return <PageMetadata {...headOf(useMatches().at(-1), client)} />
}

/**
 * The elements of the head that differ from page to page, for those who read no further: search engines, previews. What
 * has no address of its own is not to be found again.
 */
export function PageMetadata({
  description = DESCRIPTION,
  preview = GENERIC_PREVIEW,
  canonical,
  isArticle = false,
}: PageHead) {
  const origin = siteOrigin()
  return (
    <>
      <meta name="description" content={description} />
      {canonical === undefined ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={origin + canonical} />
          <meta property="og:url" content={origin + canonical} />
        </>
      )}
      <meta property="og:site_name" content={SITE_NAME} />
      <meta property="og:locale" content="fr_FR" />
      <meta property="og:type" content={isArticle ? 'article' : 'website'} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={origin + preview.path} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(PREVIEW_SIZE.width)} />
      <meta property="og:image:height" content={String(PREVIEW_SIZE.height)} />
      <meta property="og:image:alt" content={preview.alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
