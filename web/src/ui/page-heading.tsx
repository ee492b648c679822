import { type ReactNode, useEffect, useRef } from 'react'
import { GENERIC_PREVIEW_PATH, PREVIEW_SIZE } from '#contract/previews.ts'
import { focusRequestedHeading } from '#web/lib/focus.ts'
import { SITE_NAME, siteOrigin } from '#web/lib/site.ts'
import { classNames } from './class-names.ts'

interface PageHeadingProps {
  children: ReactNode
  /** The name of the page in the browser's tab; the heading's own words when it is a text. */
  documentTitle?: string
  className?: string
}

/** The page's h1. It names the tab, and receives the focus when one arrives from another page. */
export function PageHeading({ children, documentTitle, className }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (heading.current) focusRequestedHeading(heading.current)
  }, [])
  return (
    <>
      <PageTitle>
        {documentTitle ?? (typeof children === 'string' ? children : undefined)}
      </PageTitle>
      <h1 ref={heading} tabIndex={-1} className={classNames('text-3xl sm:text-4xl', className)}>
        {typeof children === 'string' ? <TitleWords>{children}</TitleWords> : children}
      </h1>
    </>
  )
}

const COMPOUND_WORDS = /(?<=^|\s)(\S*\p{L}-\p{L}\S*)/u
/** A longer one may have to break on a narrow screen. */
const COMPOUND_MAX = 14

/** A title that wraps between its words, not at the hyphen of « dix-huit ». */
export function TitleWords({ children }: { children: string }) {
  let start = 0
  return children.split(COMPOUND_WORDS).map((part, index) => {
    const key = start
    start += part.length
    return index % 2 === 1 && part.length <= COMPOUND_MAX ? (
      <span key={key} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    )
  })
}

/** What a page says of itself to those who only read its head. */
export interface PageHead {
  /** For a page of which the head alone is made; one that is rendered has the title of its heading. */
  title?: string
  description?: string
  /** The one address of what is shown; none where nothing is to be found. */
  canonical?: string
  /** Something somebody wrote, rather than a page of the site. */
  isArticle?: boolean
  /** The picture that stands for it elsewhere; the site’s own where there is none. */
  preview?: { path: string; alt: string }
}

/** Names the page in the browser’s tab, and where it is shared. A page has one: that of its heading. */
export function PageTitle({ children }: { children?: string | undefined }) {
  return (
    <>
      <title>{children ? `${children} · ${SITE_NAME}` : SITE_NAME}</title>
      <meta property="og:title" content={children ?? SITE_NAME} />
    </>
  )
}

const DESCRIPTION =
  'Écrivez une annonce, une prédiction ou une lettre, joignez une vidéo, choisissez le jour\u202F: elle reste scellée jusque-là, puis s’ouvre pour ceux que vous avez choisis.'
const GENERIC_PREVIEW = {
  path: GENERIC_PREVIEW_PATH,
  alt: 'Une enveloppe fermée d’un sceau de cire, sous les étoiles, avant l’aube',
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
