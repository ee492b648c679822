import { SITE_NAME } from '#web/lib/site-name.ts'

/** Names the page in the browser’s tab, and where it is shared. A page has one: that of its heading. */
export function PageTitle({ children }: { children?: string | undefined }) {
  return (
    <>
      <title>{children ? `${children} · ${SITE_NAME}` : SITE_NAME}</title>
      <meta property="og:title" content={children ?? SITE_NAME} />
    </>
  )
}
